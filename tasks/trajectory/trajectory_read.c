#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tasks/json/jsonl.h"
#include "tasks/trajectory/trajectory_private.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)
#define EVIDENCE_MAX 10000
#define SIDE_MAX 100000
#define REPLIES_MAX 1000
#define DOUBTS_MAX 4096 /* bytes, of a step */

/* The limit ensures that the sum over an episode does not overflow. */
#define COUNT_MAX INT64_C(100000000000)
#define COST_MAX 1e9

/* ---- members ---- */

/* Only names that the writer makes: a path cannot lead elsewhere. */
static bool is_store_name(const char *name, const char *prefix,
                          const char *extension)
{
    size_t start = strlen(prefix);
    size_t digits;

    if (strncmp(name, prefix, start) != 0)
        return false;
    digits = strspn(name + start, "0123456789");
    return digits >= 4 && digits <= 6 &&
           !strcmp(name + start + digits, extension);
}

static bool take_file(const struct json *line, const char *key,
                      const char *prefix, const char *extension,
                      struct trajectory_file *file, struct err *err)
{
    struct json object = JSON_NONE;
    const char *name = NULL;
    const char *sha256 = NULL;

    if (!json_opt_object(line, key, &object, err))
        return false;
    if (!object.value)
        return true;
    if (!json_get_string(&object, "file", &name, err) ||
        !json_get_string(&object, "sha256", &sha256, err))
        return false;
    if (!is_store_name(name, prefix, extension))
        return err_set(err, ERR_INVALID, "%s.file: no such name: \"%.40s\"",
                       key, name);
    if (!sha256_is_hex(sha256))
        return err_set(err, ERR_INVALID, "%s.sha256: expected 64 digits", key);
    memcpy(file->file, name, strlen(name) + 1);
    memcpy(file->sha256, sha256, sizeof(file->sha256));
    return true;
}

/* ---- the head ---- */

static bool read_builtin(const struct json *line, struct trajectory_head *head,
                         struct err *err)
{
    struct json builtin = JSON_NONE;

    if (!json_opt_object(line, "built_in", &builtin, err))
        return false;
    head->builtin = builtin.value != NULL;
    return !head->builtin ||
           (json_get_int(&builtin, "seed", 0, JSON_INT_MAX, &head->seed, err) &&
            json_opt_small(&builtin, "skin", 0, INT_MAX, &head->skin, err));
}

static bool read_head(const struct json *line, struct trajectory_head *head,
                      struct err *err)
{
    const char *uuid = NULL;

    if (!json_check_format(line, TRAJECTORY_FORMAT, TRAJECTORY_VERSION, err) ||
        !json_get_string(line, "uuid", &uuid, err) ||
        !json_get_copy(line, "task", &head->task, err))
        return false;
    if (strlen(uuid) != sizeof(head->uuid) - 1)
        return err_set(err, ERR_INVALID, "uuid: expected 36 characters");
    memcpy(head->uuid, uuid, sizeof(head->uuid));
    return json_opt_copy(line, "agent", &head->agent, err) &&
           json_opt_copy(line, "phone", &head->phone, err) &&
           json_opt_copy(line, "instruction", &head->instruction, err) &&
           json_opt_copy(line, "app", &head->app, err) &&
           json_opt_copy(line, "locale", &head->locale, err) &&
           json_opt_small(line, "repeat", 0, INT_MAX, &head->repeat, err) &&
           json_opt_small(line, "attempt", 0, INT_MAX, &head->attempt, err) &&
           json_opt_small(line, "width", 0, SIDE_MAX, &head->width, err) &&
           json_opt_small(line, "height", 0, SIDE_MAX, &head->height, err) &&
           json_opt_count(line, "started_ms", &head->started_ms, err) &&
           read_builtin(line, head, err);
}

/* ---- events ---- */

/* The step of that number: the current one, or the next. */
static bool take_step(const struct json *line, struct trajectory *trajectory,
                      struct trajectory_step **step, struct err *err)
{
    int64_t number = 0;

