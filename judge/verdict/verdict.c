#include "judge/verdict/verdict.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "base/sha256.h"
#include "tasks/trajectory/trajectory.h"

#define FILE_MAX_BYTES ((size_t)16 << 20)

static const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_SUCCESS] = "success",         [OUTCOME_FAILURE] = "failure",
    [OUTCOME_UNCOMPLETED] = "uncompleted", [OUTCOME_VOID] = "void",
    [OUTCOME_UNSCORED] = "unscored",
};

const char *outcome_name(enum outcome outcome)
{
    return outcome_names[outcome];
}

bool outcome_find(const char *name, enum outcome *outcome)
{
    size_t found = name_table_find(outcome_names, OUTCOMES, name);

    if (found < OUTCOMES)
        *outcome = (enum outcome)found;
    return found < OUTCOMES;
}

static void release_needs(struct verdict_need *needs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(needs[i].say);
        free(needs[i].why);
    }
    free(needs);
}

void verdict_release(struct verdict *verdict)
{
    release_needs(verdict->needs, verdict->need_count);
    release_needs(verdict->checklist, verdict->checklist_count);
    for (size_t i = 0; i < verdict->process_count; i++) {
        free(verdict->process[i].description);
        free(verdict->process[i].doubt);
    }
    free(verdict->process);
    free(verdict->judge);
    free(verdict->config);
    free(verdict->reason);
    *verdict = (struct verdict)VERDICT_INIT;
}

void verdict_sign(struct verdict *verdict, const char *judge,
                  const char *config)
{
    struct buf text = BUF_INIT(SIZE_MAX);
    char hex[SHA256_HEX_SIZE];

    buf_text(&text, judge);
    buf_byte(&text, '\n');
    buf_text(&text, config);
    sha256_hex(buf_cstr(&text), text.length, hex);
    buf_release(&text);
    memcpy(verdict->hash, hex, VERDICT_HASH_SIZE - 1);
    verdict->hash[VERDICT_HASH_SIZE - 1] = '\0';
    free(verdict->judge);
    free(verdict->config);
    verdict->judge = mem_dup(judge);
    verdict->config = mem_dup(config);
}

/* ---- names of files ---- */

#define PREFIX "verdict."
#define SUFFIX ".json"

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

void verdict_file_name(const char *judge, const char *hash,
                       char name[VERDICT_NAME_MAX])
{
    struct buf text = BUF_INIT(VERDICT_NAME_MAX - 1);
    size_t room =
        VERDICT_NAME_MAX - sizeof(PREFIX SUFFIX "-") - (VERDICT_HASH_SIZE - 1);

    buf_text(&text, PREFIX);
    for (size_t i = 0; judge[i] && i < room; i++)
        buf_byte(&text, is_plain(judge[i]) ? judge[i] : '_');
    buf_printf(&text, "-%.*s" SUFFIX, VERDICT_HASH_SIZE - 1, hash);
    memcpy(name, buf_cstr(&text), text.length + 1);
    buf_release(&text);
}

bool verdict_judge_is(const char *judge, const char *hash, const char *name)
{
    size_t length = strlen(judge);

    if (!strcmp(judge, name) || !strcmp(hash, name))
        return true;
    return !strncmp(judge, name, length) && name[length] == '-' &&
           !strcmp(hash, name + length + 1);
}

