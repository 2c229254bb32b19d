#include "tasks/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/action_set.h"
#include "tasks/shapes.h"
#include "tasks/task_private.h"

#define STEPS_MAX 1000
#define SECONDS_MAX 86400
#define APPS_MAX 16
#define PSNR_MAX 100

static const char *const kinds[TASK_KINDS] = {"state", "process"};
static const char *const difficulties[TASK_DIFFICULTIES] = {"easy", "medium",
                                                            "hard"};
static const char *const levels[] = {NULL, "L1", "L2", "L3", "L4", "L5"};
static const char *const resets[TASK_RESETS] = {
    [TASK_RESET_RESTART] = "restart",   [TASK_RESET_NONE] = "none",
    [TASK_RESET_CLEAR] = "clear",       [TASK_RESET_SNAPSHOT] = "snapshot",
    [TASK_RESET_RECORDED] = "recorded",
};

const char *task_kind_name(enum task_kind kind)
{
    return kinds[kind];
}

const char *task_difficulty_name(enum task_difficulty difficulty)
{
    return difficulties[difficulty];
}

const char *task_reset_name(enum task_reset reset)
{
    return resets[reset];
}

int task_difficulty_seconds(enum task_difficulty difficulty)
{
    static const int seconds[TASK_DIFFICULTIES] = {5 * 60, 10 * 60, 20 * 60};

    return seconds[difficulty];
}

/* ---- needs ---- */

static const struct member need_members[] = {
    {"say", PHRASING_AT(struct task_need, say), .rule = &rule_plain,
     .needed = true},
    {"id", TEXT_AT(struct task_need, id), .rule = &rule_name},
    {"check", OWN_AT(struct task_need, check, struct check *),
     .shape = &check_shape},
    {"after", TEXTS_AT(struct task_need, after), .rule = &rule_name},
    {"undone_by", OWN_AT(struct task_need, undone_by, struct check *),
     .shape = &check_shape},
};

const struct shape need_shape = {
    .size = sizeof(struct task_need),
    .members = need_members,
    .count = ARRAY_LEN(need_members),
    .brief = &need_members[0],
};

/* ---- the answer ---- */

static bool read_number(const struct member *member, const struct json *json,
                        void *thing, struct err *err)
{
    static const struct member text = {
        "number",
        TEXT_AT(struct task_answer, number_from),
        .rule = &rule_plain,
    };
    struct task_answer *answer = thing;

    (void)member;
    answer->kind = TASK_ANSWER_NUMBER;
    if (cJSON_IsNumber(json->value))
        return json_as_number(json, &answer->number, err);
    if (!cJSON_IsString(json->value) || !strchr(json->value->valuestring, '{'))
        return json_fail_kind(json, "a number, or a {fact}", err);
    return shape_read_member(&text, json, thing, err);
}

static void write_number(const struct member *member, const void *thing,
                         struct cJSON *into)
{
    const struct task_answer *answer = thing;

    if (answer->number_from)
        json_add_string(into, member->name, answer->number_from);
    else if (answer->kind == TASK_ANSWER_NUMBER)
        json_add_number(into, member->name, answer->number);
}

static void release_number(const struct member *member, void *thing)
{
    struct task_answer *answer = thing;

    (void)member;
    free(answer->number_from);
}

static bool walk_number(const struct member *member, struct shape_walk *walk,
                        void *thing, struct err *err)
{
    struct task_answer *answer = thing;

    (void)member;
    return !answer->number_from ||
           walk->text(walk, &rule_plain, &answer->number_from, err);
}

static const struct member_ops number = {
    .read = read_number,
    .write = write_number,
    .release = release_number,
    .walk = walk_number,
};

static const struct member answer_members[] = {
    {"exact", TEXTS_AT(struct task_answer, values), .rule = &rule_plain},
    {"number", ODD_BY(number)},
    {"tolerance", NUMBER_AT(struct task_answer, tolerance), .max = 1e12},
    {"pattern", TEXT_AT(struct task_answer, pattern), .rule = &rule_pattern},
};

static bool check_answer(const struct json *json, void *thing, struct err *err)
{
    struct task_answer *answer = thing;
    bool is_number = answer->kind == TASK_ANSWER_NUMBER;

    if ((answer->values.count > 0) + is_number + (answer->pattern != NULL) != 1)
        return json_fail(json, err,
                         "needs one of \"exact\", \"number\" and \"pattern\"");
    if (answer->tolerance > 0 && !is_number)
        return json_fail(json, err, "only a number has a tolerance");
    if (answer->values.count)
        answer->kind = TASK_ANSWER_EXACT;
    if (answer->pattern)
        answer->kind = TASK_ANSWER_PATTERN;
    return true;
}