    if (!json_get_int(line, "step", 0, TRAJECTORY_STEPS_MAX, &number, err))
        return false;
    if ((size_t)number > trajectory->count ||
        (size_t)number + 1 < trajectory->count)
        return err_set(err, ERR_INVALID, "step: %lld is out of order",
                       (long long)number);
    if ((size_t)number == trajectory->count) {
        trajectory->steps = mem_resize(trajectory->steps, trajectory->count + 1,
                                       sizeof(*trajectory->steps));
        trajectory->steps[trajectory->count++] =
            (struct trajectory_step){.seen = false};
    }
    *step = &trajectory->steps[number];
    return true;
}

static void forget_observation(struct trajectory_step *step)
{
    free(step->package);
    free(step->activity);
    free(step->doubt);
    step->package = step->activity = step->doubt = NULL;
    step->screen = step->tree = (struct trajectory_file){.file = ""};
    step->seen_ms = step->settle_ms = 0;
}

/* The last one of a step counts: it was observed again before the action. */
static bool read_observation(const struct json *line,
                             struct trajectory *trajectory, struct err *err)
{
    struct trajectory_step *step;

    if (!take_step(line, trajectory, &step, err))
        return false;
    forget_observation(step);
    step->seen = true;
    return take_file(line, "screen", "screens/", ".png", &step->screen, err) &&
           take_file(line, "tree", "trees/", ".xml", &step->tree, err) &&
           json_opt_copy(line, "package", &step->package, err) &&
           json_opt_copy(line, "activity", &step->activity, err) &&
           json_opt_copy(line, "doubt", &step->doubt, err) &&
           json_opt_count(line, "at_ms", &step->seen_ms, err) &&
           json_opt_count(line, "settle_ms", &step->settle_ms, err);
}

/* Add to the sum over the step's replies, within the limit. */
static bool add_count(const struct json *line, const char *key, int64_t *sum,
                      struct err *err)
{
    int64_t found = 0;

    if (!json_opt_int(line, key, 0, COUNT_MAX, &found, err))
        return false;
    *sum += found;
    return true;
}

static bool add_cost(const struct json *line, struct trajectory_step *step,
                     struct err *err)
{
    double found = NAN;

    if (!json_opt_number(line, "cost", &found, err))
        return false;
    if (isnan(found)) {
        step->costs_unknown++;
        return true;
    }
    if (!(found >= 0 && found <= COST_MAX))
        return err_set(err, ERR_INVALID, "cost: not a valid amount");
    step->cost += found;
    return true;
}

static bool add_numbers(const struct json *line, struct trajectory_step *step,
                        struct err *err)
{
    return add_count(line, "latency_ms", &step->latency_ms, err) &&
           add_count(line, "input_tokens", &step->input_tokens, err) &&
           add_count(line, "cached_tokens", &step->cached_tokens, err) &&
           add_count(line, "output_tokens", &step->output_tokens, err) &&
           add_cost(line, step, err) &&
           json_opt_small(line, "picture_width", 0, SIDE_MAX,
                          &step->picture_width, err) &&
           json_opt_small(line, "picture_height", 0, SIDE_MAX,
                          &step->picture_height, err);
}

static bool read_reply(const struct json *line, struct trajectory *trajectory,
                       struct err *err)
{
    struct trajectory_step *step;

    if (!take_step(line, trajectory, &step, err))
        return false;
    if (step->replies == REPLIES_MAX)
        return err_set(err, ERR_LIMIT, "more than %d replies in a step",
                       REPLIES_MAX);
    free(step->reply);
    free(step->reply_error);
    step->reply = step->reply_error = NULL;
    if (!json_opt_copy(line, "text", &step->reply, err) ||
        !json_opt_copy(line, "error", &step->reply_error, err) ||
        !add_numbers(line, step, err))
        return false;
    step->replies++;
    step->replies_useless += step->reply_error != NULL;
    return true;
}

static bool take_block(const struct json *line, enum trajectory_block *block,
                       struct err *err)
{
    const char *name = NULL;

    if (!json_opt_string(line, "blocked_by", &name, err))
        return false;
    return !name || trajectory_block_find(name, block) ||
           err_set(err, ERR_INVALID, "blocked_by: there is no \"%.20s\"", name);
}

static bool take_target(const struct json *line, struct trajectory_step *step,
                        struct err *err)
{
    struct json object = JSON_NONE;
    struct node_selector target;

