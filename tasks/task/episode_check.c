#include "tasks/task/episode_check.h"

#include "base/json_write.h"
#include "tasks/task/action_set.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

#define TIMES_MAX 1000

/* ---- actions ---- */

static bool read_actions(const struct json_member *member,
                         const struct json *json, void *thing, struct err *err)
{
    struct episode_check *check = thing;

    (void)member;
    return action_set_from_json(json, &check->actions, err);
}

static void write_actions(const struct json_member *member, const void *thing,
                          struct cJSON *into)
{
    const struct episode_check *check = thing;

    if (check->actions)
        action_set_to_json(check->actions, into, member->name);
}

static const struct member_ops actions = {
    .read = read_actions,
    .write = write_actions,
};

/* ---- any, all, not ---- */

static const struct json_member parts = {
    "parts",
    LIST_AT(struct episode_check, parts, part_count, struct episode_check *),
    .struct_json = &episode_check_shape,
};

static const struct json_member part = {
    "part",
    OWN_AT(struct episode_check, parts, struct episode_check *),
    .struct_json = &episode_check_shape,
};

static bool has_one_part(const struct episode_check *check)
{
    return check->kind == EPISODE_CHECK_NOT ||
           check->kind == EPISODE_CHECK_ONCE;
}

static bool read_parts(const struct json_member *member,
                       const struct json *json, void *thing, struct err *err)
{
    struct episode_check *check = thing;

    if (check->parts)
        return json_fail(json, err,
                         "any, all, not and once do not go together");
    check->kind = (enum episode_check_kind)member->which;
    if (!has_one_part(check))
        return struct_json_read_member(&parts, json, check, err);
    check->part_count = 1;
    return struct_json_read_member(&part, json, check, err);
}

static void write_parts(const struct json_member *member, const void *thing,
                        struct cJSON *into)
{
    const struct episode_check *check = thing;

    if (check->kind == member->which)
        struct_json_write_member(has_one_part(check) ? &part : &parts, check,
                                 into, member->name);
}

/* One of the four frees all: a partly read check may have the wrong kind. */
static void release_parts(const struct json_member *member, void *thing)
{
    if (member->which == EPISODE_CHECK_ANY)
        struct_json_release_member(&parts, thing);
}

static bool walk_parts(const struct json_member *member,
                       struct struct_json_walk *walk, void *thing,
                       struct err *err)
{
    const struct episode_check *check = thing;

    return check->kind != member->which ||
           struct_json_walk_member(walk, has_one_part(check) ? &part : &parts,
                                   thing, err);
}

static const struct member_ops several = {
    .read = read_parts,
    .write = write_parts,
    .release = release_parts,
    .walk = walk_parts,
};

/* ---- the last screen ---- */

static const struct json_member end_members[] = {
    {"text", BILINGUAL_TEXT_AT(struct episode_check, text),
     .rule = &task_rule_pattern},
    {"id", BILINGUAL_TEXT_AT(struct episode_check, id),
     .rule = &task_rule_pattern},
    {"checked", STATE_AT(struct episode_check, checked)},
    {"selected", STATE_AT(struct episode_check, selected)},
};

static bool has(const struct bilingual_text *bilingual_text)
{
    return bilingual_text->any || bilingual_text->en || bilingual_text->zh;
}

static bool check_end(const struct json *json, void *thing, struct err *err)
{
    struct episode_check *check = thing;

    check->kind = EPISODE_CHECK_END;
    return has(&check->text) || has(&check->id) ||
           json_fail(json, err, "needs a text or an id");
}

static const struct struct_json end_struct_json = {
    .size = sizeof(struct episode_check),
    .members = end_members,
    .count = ARRAY_LEN(end_members),
    .brief = &end_members[0],
    .check = check_end,
};

/* ---- the check ---- */

