#include "tasks/task/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/task/action_set.h"
#include "tasks/task/task_private.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

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

static const struct json_member need_members[] = {
    {"say", BILINGUAL_TEXT_AT(struct task_need, say), .rule = &task_rule_plain,
     .needed = true},
    {"id", TEXT_AT(struct task_need, id), .rule = &task_rule_name},
    {"check", OWN_AT(struct task_need, check, struct episode_check *),
     .struct_json = &episode_check_shape},
    {"after", TEXTS_AT(struct task_need, after), .rule = &task_rule_name},
    {"undone_by", OWN_AT(struct task_need, undone_by, struct episode_check *),
     .struct_json = &episode_check_shape},
};

const struct struct_json need_struct_json = {
    .size = sizeof(struct task_need),
    .members = need_members,
    .count = ARRAY_LEN(need_members),
    .brief = &need_members[0],
};

/* A question of a checklist is a need without an order: say, id and check. */
static const struct struct_json question_struct_json = {
    .size = sizeof(struct task_need),
    .members = need_members,
    .count = 3,
    .brief = &need_members[0],
};

/* ---- the answer ---- */

static bool read_number(const struct json_member *member,
                        const struct json *json, void *thing, struct err *err)
{
    static const struct json_member text = {
        "number",
        TEXT_AT(struct task_answer, number_from),
        .rule = &task_rule_plain,
    };
    struct task_answer *answer = thing;

    (void)member;
    answer->kind = TASK_ANSWER_NUMBER;
    if (cJSON_IsNumber(json->value))
        return json_as_number(json, &answer->number, err);
    if (!cJSON_IsString(json->value) || !strchr(json->value->valuestring, '{'))
        return json_fail_kind(json, "a number, or a {fact}", err);
    return struct_json_read_member(&text, json, thing, err);
}

static void write_number(const struct json_member *member, const void *thing,
                         struct cJSON *into)
{
    const struct task_answer *answer = thing;

    if (answer->number_from)
        json_add_string(into, member->name, answer->number_from);
    else if (answer->kind == TASK_ANSWER_NUMBER)
        json_add_number(into, member->name, answer->number);
}

static void release_number(const struct json_member *member, void *thing)
{
    struct task_answer *answer = thing;

    (void)member;
    free(answer->number_from);
}

static bool walk_number(const struct json_member *member,
                        struct struct_json_walk *walk, void *thing,
                        struct err *err)
{
    struct task_answer *answer = thing;

    (void)member;
    return !answer->number_from ||
           walk->text(walk, &task_rule_plain, &answer->number_from, err);
}

static const struct member_ops number = {
    .read = read_number,
    .write = write_number,
    .release = release_number,
    .walk = walk_number,
};