    if (!json_opt_object(line, "target", &object, err))
        return false;
    if (!object.value)
        return true;
    if (!node_selector_from_json(&object, &target, err))
        return false;
    step->target = mem_new(1, sizeof(*step->target));
    *step->target = target;
    return true;
}

static bool read_action(const struct json *line, struct trajectory *trajectory,
                        struct err *err)
{
    struct trajectory_step *step;
    const char *actor = NULL;

    if (!take_step(line, trajectory, &step, err) ||
        !json_get_string(line, "actor", &actor, err))
        return false;
    if (!trajectory_actor_find(actor, &step->actor))
        return err_set(err, ERR_INVALID, "actor: there is no \"%.20s\"", actor);
    if (step->acted)
        return err_set(err, ERR_INVALID, "step: it has an action already");
    if (!action_from_json(line, &step->action, err))
        return false;
    step->acted = true;
    return json_opt_bool(line, "secret", &step->action.secret, err) &&
           take_target(line, step, err) &&
           json_opt_copy(line, "blocked", &step->blocked, err) &&
           take_block(line, &step->block, err) &&
           json_opt_copy(line, "doubt", &step->action_doubt, err) &&
           json_opt_count(line, "at_ms", &step->acted_ms, err);
}

/* A later doubt follows those before it. */
static bool add_doubt(char **doubts, const char *doubt, struct err *err)
{
    struct buf both = BUF_INIT(DOUBTS_MAX);
    bool fits;

    if (*doubts)
        buf_printf(&both, "%s; ", *doubts);
    buf_text(&both, doubt);
    fits = !both.overflow;
    if (fits) {
        free(*doubts);
        *doubts = mem_dup(buf_cstr(&both));
    }
    buf_release(&both);
    return fits ||
           err_set(err, ERR_LIMIT, "more than %d bytes of doubts in a step",
                   DOUBTS_MAX);
}

static bool read_doubt(const struct json *line, struct trajectory *trajectory,
                       struct err *err)
{
    struct trajectory_step *step;
    const char *text = NULL;

    if (!take_step(line, trajectory, &step, err) ||
        !json_get_string(line, "text", &text, err))
        return false;
    if (!step->acted)
        return err_set(err, ERR_INVALID, "step: it has no action to doubt");
    step->contradicted = true;
    return add_doubt(&step->action_doubt, text, err);
}

static bool read_evidence(const struct json *line,
                          struct trajectory *trajectory, struct err *err)
{
    const char *name = NULL;
    const char *value = NULL;
    bool before = false;

    if (!json_get_string(line, "name", &name, err) ||
        !json_get_string(line, "value", &value, err) ||
        !json_opt_bool(line, "before", &before, err))
        return false;
    if (trajectory->evidence_count == EVIDENCE_MAX)
        return err_set(err, ERR_LIMIT, "more than %d pieces of evidence",
                       EVIDENCE_MAX);
    trajectory->evidence =
        mem_resize(trajectory->evidence, trajectory->evidence_count + 1,
                   sizeof(*trajectory->evidence));
    trajectory->evidence[trajectory->evidence_count++] =
        (struct trajectory_fact){mem_dup(name), mem_dup(value), before};
    return true;
}

static bool read_end(const struct json *line, struct trajectory *trajectory,
                     struct err *err)
{
    const char *ending = NULL;

    if (!json_get_string(line, "ending", &ending, err))
        return false;
    if (!trajectory_ending_find(ending, &trajectory->ending))
        return err_set(err, ERR_INVALID, "ending: there is no \"%.20s\"",
                       ending);
    return json_opt_copy(line, "reason", &trajectory->reason, err) &&
           json_opt_count(line, "at_ms", &trajectory->ended_ms, err);
}

static bool read_event(const struct json *line, struct trajectory *trajectory,
                       struct err *err)
{
    static const struct {
        const char *name;
        bool (*read)(const struct json *line, struct trajectory *trajectory,
                     struct err *err);
    } events[] = {
        {"observation", read_observation}, {"reply", read_reply},
        {"action", read_action},           {"doubt", read_doubt},
        {"evidence", read_evidence},       {"end", read_end},
    };
    const char *name = NULL;

    if (!json_get_string(line, "event", &name, err))
        return false;
    if (trajectory->ending != ENDING_NONE)
        return err_set(err, ERR_INVALID, "an event after the end");
    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (!strcmp(events[i].name, name))
            return events[i].read(line, trajectory, err);
    }
    return true; /* members that later programs of this version add */
}

