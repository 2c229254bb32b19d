#include "tasks/results.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"

/* ---- one ---- */

void result_release(struct result *result)
{
    free(result->task);
    free(result->episode);
    free(result->agent);
    free(result->phone);
    free(result->reason);
    *result = (struct result){.task = NULL};
}

static char *copy(const char *text)
{
    return text ? mem_dup(text) : NULL;
}

void result_of(const struct trajectory *trajectory, const char *episode,
               struct result *result)
{
    *result = (struct result){
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
        result->input_tokens += step->input_tokens;
        result->cached_tokens += step->cached_tokens;
        result->output_tokens += step->output_tokens;
        result->cost += step->cost;
    }
}

void result_folder(const char *task, int repeat, int attempt,
                   struct buf *folder)
{
    buf_printf(folder, "episodes/%s/%d/%d", task, repeat, attempt);
}

static void add_text(struct cJSON *into, const char *key, const char *text)
{
    if (text)
        json_add_string(into, key, text);
}

struct cJSON *result_to_json(const struct result *result)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "task", result->task);
    json_add_int(line, "repeat", result->repeat);
    json_add_int(line, "attempt", result->attempt);
    json_add_string(line, "episode", result->episode);
    add_text(line, "agent", result->agent);
    add_text(line, "phone", result->phone);
    json_add_string(line, "ending", trajectory_ending_name(result->ending));
    add_text(line, "reason", result->reason);
    json_add_int(line, "steps", result->steps);
    json_add_int(line, "duration_ms", result->duration_ms);
    json_add_int(line, "input_tokens", result->input_tokens);
    json_add_int(line, "cached_tokens", result->cached_tokens);
    json_add_int(line, "output_tokens", result->output_tokens);
    if (!isnan(result->cost))
        json_add_number(line, "cost", result->cost);
    return line;
}

/* ---- all ---- */

void results_release(struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        result_release(&results->items[i]);
    free(results->items);
    *results = (struct results){.items = NULL};
}

bool results_save(const char *run, const struct results *results,
                  struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done;

    for (size_t i = 0; i < results->count; i++) {
        struct cJSON *line;

        if (results->items[i].ending == ENDING_NONE)
            continue;
        line = result_to_json(&results->items[i]);
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

/* Below the run's folder, and nowhere else. */
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

/* What was read so far stays in result, which the caller releases. */
static bool read_result(const struct json *line, struct result *result,
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
           json_opt_count(line, "duration_ms", &result->duration_ms, err) &&
           json_opt_count(line, "input_tokens", &result->input_tokens, err) &&
           json_opt_count(line, "cached_tokens", &result->cached_tokens, err) &&
           json_opt_count(line, "output_tokens", &result->output_tokens, err) &&
           json_opt_number(line, "cost", &result->cost, err);
}

static struct result *add(struct results *results)
{
    results->items =
        mem_resize(results->items, results->count + 1, sizeof(*results->items));
    results->items[results->count] = (struct result){.cost = NAN};
    return &results->items[results->count++];
}

static bool read_lines(struct jsonl_reader *reader, struct results *results,
                       struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return true;
        if (results->count == RESULTS_MAX)
            return err_set(err, ERR_LIMIT, "more than %d results", RESULTS_MAX);
        if (!read_result(&line, add(results), err))
            return jsonl_wrap(reader, err);
    }
}

bool results_parse(const char *text, size_t length, struct results *results,
                   struct err *err)
{
    struct jsonl_reader reader = JSONL_READER(text, length);
    struct results read = {.items = NULL};
    bool done = read_lines(&reader, &read, err);

    jsonl_reader_release(&reader);
    if (!done) {
        results_release(&read);
        return false;
    }
    *results = read;
    return true;
}

bool results_load(const char *run, struct results *results, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done;

    buf_printf(&path, "%s/results.jsonl", run);
    done = file_load_ordinary(buf_cstr(&path), &text, err) &&
           (results_parse(buf_cstr(&text), text.length, results, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&text);
    buf_release(&path);
    return done;
}
