#include "tasks/trajectory/run_results.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"

/* ---- one ---- */

void run_result_release(struct run_result *result)
{
    free(result->task);
    free(result->episode);
    free(result->agent);
    free(result->phone);
    free(result->reason);
    free(result->recording);
    free(result->damage);
    free(result->bad_file);
    *result = (struct run_result){.task = NULL};
}

static char *copy(const char *text)
{
    return text ? mem_dup(text) : NULL;
}

/* Did a person do it in place of the agent? */
static bool is_taken_over(const struct trajectory *trajectory,
                          const struct trajectory_step *step)
{
    const char *agent = trajectory->head.agent;

    return step->acted && step->actor == ACTOR_HUMAN && agent &&
           strcmp(agent, "human") != 0;
}

void run_result_of(const struct trajectory *trajectory, const char *episode,
                   struct run_result *result)
{
    *result = (struct run_result){
        .task = mem_dup(trajectory->head.task),
        .repeat = trajectory->head.repeat,
        .attempt = trajectory->head.attempt,
        .episode = mem_dup(episode),
        .agent = copy(trajectory->head.agent),
        .phone = copy(trajectory->head.phone),
        .ending = trajectory->ending,
        .reason = copy(trajectory->reason),
        .duration_ms = trajectory->ended_ms,
    };
    for (size_t i = 0; i < trajectory->count; i++) {
        const struct trajectory_step *step = &trajectory->steps[i];

        result->steps += step->acted;
        result->raw_commands += step->acted && step->action.kind == ACTION_RAW;
        result->person_actions += is_taken_over(trajectory, step);
        result->input_tokens += step->input_tokens;
        result->cached_tokens += step->cached_tokens;
        result->output_tokens += step->output_tokens;
        result->cost += step->costs_unknown ? NAN : step->cost;
    }
}

void run_result_folder(const char *task, int repeat, int attempt,
                       struct buf *folder)
{
    buf_printf(folder, "episodes/%s/%d/%d", task, repeat, attempt);
}

struct cJSON *run_result_to_json(const struct run_result *result)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "task", result->task);
    json_add_int(line, "repeat", result->repeat);
    json_add_int(line, "attempt", result->attempt);
    json_add_string(line, "episode", result->episode);
    json_add_opt_string(line, "agent", result->agent);
    json_add_opt_string(line, "phone", result->phone);
    json_add_string(line, "ending", trajectory_ending_name(result->ending));
    json_add_opt_string(line, "reason", result->reason);
    json_add_int(line, "steps", result->steps);
    if (result->raw_commands)
        json_add_int(line, "raw_commands", result->raw_commands);
    if (result->person_actions)
        json_add_int(line, "person_actions", result->person_actions);
    json_add_int(line, "duration_ms", result->duration_ms);
    json_add_int(line, "input_tokens", result->input_tokens);
    json_add_int(line, "cached_tokens", result->cached_tokens);
    json_add_int(line, "output_tokens", result->output_tokens);
    if (!isnan(result->cost))
        json_add_number(line, "cost", result->cost);
    json_add_opt_string(line, "recording", result->recording);
    return line;
}

/* ---- all ---- */

void run_results_release(struct run_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        run_result_release(&results->items[i]);
    free(results->items);
    *results = (struct run_results){.items = NULL};
}

bool run_results_save(const char *run, const struct run_results *results,
                      struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done;

    for (size_t i = 0; i < results->count; i++) {
        struct cJSON *line;

        if (results->items[i].ending == ENDING_NONE)
            continue;
        line = run_result_to_json(&results->items[i]);
        json_format(line, &text);
        buf_byte(&text, '\n');
        cJSON_Delete(line);
    }
    buf_printf(&path, "%s/results.jsonl", run);
    done = text.overflow ? err_set(err, ERR_LIMIT, "too many results")
                         : file_save(buf_cstr(&path), 0666, buf_cstr(&text),
                                     text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

static bool take_ending(const struct json *line, enum trajectory_ending *ending,
                        struct err *err)
{
    const char *name;

    if (!json_get_string(line, "ending", &name, err))
        return false;
    return trajectory_ending_find(name, ending) ||
           err_set(err, ERR_INVALID, "ending: there is no \"%.20s\"", name);
}

/* Below the run's folder only. */
static bool is_inside(const char *folder)
{
    if (*folder == '/' || !*folder)
        return false;
    for (const char *part = folder; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
            return false;
    }
    return true;
}

static bool take_episode(const struct json *line, char **episode,
                         struct err *err)
{
    if (!json_get_copy(line, "episode", episode, err))
        return false;
    return is_inside(*episode) ||
           err_set(err, ERR_INVALID,
                   "episode: expected a folder below the run's");
}

/* On failure result keeps what was read; the caller releases it. */
static bool read_result(const struct json *line, struct run_result *result,
                        struct err *err)
{
    return json_get_copy(line, "task", &result->task, err) &&
           json_opt_small(line, "repeat", 0, INT_MAX, &result->repeat, err) &&
           json_opt_small(line, "attempt", 0, INT_MAX, &result->attempt, err) &&
           take_episode(line, &result->episode, err) &&
           json_opt_copy(line, "agent", &result->agent, err) &&
           json_opt_copy(line, "phone", &result->phone, err) &&
           take_ending(line, &result->ending, err) &&
           json_opt_copy(line, "reason", &result->reason, err) &&
           json_opt_small(line, "steps", 0, INT_MAX, &result->steps, err) &&
           json_opt_small(line, "raw_commands", 0, INT_MAX,
                          &result->raw_commands, err) &&
           json_opt_small(line, "person_actions", 0, INT_MAX,
                          &result->person_actions, err) &&
           json_opt_count(line, "duration_ms", &result->duration_ms, err) &&
           json_opt_count(line, "input_tokens", &result->input_tokens, err) &&
           json_opt_count(line, "cached_tokens", &result->cached_tokens, err) &&
           json_opt_count(line, "output_tokens", &result->output_tokens, err) &&
           json_opt_number(line, "cost", &result->cost, err) &&
           json_opt_copy(line, "recording", &result->recording, err);
}

static struct run_result *add(struct run_results *results)
{
    results->items =
        mem_resize(results->items, results->count + 1, sizeof(*results->items));
    results->items[results->count] = (struct run_result){.cost = NAN};
    return &results->items[results->count++];
}

static bool read_lines(struct jsonl_reader *reader, struct run_results *results,
                       struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return true;
        if (results->count == RUN_RESULTS_MAX)
            return err_set(err, ERR_LIMIT, "more than %d results",
                           RUN_RESULTS_MAX);
        if (!read_result(&line, add(results), err))
            return jsonl_wrap(reader, err);
    }
}

bool run_results_parse(const char *text, size_t length,
                       struct run_results *results, struct err *err)
{
    struct jsonl_reader reader = JSONL_READER(text, length);
    struct run_results read = {.items = NULL};
    bool done = read_lines(&reader, &read, err);

    jsonl_reader_release(&reader);
    if (!done) {
        run_results_release(&read);
        return false;
    }
    *results = read;
    return true;
}

bool run_results_load(const char *run, struct run_results *results,
                      struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done;

    buf_printf(&path, "%s/results.jsonl", run);
    done = file_load(buf_cstr(&path), &text, err) &&
           (run_results_parse(buf_cstr(&text), text.length, results, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&text);
    buf_release(&path);
    return done;
}