/* ---- the whole ---- */

static bool read_lines(struct jsonl_reader *reader,
                       struct trajectory *trajectory, struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            break;
        if (!(reader->line == 1 ? read_head(&line, &trajectory->head, err)
                                : read_event(&line, trajectory, err)))
            return jsonl_wrap(reader, err);
    }
    trajectory->torn = reader->torn;
    return reader->line > 0 || err_set(err, ERR_INVALID, "there is no head");
}

bool trajectory_parse(const char *events, size_t length, const char *folder,
                      struct trajectory *trajectory, struct err *err)
{
    struct jsonl_reader reader = JSONL_READER(events, length);
    struct trajectory read = {.folder = mem_dup(folder)};
    bool done = read_lines(&reader, &read, err);

    jsonl_reader_release(&reader);
    if (!done) {
        trajectory_release(&read);
        return false;
    }
    *trajectory = read;
    return true;
}

bool trajectory_load(const char *folder, struct trajectory *trajectory,
                     struct err *err)
{
    struct buf events = BUF_INIT(JSONL_FILE_MAX);
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/" TRAJECTORY_EVENTS, folder);
    done = (file_load(buf_cstr(&path), &events, err) ||
            err_wrap(err, "%s is not the folder of an episode", folder)) &&
           (trajectory_parse(buf_cstr(&events), events.length, folder,
                             trajectory, err) ||
            err_wrap(err, "%s", buf_cstr(&path)));
    buf_release(&events);
    buf_release(&path);
    return done;
}

static void release_step(struct trajectory_step *step)
{
    forget_observation(step);
    if (step->target)
        node_selector_release(step->target);
    free(step->target);
    free(step->reply);
    free(step->reply_error);
    free(step->blocked);
    free(step->action_doubt);
    action_release(&step->action);
}

void trajectory_release(struct trajectory *trajectory)
{
    for (size_t i = 0; i < trajectory->count; i++)
        release_step(&trajectory->steps[i]);
    for (size_t i = 0; i < trajectory->evidence_count; i++) {
        free(trajectory->evidence[i].name);
        free(trajectory->evidence[i].value);
    }
    free(trajectory->steps);
    free(trajectory->evidence);
    free(trajectory->folder);
    free(trajectory->reason);
    free(trajectory->head.task);
    free(trajectory->head.agent);
    free(trajectory->head.phone);
    free(trajectory->head.instruction);
    free(trajectory->head.app);
    free(trajectory->head.locale);
    *trajectory = (struct trajectory){.ending = ENDING_NONE};
}

bool trajectory_read_file(const struct trajectory *trajectory,
                          const struct trajectory_file *file,
                          struct buf *content, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf data = BUF_INIT(FILE_MAX_BYTES);
    char sha256[SHA256_HEX_SIZE];
    bool done;

    buf_printf(&path, "%s/%s", trajectory->folder, file->file);
    done = file_load(buf_cstr(&path), &data, err);
    if (done) {
        sha256_hex(buf_cstr(&data), data.length, sha256);
        done = !strcmp(sha256, file->sha256) ||
               err_set(err, ERR_INVALID,
                       "%s is not what was recorded: its hash is %.12s…, "
                       "not %.12s…",
                       buf_cstr(&path), sha256, file->sha256);
    }
    if (done)
        buf_append(content, buf_cstr(&data), data.length);
    buf_release(&data);
    buf_release(&path);
    return done;
}

static bool check_file(const struct trajectory *trajectory,
                       const struct trajectory_file *file, struct err *err)
{
    struct buf content = BUF_INIT(FILE_MAX_BYTES);
    bool done =
        !file->file[0] || trajectory_read_file(trajectory, file, &content, err);

    buf_release(&content);
    return done;
}

bool trajectory_check(const char *folder, struct err *err)
{
    struct trajectory trajectory;
    bool done = trajectory_load(folder, &trajectory, err);

    if (!done)
        return false;
    for (size_t i = 0; done && i < trajectory.count; i++)
        done = check_file(&trajectory, &trajectory.steps[i].screen, err) &&
               check_file(&trajectory, &trajectory.steps[i].tree, err);
    trajectory_release(&trajectory);
    return done;
}