static const struct shape answer_shape = {
    .size = sizeof(struct task_answer),
    .members = answer_members,
    .count = ARRAY_LEN(answer_members),
    .brief = &answer_members[0],
    .brief_number = &answer_members[1],
    .check = check_answer,
};

/* ---- pictures ---- */

static const struct member image_members[] = {
    {"reference", TEXT_AT(struct task_image, reference), .rule = &rule_beside,
     .needed = true},
    {"file", TEXT_AT(struct task_image, file), .rule = &rule_on_phone},
    {"transform", TEXT_AT(struct task_image, transform),
     .rule = &rule_transform},
    {"ssim", NUMBER_AT(struct task_image, ssim), .max = 1, .usual = -1},
    {"psnr", NUMBER_AT(struct task_image, psnr), .max = PSNR_MAX, .usual = -1},
};

static bool check_image(const struct json *json, void *thing, struct err *err)
{
    const struct task_image *image = thing;

    return image->ssim >= 0 || image->psnr >= 0 ||
           json_fail(json, err, "needs \"ssim\" or \"psnr\"");
}

static const struct shape image_shape = {
    .size = sizeof(struct task_image),
    .members = image_members,
    .count = ARRAY_LEN(image_members),
    .check = check_image,
};

/* ---- what is allowed ---- */

static void init_actions(const struct member *member, void *thing)
{
    struct task *task = thing;

    (void)member;
    task->actions = ACTION_SET_USUAL;
}

static bool read_actions(const struct member *member, const struct json *json,
                         void *thing, struct err *err)
{
    struct task *task = thing;

    (void)member;
    return action_set_from_json(json, &task->actions, err);
}

static void write_actions(const struct member *member, const void *thing,
                          struct cJSON *into)
{
    const struct task *task = thing;

    if (task->actions != ACTION_SET_USUAL)
        action_set_to_json(task->actions, into, member->name);
}

static const struct member_ops actions = {
    .init = init_actions,
    .read = read_actions,
    .write = write_actions,
};

static const struct member budget_members[] = {
    {"steps", INT_AT(struct task, steps), .usual = TASK_STEPS_DEFAULT, .min = 1,
     .max = STEPS_MAX},
    {"seconds", INT_AT(struct task, seconds), .min = 1, .max = SECONDS_MAX},
};

static const struct shape budget_shape = {
    .size = sizeof(struct task),
    .members = budget_members,
    .count = ARRAY_LEN(budget_members),
};

/* ---- the phone: reset, requires, probes ---- */

struct reset {
    char *snapshot;
    char *recorded;
};

static const struct member reset_members[] = {
    {"snapshot", TEXT_AT(struct reset, snapshot), .rule = &rule_label},
    {"recorded", TEXT_AT(struct reset, recorded), .rule = &rule_beside},
};

static const struct shape reset_shape = {
    .size = sizeof(struct reset),
    .members = reset_members,
    .count = ARRAY_LEN(reset_members),
};

static bool read_reset_from(const struct json *json, struct task *task,
                            struct err *err)
{
    struct reset reset;

    if (!shape_read(&reset_shape, json, &reset, err))
        return false;
    if (!reset.snapshot == !reset.recorded) {
        shape_release(&reset_shape, &reset);
        return json_fail(json, err,
                         "needs one of \"snapshot\" and \"recorded\"");
    }
    task->reset = reset.snapshot ? TASK_RESET_SNAPSHOT : TASK_RESET_RECORDED;
    task->snapshot = reset.snapshot ? reset.snapshot : reset.recorded;
    return true;
}

static bool read_reset(const struct member *member, const struct json *json,
                       void *thing, struct err *err)
{
    struct task *task = thing;
    unsigned reset = 0;

    (void)member;
    if (cJSON_IsObject(json->value))
        return read_reset_from(json, task, err);
    if (!shape_read_name(json, resets, TASK_RESETS, &reset, err))
        return false;
    if (reset == TASK_RESET_RECORDED)
        return json_fail(json, err,
                         "needs a trajectory: {\"recorded\": \"folder\"}");
    task->reset = (enum task_reset)reset;
    return true;
}

static void write_reset(const struct member *member, const void *thing,
                        struct cJSON *into)
{
    const struct task *task = thing;

    if (task->snapshot)
        json_add_string(json_add_object(into, member->name),
                        resets[task->reset], task->snapshot);
    else if (task->reset != TASK_RESET_RESTART)
        json_add_string(into, member->name, resets[task->reset]);
}