static const struct json_member answer_members[] = {
    {"exact", TEXTS_AT(struct task_answer, values), .rule = &task_rule_plain},
    {"number", ODD_BY(number)},
    {"tolerance", NUMBER_AT(struct task_answer, tolerance), .max = 1e12},
    {"pattern", TEXT_AT(struct task_answer, pattern),
     .rule = &task_rule_pattern},
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

static const struct struct_json answer_struct_json = {
    .size = sizeof(struct task_answer),
    .members = answer_members,
    .count = ARRAY_LEN(answer_members),
    .brief = &answer_members[0],
    .brief_number = &answer_members[1],
    .check = check_answer,
};

/* ---- pictures ---- */

static const struct json_member image_members[] = {
    {"reference", TEXT_AT(struct task_image, reference),
     .rule = &task_rule_beside, .needed = true},
    {"file", TEXT_AT(struct task_image, file), .rule = &task_rule_on_phone},
    {"transform", TEXT_AT(struct task_image, transform),
     .rule = &task_rule_transform},
    {"ssim", NUMBER_AT(struct task_image, ssim), .max = 1, .default_value = -1},
    {"psnr", NUMBER_AT(struct task_image, psnr), .max = PSNR_MAX,
     .default_value = -1},
};

static bool check_image(const struct json *json, void *thing, struct err *err)
{
    const struct task_image *image = thing;

    return image->ssim >= 0 || image->psnr >= 0 ||
           json_fail(json, err, "needs \"ssim\" or \"psnr\"");
}

static const struct struct_json image_struct_json = {
    .size = sizeof(struct task_image),
    .members = image_members,
    .count = ARRAY_LEN(image_members),
    .check = check_image,
};

/* ---- what is allowed ---- */

static void init_actions(const struct json_member *member, void *thing)
{
    struct task *task = thing;

    (void)member;
    task->actions = ACTION_SET_DEFAULT;
}

static bool read_actions(const struct json_member *member,
                         const struct json *json, void *thing, struct err *err)
{
    struct task *task = thing;

    (void)member;
    return action_set_from_json(json, &task->actions, err);
}

static void write_actions(const struct json_member *member, const void *thing,
                          struct cJSON *into)
{
    const struct task *task = thing;

    if (task->actions != ACTION_SET_DEFAULT)
        action_set_to_json(task->actions, into, member->name);
}

static const struct member_ops actions = {
    .init = init_actions,
    .read = read_actions,
    .write = write_actions,
};

static const struct json_member budget_members[] = {
    {"steps", INT_AT(struct task, steps), .default_value = TASK_STEPS_DEFAULT,
     .min = 1, .max = TASK_STEPS_MAX},
    {"seconds", INT_AT(struct task, seconds), .min = 1, .max = SECONDS_MAX},
};

static const struct struct_json budget_struct_json = {
    .size = sizeof(struct task),
    .members = budget_members,
    .count = ARRAY_LEN(budget_members),
};

/* ---- the phone: reset, requires, probes ---- */

struct reset {
    char *snapshot;
    char *recorded;
};

static const struct json_member reset_members[] = {
    {"snapshot", TEXT_AT(struct reset, snapshot), .rule = &task_rule_label},
    {"recorded", TEXT_AT(struct reset, recorded), .rule = &task_rule_beside},
};

static const struct struct_json reset_struct_json = {
    .size = sizeof(struct reset),
    .members = reset_members,
    .count = ARRAY_LEN(reset_members),
};

static bool read_reset_from(const struct json *json, struct task *task,
                            struct err *err)
{
    struct reset reset;

    if (!struct_json_read(&reset_struct_json, json, &reset, err))
        return false;
    if (!reset.snapshot == !reset.recorded) {
        struct_json_release(&reset_struct_json, &reset);
        return json_fail(json, err,
                         "needs one of \"snapshot\" and \"recorded\"");
    }
    task->reset = reset.snapshot ? TASK_RESET_SNAPSHOT : TASK_RESET_RECORDED;
    task->snapshot = reset.snapshot ? reset.snapshot : reset.recorded;
    return true;
}

static bool read_reset(const struct json_member *member,
                       const struct json *json, void *thing, struct err *err)
{
    struct task *task = thing;
    unsigned reset = 0;

    (void)member;
    if (cJSON_IsObject(json->value))
        return read_reset_from(json, task, err);
    if (!struct_json_read_name(json, resets, TASK_RESETS, &reset, err))
        return false;
    if (reset == TASK_RESET_RECORDED)
        return json_fail(json, err,
                         "needs a trajectory: {\"recorded\": \"folder\"}");
    task->reset = (enum task_reset)reset;
    return true;
}

static void write_reset(const struct json_member *member, const void *thing,
                        struct cJSON *into)
{
    const struct task *task = thing;

    if (task->snapshot)
        json_add_string(json_add_object(into, member->name),
                        resets[task->reset], task->snapshot);
    else if (task->reset != TASK_RESET_RESTART)
        json_add_string(into, member->name, resets[task->reset]);
}

static void release_reset(const struct json_member *member, void *thing)
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

static const struct json_member requires_members[] = {
    {"version", TEXT_AT(struct task_requires, version),
     .rule = &task_rule_version},
    {"logged_in",
     OWN_AT(struct task_requires, logged_in, struct node_selector *),
     .struct_json = &node_selector_shape},
    {"locale", TEXT_AT(struct task_requires, locale),
     .rule = &task_rule_locale},
    {"permissions", TEXTS_AT(struct task_requires, permissions),
     .rule = &task_rule_permission},
};

static const struct struct_json requires_struct_json = {
    .size = sizeof(struct task_requires),
    .members = requires_members,
    .count = ARRAY_LEN(requires_members),
};

static const struct json_member validated_members[] = {
    {"date", TEXT_AT(struct task_validated, date), .rule = &task_rule_date,
     .needed = true},
    {"version", TEXT_AT(struct task_validated, version),
     .rule = &task_rule_label},
    {"device", TEXT_AT(struct task_validated, device),
     .rule = &task_rule_label},
};

static const struct struct_json validated_struct_json = {
    .size = sizeof(struct task_validated),
    .members = validated_members,
    .count = ARRAY_LEN(validated_members),
};

static const struct json_member probe_members[] = {
    {"name", TEXT_AT(struct task_probe, name), .rule = &task_rule_name,
     .needed = true},
    {"command", TEXT_AT(struct task_probe, command), .rule = &task_rule_command,
     .needed = true},
    {"unchanged", BOOL_AT(struct task_probe, unchanged)},
};

static const struct struct_json probe_struct_json = {
    .size = sizeof(struct task_probe),
    .members = probe_members,
    .count = ARRAY_LEN(probe_members),
};

static const struct json_member rewording_members[] = {
    {"of", TEXT_AT(struct task_rewording, of), .rule = &task_rule_id,
     .needed = true},
    {"style", NAME_AT(struct task_rewording, style, wording_style_names),
     .default_value = WORDING_STYLES},
};

static const struct struct_json rewording_struct_json = {
    .size = sizeof(struct task_rewording),
    .members = rewording_members,
    .count = ARRAY_LEN(rewording_members),
};

/* ---- the task ---- */

static const struct json_member members[] = {
    {"id", TEXT_AT(struct task, id), .rule = &task_rule_id, .needed = true},
    {"app", TEXTS_AT(struct task, apps), .rule = &task_rule_package, .max = 1},
    {"apps", TEXTS_AT(struct task, apps), .rule = &task_rule_package,
     .max = APPS_MAX, .array = true},
    {"kind", NAME_AT(struct task, kind, kinds), .needed = true},
    {"instruction", BILINGUAL_TEXT_AT(struct task, instruction),
     .rule = &task_rule_plain, .needed = true},
    {"rewording", PART_AT(struct task, rewording, struct task_rewording),
     .struct_json = &rewording_struct_json},
    {"needs", LIST_AT(struct task, needs, need_count, struct task_need *),
     .struct_json = &need_struct_json},
    {"ordered", BOOL_AT(struct task, ordered)},
    {"checklist",
     LIST_AT(struct task, checklist, checklist_count, struct task_need *),
     .struct_json = &question_struct_json},
    {"never", LIST_AT(struct task, never, never_count, struct episode_check *),
     .struct_json = &episode_check_shape},
    {"answer", PART_AT(struct task, answer, struct task_answer),
     .struct_json = &answer_struct_json},
    {"images", LIST_AT(struct task, images, image_count, struct task_image *),
     .struct_json = &image_struct_json},
    {"level", .kind = MEMBER_NAME, FIELD_AT(struct task, level, int),
     .names = levels, .name_count = ARRAY_LEN(levels)},
    {"difficulty", NAME_AT(struct task, difficulty, difficulties),
     .default_value = TASK_MEDIUM},
    {"category", TEXT_AT(struct task, category), .rule = &task_rule_label},
    {"tags", TEXTS_AT(struct task, tags), .rule = &task_rule_label,
     .array = true},
    {"comment", TEXT_AT(struct task, comment), .rule = &task_rule_comment},
    {"actions", ODD_BY(actions)},
    {"budget", .kind = MEMBER_PART, .struct_json = &budget_struct_json},
    {"reset", ODD_BY(reset)},
    {"set_up", TEXTS_AT(struct task, set_up), .rule = &task_rule_command},
    {"requires", PART_AT(struct task, requires, struct task_requires),
     .struct_json = &requires_struct_json},
    {"validated", PART_AT(struct task, validated, struct task_validated),
     .struct_json = &validated_struct_json},
    {"probes", LIST_AT(struct task, probes, probe_count, struct task_probe *),
     .struct_json = &probe_struct_json},
    {"gold", PART_AT(struct task, gold, struct task_gold),
     .struct_json = &task_gold_shape},
    {"truth", TEXT_AT(struct task, truth), .rule = &task_rule_id},
    {"facts", TEXTS_AT(struct task, facts), .rule = &task_rule_name,
     .array = true},
};

const struct struct_json task_struct_json = {
    .size = sizeof(struct task),
    .members = members,
    .count = ARRAY_LEN(members),
    .check = task_validate,
};

void task_release(struct task *task)
{
    struct_json_release(&task_struct_json, task);
}

struct cJSON *task_to_json(const struct task *task)
{
    struct task shown = *task;

    if (shown.seconds == task_difficulty_seconds(shown.difficulty))
        shown.seconds = 0;
    return struct_json_write(&task_struct_json, &shown);
}