bool verdict_is_file_name(const char *name)
{
    size_t length = strlen(name);
    size_t tail = strlen("-12345678" SUFFIX);

    return length > strlen(PREFIX) + tail && length < VERDICT_NAME_MAX &&
           !strncmp(name, PREFIX, strlen(PREFIX)) &&
           name[length - tail] == '-' &&
           strspn(name + length - tail + 1, "0123456789abcdef") ==
               VERDICT_HASH_SIZE - 1 &&
           !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

/* ---- writing ---- */

static void add_need(struct cJSON *needs, const struct verdict_need *need)
{
    struct cJSON *object = json_add_object(needs, NULL);

    json_add_string(object, "need", need->say ? need->say : "");
    json_add_bool(object, "met", need->met);
    json_add_bool(object, "known", need->known);
    if (need->step >= 0)
        json_add_int(object, "step", need->step);
    if (need->why)
        json_add_string(object, "why", need->why);
}

static void add_needs(struct cJSON *into, const char *name,
                      const struct verdict_need *needs, size_t count)
{
    struct cJSON *array = json_add_array(into, name);

    for (size_t i = 0; i < count; i++)
        add_need(array, &needs[i]);
}

static void add_failure(struct cJSON *into, const struct failure *failure)
{
    struct cJSON *object;

    if (failure->class_ == FAILURE_NONE)
        return;
    object = json_add_object(into, "failure");
    json_add_string(object, "class", failure_class_name(failure->class_));
    if (failure->step >= 0)
        json_add_int(object, "step", failure->step);
    if (failure->distance >= 0)
        json_add_int(object, "distance", failure->distance);
    json_add_string(object, "description", failure->description);
}

static void add_process(struct cJSON *into, const struct verdict *verdict)
{
    struct cJSON *process = json_add_array(into, "process");

    for (size_t i = 0; i < verdict->process_count; i++) {
        struct cJSON *step = json_add_object(process, NULL);

        json_add_string(step, "description", verdict->process[i].description);
        if (verdict->process[i].doubt)
            json_add_string(step, "doubt", verdict->process[i].doubt);
    }
}

static void add_usage(struct cJSON *into, const struct model_usage *usage)
{
    struct cJSON *object;

    if (usage->input_tokens < 0 && usage->output_tokens < 0)
        return;
    object = json_add_object(into, "usage");
    if (usage->input_tokens >= 0)
        json_add_int(object, "input_tokens", usage->input_tokens);
    if (usage->output_tokens >= 0)
        json_add_int(object, "output_tokens", usage->output_tokens);
    if (usage->cached_tokens >= 0)
        json_add_int(object, "cached_tokens", usage->cached_tokens);
    if (usage->cost >= 0)
        json_add_number(object, "cost", usage->cost);
}

/* The configuration is our own JSON; an invalid one is left out. */
static void add_config(struct cJSON *into, const char *config)
{
    struct cJSON *tree = NULL;
    struct err ignored;

    if (!config || !json_parse(config, strlen(config), &tree, &ignored))
        tree = json_new_object();
    cJSON_AddItemToObject(into, "config", tree);
}

struct cJSON *verdict_to_json(const struct verdict *verdict)
{
    struct cJSON *object = json_new_object();

    json_add_string(object, "format", VERDICT_FORMAT);
    json_add_int(object, "version", VERDICT_VERSION);
    json_add_string(object, "judge", verdict->judge ? verdict->judge : "");
    json_add_string(object, "hash", verdict->hash);
    add_config(object, verdict->config);
    json_add_string(object, "outcome", outcome_name(verdict->outcome));
    json_add_bool(object, "early_stop", verdict->early_stop);
    json_add_string(object, "reason", verdict->reason ? verdict->reason : "");
    json_add_int(object, "met", (int64_t)verdict->met);
    json_add_int(object, "needed", (int64_t)verdict->need_count);
    add_needs(object, "needs", verdict->needs, verdict->need_count);
    if (verdict->checklist_count)
        add_needs(object, "checklist", verdict->checklist,
                  verdict->checklist_count);
    json_add_int(object, "steps", verdict->steps);
    json_add_int(object, "gold_steps", verdict->gold_steps);
    add_failure(object, &verdict->failure);
    add_process(object, verdict);
    add_usage(object, &verdict->usage);
    return object;
}

bool verdict_save(const struct verdict *verdict, const char *folder,
                  struct err *err)
{
    struct cJSON *object = verdict_to_json(verdict);
    struct buf text = BUF_INIT(FILE_MAX_BYTES);
    struct buf path = BUF_INIT(PATH_MAX);
    char name[VERDICT_NAME_MAX];
    bool done;

    json_format(object, &text);
    cJSON_Delete(object);
    buf_byte(&text, '\n');
    verdict_file_name(verdict->judge, verdict->hash, name);
    buf_printf(&path, "%s/%s", folder, name);
    if (text.overflow || path.overflow)
        done = err_set(err, ERR_LIMIT, "the verdict is too large");
    else
        done =
            file_save(buf_cstr(&path), 0666, buf_cstr(&text), text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* ---- reading ---- */

static bool read_need(const struct json *object, struct verdict_need *need,
                      struct err *err)
{
    need->step = -1;
    return json_as_object(object, err) &&
           json_opt_copy(object, "need", &need->say, err) &&
           json_get_bool(object, "met", &need->met, err) &&
           json_get_bool(object, "known", &need->known, err) &&
           json_opt_small(object, "step", 0, INT_MAX, &need->step, err) &&
           json_opt_copy(object, "why", &need->why, err);
}

/* Needs, or the questions of a checklist. Those met are counted, not read. */
static bool read_needs(const struct json *root, const char *name,
                       struct verdict_need **needs, size_t *count, size_t *met,
                       struct err *err)
{
    struct json array = JSON_NONE;
    struct json need = JSON_NONE;

    if (!json_opt_array(root, name, &array, err))
        return false;
    while (array.value && json_next(&array, &need)) {
        struct verdict_need *read;

        if (*count == VERDICT_NEEDS_MAX)
            return err_set(err, ERR_LIMIT, "%s: more than %d", name,
                           VERDICT_NEEDS_MAX);
        *needs = mem_resize(*needs, *count + 1, sizeof(**needs));
        read = &(*needs)[(*count)++];
        *read = (struct verdict_need){.step = -1};
        if (!read_need(&need, read, err))
            return false;
        *met += read->met;
    }
    return true;
}

/* Version 1 had "words". */
static const char *description_name(const struct json *object)
{
    return json_name_in_use(object, "description", "words");
}

static bool read_process(const struct json *root, struct verdict *verdict,
                         struct err *err)
{
    struct json process = JSON_NONE;
    struct json step = JSON_NONE;

    if (!json_opt_array(root, "process", &process, err))
        return false;
    while (process.value && json_next(&process, &step)) {
        struct verdict_step *read;

        if (verdict->process_count == TRAJECTORY_STEPS_MAX)
            return err_set(err, ERR_LIMIT, "process: more than %d steps",
                           TRAJECTORY_STEPS_MAX);
        verdict->process =
            mem_resize(verdict->process, verdict->process_count + 1,
                       sizeof(*verdict->process));
        read = &verdict->process[verdict->process_count++];
        *read = (struct verdict_step){.description = NULL};
        if (!json_as_object(&step, err) ||
            !json_get_copy(&step, description_name(&step), &read->description,
                           err) ||
            !json_opt_copy(&step, "doubt", &read->doubt, err))
            return false;
    }
    return true;
}

static bool read_failure(const struct json *root, struct failure *failure,
                         struct err *err)
{
    struct json object = JSON_NONE;
    const char *name = NULL;
    const char *description = "";

    if (!json_opt_object(root, "failure", &object, err))
        return false;
    if (!object.value)
        return true;
    if (!json_get_string(&object, "class", &name, err) ||
        !json_opt_string(&object, description_name(&object), &description,
                         err) ||
        !json_opt_small(&object, "step", 0, INT_MAX, &failure->step, err) ||
        !json_opt_small(&object, "distance", 0, INT_MAX, &failure->distance,
                        err))
        return false;
    if (!failure_class_find(name, &failure->class_))
        return err_set(err, ERR_INVALID, "failure.class: there is no \"%.20s\"",
                       name);
    snprintf(failure->description, sizeof(failure->description), "%s",
             description);
    return true;
}

static bool read_usage(const struct json *root, struct model_usage *usage,
                       struct err *err)
{
    struct json object = JSON_NONE;

    return json_opt_object(root, "usage", &object, err) &&
           (!object.value ||
            (json_opt_count(&object, "input_tokens", &usage->input_tokens,
                            err) &&
             json_opt_count(&object, "output_tokens", &usage->output_tokens,
                            err) &&
             json_opt_count(&object, "cached_tokens", &usage->cached_tokens,
                            err) &&
             json_opt_number(&object, "cost", &usage->cost, err)));
}

static bool read_config(const struct json *root, struct verdict *verdict,
                        struct err *err)
{
    struct buf text = BUF_INIT(FILE_MAX_BYTES);
    struct json config = JSON_NONE;

    if (!json_opt_object(root, "config", &config, err))
        return false;
    if (!config.value)
        return true;
    json_format(config.value, &text);
    verdict->config = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return true;
}

static bool read_hash(const struct json *root, struct verdict *verdict,
                      struct err *err)
{
    const char *hash = NULL;

    if (!json_get_string(root, "hash", &hash, err))
        return false;
    if (strlen(hash) != VERDICT_HASH_SIZE - 1 ||
        strspn(hash, "0123456789abcdef") != VERDICT_HASH_SIZE - 1)
        return err_set(err, ERR_INVALID, "hash: expected eight digits");
    memcpy(verdict->hash, hash, VERDICT_HASH_SIZE);
    return true;
}

static bool read_verdict(const struct json *root, struct verdict *verdict,
                         struct err *err)
{
    const char *outcome = NULL;

    if (!json_check_format(root, VERDICT_FORMAT, VERDICT_VERSION, err) ||
        !json_get_copy(root, "judge", &verdict->judge, err) ||
        !json_get_string(root, "outcome", &outcome, err))
        return false;
    if (!outcome_find(outcome, &verdict->outcome))
        return err_set(err, ERR_INVALID, "outcome: there is no \"%.20s\"",
                       outcome);
    return read_hash(root, verdict, err) && read_config(root, verdict, err) &&
           json_opt_bool(root, "early_stop", &verdict->early_stop, err) &&
           json_opt_copy(root, "reason", &verdict->reason, err) &&
           read_needs(root, "needs", &verdict->needs, &verdict->need_count,
                      &verdict->met, err) &&
           read_needs(root, "checklist", &verdict->checklist,
                      &verdict->checklist_count, &verdict->checklist_met,
                      err) &&
           json_opt_small(root, "steps", 0, INT_MAX, &verdict->steps, err) &&
           json_opt_small(root, "gold_steps", 0, INT_MAX, &verdict->gold_steps,
                          err) &&
           read_failure(root, &verdict->failure, err) &&
           read_process(root, verdict, err) &&
           read_usage(root, &verdict->usage, err);
}

bool verdict_parse(const char *text, size_t length, struct verdict *verdict,
                   struct err *err)
{
    struct verdict read = VERDICT_INIT;
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = read_verdict(&root, &read, err);
    cJSON_Delete(tree);
    if (!done) {
        verdict_release(&read);
        return false;
    }
    *verdict = read;
    return true;
}

bool verdict_load(const char *path, struct verdict *verdict, struct err *err)
{
    struct buf text = BUF_INIT(FILE_MAX_BYTES);
    bool done = file_load(path, &text, err) &&
                (verdict_parse(buf_cstr(&text), text.length, verdict, err) ||
                 err_wrap(err, "%s", path));

    buf_release(&text);
    return done;
}
