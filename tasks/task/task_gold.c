#include "tasks/task/task_gold.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "tasks/task/action_set.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

#define GROUPS_MAX 100

/* ---- what is done ---- */

static bool read_do(const struct json_member *member, const struct json *json,
                    void *thing, struct err *err)
{
    struct task_gold_step *step = thing;
    const char *names[ACTION_KINDS];
    unsigned kind = 0;

    (void)member;
    for (unsigned i = 0; i < ACTION_KINDS; i++)
        names[i] = ACTION_SET_ALL & ACTION_BIT(i)
                       ? action_kind_name((enum action_kind)i)
                       : NULL;
    if (!struct_json_read_name(json, names, ACTION_KINDS, &kind, err))
        return false;
    step->action.kind = (enum action_kind)kind;
    return true;
}

static void write_do(const struct json_member *member, const void *thing,
                     struct cJSON *into)
{
    const struct task_gold_step *step = thing;

    json_add_string(into, member->name, action_kind_name(step->action.kind));
}

static const struct member_ops do_member = {.read = read_do, .write = write_do};

static bool read_direction(const struct json_member *member,
                           const struct json *json, void *thing,
                           struct err *err)
{
    struct task_gold_step *step = thing;
    const char *names[ACTION_DIRECTIONS] = {NULL};
    unsigned direction = 0;

    (void)member;
    for (unsigned i = DIRECTION_NONE + 1; i < ACTION_DIRECTIONS; i++)
        names[i] = action_direction_name((enum action_direction)i);
    if (!struct_json_read_name(json, names, ACTION_DIRECTIONS, &direction, err))
        return false;
    step->action.direction = (enum action_direction)direction;
    return true;
}

static void write_direction(const struct json_member *member, const void *thing,
                            struct cJSON *into)
{
    const struct task_gold_step *step = thing;

    if (step->action.direction != DIRECTION_NONE)
        json_add_string(into, member->name,
                        action_direction_name(step->action.direction));
}

static const struct member_ops direction = {
    .read = read_direction,
    .write = write_direction,
};

/* ---- the text: the action's own as soon as its language is known ---- */

static bool read_words(const struct json_member *member,
                       const struct json *json, void *thing, struct err *err)
{
    struct task_gold_step *step = thing;

    (void)member;
    if (!struct_json_read_bilingual_text(json, &task_rule_typed, &step->text,
                                         err))
        return false;
    step->action.text = step->text.any;
    step->text.any = NULL;
    return true;
}

static void write_words(const struct json_member *member, const void *thing,
                        struct cJSON *into)
{
    const struct task_gold_step *step = thing;

    if (step->action.text)
        json_add_string(into, member->name, step->action.text);
    else
        bilingual_text_to_json(&step->text, into, member->name);
}

static void release_words(const struct json_member *member, void *thing)
{
    struct task_gold_step *step = thing;

    (void)member;
    free(step->action.text);
    bilingual_text_release(&step->text);
}

static bool walk_words(const struct json_member *member,
                       struct struct_json_walk *walk, void *thing,
                       struct err *err)
{
    struct task_gold_step *step = thing;

    (void)member;
    if (step->action.text)
        return walk->text(walk, &task_rule_typed, &step->action.text, err);
    if (!walk->bilingual_text(walk, &task_rule_typed, &step->text, err))
        return false;
    step->action.text = step->text.any;
    step->text.any = NULL;
    return true;
}

static const struct member_ops words = {
    .read = read_words,
    .write = write_words,
    .release = release_words,
    .walk = walk_words,
};

/* ---- key_step: true, or the number of its group ---- */

static bool read_key_step(const struct json_member *member,
                          const struct json *json, void *thing, struct err *err)
{
    struct task_gold_step *step = thing;
    int64_t group = 0;

    (void)member;
    if (cJSON_IsBool(json->value))
        return json_as_bool(json, &step->key_step, err);
    if (!cJSON_IsNumber(json->value))
        return json_fail_kind(json, "true, or a group's number", err);
    if (!json_as_int(json, 1, GROUPS_MAX, &group, err))
        return false;
    step->key_step = true;
    step->group = (int)group;
    return true;
}

static void write_key_step(const struct json_member *member, const void *thing,
                           struct cJSON *into)
{
    const struct task_gold_step *step = thing;