static void release_reset(const struct member *member, void *thing)
{
    struct task *task = thing;

    (void)member;
    free(task->snapshot);
}

static const struct member_ops reset = {
    .read = read_reset,
    .write = write_reset,
    .release = release_reset,
};

static const struct member requires_members[] = {
    {"version", TEXT_AT(struct task_requires, version), .rule = &rule_version},
    {"logged_in", OWN_AT(struct task_requires, logged_in, struct selector *),
     .shape = &selector_shape},
    {"locale", TEXT_AT(struct task_requires, locale), .rule = &rule_locale},
    {"permissions", TEXTS_AT(struct task_requires, permissions),
     .rule = &rule_permission},
};

static const struct shape requires_shape = {
    .size = sizeof(struct task_requires),
    .members = requires_members,
    .count = ARRAY_LEN(requires_members),
};

static const struct member validated_members[] = {
    {"date", TEXT_AT(struct task_validated, date), .rule = &rule_date,
     .needed = true},
    {"version", TEXT_AT(struct task_validated, version), .rule = &rule_label},
    {"device", TEXT_AT(struct task_validated, device), .rule = &rule_label},
};

static const struct shape validated_shape = {
    .size = sizeof(struct task_validated),
    .members = validated_members,
    .count = ARRAY_LEN(validated_members),
};

static const struct member probe_members[] = {
    {"name", TEXT_AT(struct task_probe, name), .rule = &rule_name,
     .needed = true},
    {"command", TEXT_AT(struct task_probe, command), .rule = &rule_command,
     .needed = true},
    {"unchanged", BOOL_AT(struct task_probe, unchanged)},
};

static const struct shape probe_shape = {
    .size = sizeof(struct task_probe),
    .members = probe_members,
    .count = ARRAY_LEN(probe_members),
};

/* ---- the task ---- */

static const struct member members[] = {
    {"id", TEXT_AT(struct task, id), .rule = &rule_id, .needed = true},
    {"app", TEXTS_AT(struct task, apps), .rule = &rule_package, .max = 1},
    {"apps", TEXTS_AT(struct task, apps), .rule = &rule_package,
     .max = APPS_MAX, .array = true},
    {"kind", NAME_AT(struct task, kind, kinds), .needed = true},
    {"instruction", PHRASING_AT(struct task, instruction), .rule = &rule_plain,
     .needed = true},
    {"needs", LIST_AT(struct task, needs, need_count, struct task_need *),
     .shape = &need_shape},
    {"ordered", BOOL_AT(struct task, ordered)},
    {"never", LIST_AT(struct task, never, never_count, struct check *),
     .shape = &check_shape},
    {"answer", PART_AT(struct task, answer, struct task_answer),
     .shape = &answer_shape},
    {"images", LIST_AT(struct task, images, image_count, struct task_image *),
     .shape = &image_shape},
    {"level", .kind = MEMBER_NAME, FIELD_AT(struct task, level, int),
     .names = levels, .name_count = ARRAY_LEN(levels)},
    {"difficulty", NAME_AT(struct task, difficulty, difficulties),
     .usual = TASK_MEDIUM},
    {"category", TEXT_AT(struct task, category), .rule = &rule_label},
    {"tags", TEXTS_AT(struct task, tags), .rule = &rule_label, .array = true},
    {"comment", TEXT_AT(struct task, comment), .rule = &rule_comment},
    {"actions", ODD_BY(actions)},
    {"budget", .kind = MEMBER_PART, .shape = &budget_shape},
    {"reset", ODD_BY(reset)},
    {"set_up", TEXTS_AT(struct task, set_up), .rule = &rule_command},
    {"requires", PART_AT(struct task, requires, struct task_requires),
     .shape = &requires_shape},
    {"validated", PART_AT(struct task, validated, struct task_validated),
     .shape = &validated_shape},
    {"probes", LIST_AT(struct task, probes, probe_count, struct task_probe *),
     .shape = &probe_shape},
    {"gold", PART_AT(struct task, gold, struct gold), .shape = &gold_shape},
    {"truth", TEXT_AT(struct task, truth), .rule = &rule_id},
    {"facts", TEXTS_AT(struct task, facts), .rule = &rule_name, .array = true},
};

const struct shape task_shape = {
    .size = sizeof(struct task),
    .members = members,
    .count = ARRAY_LEN(members),
    .check = task_check,
};

void task_release(struct task *task)
{
    shape_release(&task_shape, task);
}

struct cJSON *task_to_json(const struct task *task)
{
    struct task shown = *task;

    if (shown.seconds == task_difficulty_seconds(shown.difficulty))
        shown.seconds = 0;
    return shape_write(&task_shape, &shown);
}
