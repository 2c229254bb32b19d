#include "tasks/check.h"

#include "base/json_write.h"
#include "tasks/action_set.h"
#include "tasks/shapes.h"

#define TIMES_MAX 1000

/* ---- actions ---- */

static bool read_actions(const struct member *member, const struct json *json,
                         void *thing, struct err *err)
{
    struct check *check = thing;

    (void)member;
    return action_set_from_json(json, &check->actions, err);
}

static void write_actions(const struct member *member, const void *thing,
                          struct cJSON *into)
{
    const struct check *check = thing;

    if (check->actions)
        action_set_to_json(check->actions, into, member->name);
}

static const struct member_ops actions = {
    .read = read_actions,
    .write = write_actions,
};

/* ---- any, all, not ---- */

static const struct member parts = {
    "parts",
    LIST_AT(struct check, parts, part_count, struct check *),
    .shape = &check_shape,
};

static const struct member part = {
    "part",
    OWN_AT(struct check, parts, struct check *),
    .shape = &check_shape,
};

static bool has_one_part(const struct check *check)
{
    return check->kind == CHECK_NOT || check->kind == CHECK_ONCE;
}

static bool read_parts(const struct member *member, const struct json *json,
                       void *thing, struct err *err)
{
    struct check *check = thing;

    if (check->parts)
        return json_fail(json, err,
                         "any, all, not and once do not go together");
    check->kind = (enum check_kind)member->which;
    if (!has_one_part(check))
        return shape_read_member(&parts, json, check, err);
    check->part_count = 1;
    return shape_read_member(&part, json, check, err);
}

static void write_parts(const struct member *member, const void *thing,
                        struct cJSON *into)
{
    const struct check *check = thing;

    if (check->kind == member->which)
        shape_write_member(has_one_part(check) ? &part : &parts, check, into,
                           member->name);
}

/* One of the four does it for all: half a check may have the wrong kind. */
static void release_parts(const struct member *member, void *thing)
{
    if (member->which == CHECK_ANY)
        shape_release_member(&parts, thing);
}

static bool walk_parts(const struct member *member, struct shape_walk *walk,
                       void *thing, struct err *err)
{
    const struct check *check = thing;

    return check->kind != member->which ||
           shape_walk_member(walk, has_one_part(check) ? &part : &parts, thing,
                             err);
}

static const struct member_ops several = {
    .read = read_parts,
    .write = write_parts,
    .release = release_parts,
    .walk = walk_parts,
};

/* ---- the last screen ---- */

static const struct member end_members[] = {
    {"text", PHRASING_AT(struct check, text), .rule = &rule_pattern},
    {"id", PHRASING_AT(struct check, id), .rule = &rule_pattern},
    {"checked", STATE_AT(struct check, checked)},
    {"selected", STATE_AT(struct check, selected)},
};

static bool has(const struct phrasing *phrasing)
{
    return phrasing->any || phrasing->en || phrasing->zh;
}

static bool check_end(const struct json *json, void *thing, struct err *err)
{
    struct check *check = thing;

    check->kind = CHECK_END;
    return has(&check->text) || has(&check->id) ||
           json_fail(json, err, "needs a text or an id");
}

static const struct shape end_shape = {
    .size = sizeof(struct check),
    .members = end_members,
    .count = ARRAY_LEN(end_members),
    .brief = &end_members[0],
    .check = check_end,
};

/* ---- the check ---- */

static const struct member members[] = {
    {"did", PHRASING_AT(struct check, did), .rule = &rule_pattern},
    {"target", PHRASING_AT(struct check, target), .rule = &rule_pattern},
    {"typed", PHRASING_AT(struct check, typed), .rule = &rule_pattern},
    {"screen", PHRASING_AT(struct check, screen), .rule = &rule_pattern},
    {"shows", PHRASING_AT(struct check, shows), .rule = &rule_pattern},
    {"has", TEXTS_AT(struct check, has), .rule = &rule_plain},
    {"gets", TEXTS_AT(struct check, gets), .rule = &rule_plain},
    {"action", ODD_BY(actions)},
    {"on", STATE_AT(struct check, on)},
    {"dialog", STATE_AT(struct check, dialog)},
    {"times", INT_AT(struct check, times), .max = TIMES_MAX},
    {"anew", PHRASING_AT(struct check, anew), .rule = &rule_pattern},
    {"less", PHRASING_AT(struct check, less), .rule = &rule_pattern},
    {"end", .kind = MEMBER_PART, .shape = &end_shape},
    {"evidence", TEXT_AT(struct check, evidence), .rule = &rule_name},
    {"is", PHRASING_AT(struct check, is), .rule = &rule_pattern},
    {"any", ODD_BY(several), .which = CHECK_ANY},
    {"all", ODD_BY(several), .which = CHECK_ALL},
    {"not", ODD_BY(several), .which = CHECK_NOT},
    {"once", ODD_BY(several), .which = CHECK_ONCE},
};

static bool is_of_step(const struct check *check)
{
    return has(&check->did) || has(&check->target) || has(&check->typed) ||
           has(&check->screen) || has(&check->shows) || check->has.count ||
           check->gets.count || check->actions || check->on != CHECK_EITHER ||
           check->dialog != CHECK_EITHER;
}

static int depth_of(const struct check *check)
{
    int deepest = 0;

    for (size_t i = 0; i < check->part_count; i++) {
        int depth = depth_of(&check->parts[i]);

        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

/* Of what is the check? Of one thing alone. */
static bool check_check(const struct json *json, void *thing, struct err *err)
{
    struct check *check = thing;
    bool of_end = has(&check->text) || has(&check->id);
    bool of_evidence = check->evidence || has(&check->is);
    int subjects =
        is_of_step(check) + of_end + of_evidence + (check->part_count > 0);

    if (!subjects)
        return json_fail(json, err, "says nothing that could be checked");
    if (subjects > 1)
        return json_fail(json, err,
                         "a step, the end, evidence and parts do not go "
                         "together; \"all\" joins them");
    if (of_evidence && (!check->evidence || !has(&check->is)))
        return json_fail(json, err, "evidence and is go together");
    if (depth_of(check) > CHECK_DEPTH_MAX)
        return json_fail(json, err, "nested deeper than %d", CHECK_DEPTH_MAX);
    if (of_evidence)
        check->kind = CHECK_EVIDENCE;
    return true;
}

const struct shape check_shape = {
    .size = sizeof(struct check),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[0],
    .check = check_check,
};

struct cJSON *check_to_json(const struct check *check)
{
    return shape_write(&check_shape, check);
}