static const struct json_member members[] = {
    {"did", BILINGUAL_TEXT_AT(struct episode_check, did),
     .rule = &task_rule_pattern},
    {"target", BILINGUAL_TEXT_AT(struct episode_check, target),
     .rule = &task_rule_pattern},
    {"typed", BILINGUAL_TEXT_AT(struct episode_check, typed),
     .rule = &task_rule_pattern},
    {"screen", BILINGUAL_TEXT_AT(struct episode_check, screen),
     .rule = &task_rule_pattern},
    {"shows", BILINGUAL_TEXT_AT(struct episode_check, shows),
     .rule = &task_rule_pattern},
    {"has", TEXTS_AT(struct episode_check, has), .rule = &task_rule_plain},
    {"gets", TEXTS_AT(struct episode_check, gets), .rule = &task_rule_plain},
    {"row", TEXTS_AT(struct episode_check, row), .rule = &task_rule_plain},
    {"action", ODD_BY(actions)},
    {"on", STATE_AT(struct episode_check, on)},
    {"dialog", STATE_AT(struct episode_check, dialog)},
    {"times", INT_AT(struct episode_check, times), .max = TIMES_MAX},
    {"reset_by", BILINGUAL_TEXT_AT(struct episode_check, reset_by),
     .rule = &task_rule_pattern, .old_name = "anew"},
    {"reduced_by", BILINGUAL_TEXT_AT(struct episode_check, reduced_by),
     .rule = &task_rule_pattern, .old_name = "less"},
    {"end", .kind = MEMBER_PART, .struct_json = &end_struct_json},
    {"evidence", TEXT_AT(struct episode_check, evidence),
     .rule = &task_rule_name},
    {"is", BILINGUAL_TEXT_AT(struct episode_check, is),
     .rule = &task_rule_pattern},
    {"any", ODD_BY(several), .which = EPISODE_CHECK_ANY},
    {"all", ODD_BY(several), .which = EPISODE_CHECK_ALL},
    {"not", ODD_BY(several), .which = EPISODE_CHECK_NOT},
    {"once", ODD_BY(several), .which = EPISODE_CHECK_ONCE},
};

static bool is_of_step(const struct episode_check *check)
{
    return has(&check->did) || has(&check->target) || has(&check->typed) ||
           has(&check->screen) || has(&check->shows) || check->has.count ||
           check->gets.count || check->row.count || check->actions ||
           check->on != TRI_STATE_EITHER || check->dialog != TRI_STATE_EITHER;
}

static int depth_of(const struct episode_check *check)
{
    int deepest = 0;

    for (size_t i = 0; i < check->part_count; i++) {
        int depth = depth_of(&check->parts[i]);

        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

/* A check is about steps, the end, evidence or parts: only one of them. */
static bool check_check(const struct json *json, void *thing, struct err *err)
{
    struct episode_check *check = thing;
    bool of_end = has(&check->text) || has(&check->id);
    bool of_evidence = check->evidence || has(&check->is);
    int subjects =
        is_of_step(check) + of_end + of_evidence + (check->part_count > 0);

    if (!subjects)
        return json_fail(json, err, "has nothing to check");
    if (subjects > 1)
        return json_fail(json, err,
                         "a step, the end, evidence and parts do not go "
                         "together; \"all\" joins them");
    if (of_evidence && (!check->evidence || !has(&check->is)))
        return json_fail(json, err, "evidence and is go together");
    if (depth_of(check) > EPISODE_CHECK_DEPTH_MAX)
        return json_fail(json, err, "nested deeper than %d",
                         EPISODE_CHECK_DEPTH_MAX);
    if (of_evidence)
        check->kind = EPISODE_CHECK_EVIDENCE;
    return true;
}

const struct struct_json episode_check_shape = {
    .size = sizeof(struct episode_check),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[0],
    .check = check_check,
};

struct cJSON *episode_check_to_json(const struct episode_check *check)
{
    return struct_json_write(&episode_check_shape, check);
}