    if (step->key_step && step->group)
        json_add_number(into, member->name, step->group);
    else if (step->key_step)
        json_add_bool(into, member->name, true);
}

static const struct member_ops key_step = {.read = read_key_step,
                                           .write = write_key_step};

/* ---- a step ---- */

static const struct json_member step_members[] = {
    {"do", ODD_BY(do_member), .needed = true},
    {"at", OWN_AT(struct task_gold_step, target, struct node_selector *),
     .struct_json = &node_selector_shape},
    {"to", OWN_AT(struct task_gold_step, to, struct node_selector *),
     .struct_json = &node_selector_shape},
    {"direction", ODD_BY(direction)},
    {"text", ODD_BY(words)},
    {"replace", BOOL_AT(struct task_gold_step, action.replace)},
    {"submit", BOOL_AT(struct task_gold_step, action.submit)},
    {"milliseconds", INT_AT(struct task_gold_step, action.milliseconds),
     .min = 1, .max = ACTION_MILLISECONDS_MAX},
    {"key_step", ODD_BY(key_step), .old_name = "star"},
};

#define POINTING                                                               \
    (ACTION_BIT(ACTION_CLICK) | ACTION_BIT(ACTION_LONG_PRESS) |                \
     ACTION_BIT(ACTION_DOUBLE_TAP) | ACTION_BIT(ACTION_DRAG))
#define SPEAKING                                                               \
    (ACTION_BIT(ACTION_TYPE) | ACTION_BIT(ACTION_KEY) |                        \
     ACTION_BIT(ACTION_OPEN_APP) | ACTION_BIT(ACTION_ASK) |                    \
     ACTION_BIT(ACTION_ANSWER))
#define MOVING (ACTION_BIT(ACTION_SWIPE) | ACTION_BIT(ACTION_DRAG))

/* Does it have what its action needs? */
static bool check_step(const struct json *json, void *thing, struct err *err)
{
    const struct task_gold_step *step = thing;
    const char *name = action_kind_name(step->action.kind);
    uint32_t bit = ACTION_BIT(step->action.kind);
    bool speaks = step->action.text || step->text.en || step->text.zh;
    bool directed = step->action.direction != DIRECTION_NONE;

    if ((bit & POINTING) && !step->target)
        return json_fail(json, err, "%s needs \"at\"", name);
    if ((bit & SPEAKING) && !speaks)
        return json_fail(json, err, "%s needs \"text\"", name);
    if (bit == ACTION_BIT(ACTION_SCROLL) && !directed)
        return json_fail(json, err, "%s needs \"direction\"", name);
    if ((bit & MOVING) && !directed && (!step->target || !step->to))
        return json_fail(json, err,
                         "%s needs \"at\" and \"to\", or \"direction\"", name);
    if (speaks && !(bit & SPEAKING))
        return json_fail(json, err, "%s takes no \"text\"", name);
    if (step->to && !(bit & MOVING))
        return json_fail(json, err, "%s takes no \"to\"", name);
    return true;
}

static const struct struct_json step_struct_json = {
    .size = sizeof(struct task_gold_step),
    .members = step_members,
    .count = ARRAY_LEN(step_members),
    .check = check_step,
};

/* ---- gold ---- */

static const struct json_member members[] = {
    {"steps", LIST_AT(struct task_gold, steps, count, struct task_gold_step *),
     .struct_json = &step_struct_json, .max = TASK_GOLD_STEPS_MAX},
    {"trajectory", TEXT_AT(struct task_gold, trajectory),
     .rule = &task_rule_beside},
};

static bool check_gold(const struct json *json, void *thing, struct err *err)
{
    const struct task_gold *gold = thing;

    return gold->count || gold->trajectory ||
           json_fail(json, err, "needs steps, or a trajectory");
}

const struct struct_json task_gold_shape = {
    .size = sizeof(struct task_gold),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[0],
    .check = check_gold,
};

void task_gold_release(struct task_gold *gold)
{
    struct_json_release(&task_gold_shape, gold);
}

bool task_gold_from_json(const struct json *json, struct task_gold *gold,
                         struct err *err)
{
    return struct_json_read(&task_gold_shape, json, gold, err);
}

struct cJSON *task_gold_to_json(const struct task_gold *gold)
{
    return struct_json_write(&task_gold_shape, gold);
}
