#include "tasks/task/node_selector.h"

#include "base/json_write.h"
#include "tasks/task/task_rules.h"
#include "tasks/task/task_struct_json.h"

#define PIXEL_MAX 100000
#define NTH_MAX 1000
#define DEPTH_MAX 8 /* of "inside" */

/* ---- pairs of numbers: "point": [540, 1200] ---- */

static bool read_pair(const struct json *json, double min, double max,
                      double pair[2], struct err *err)
{
    struct json item = JSON_NONE;
    double read[2] = {0, 0};
    size_t count = 0;

    if (!json_as_array(json, err))
        return false;
    if (cJSON_GetArraySize(json->value) != 2)
        return json_fail(json, err, "expected two numbers");
    while (json_next(json, &item)) {
        if (!json_as_number(&item, &read[count], err))
            return false;
        if (read[count] < min || read[count] > max)
            return json_fail(&item, err, "expected from %g to %g, found %g",
                             min, max, read[count]);
        count++;
    }
    pair[0] = read[0];
    pair[1] = read[1];
    return true;
}

static void write_pair(struct cJSON *into, const char *name, double first,
                       double second)
{
    struct cJSON *pair = json_add_array(into, name);

    json_add_number(pair, NULL, first);
    json_add_number(pair, NULL, second);
}

static bool read_point(const struct json_member *member,
                       const struct json *json, void *thing, struct err *err)
{
    struct node_selector *selector = thing;
    double pair[2];

    (void)member;
    if (!read_pair(json, -PIXEL_MAX, PIXEL_MAX, pair, err))
        return false;
    selector->has_point = true;
    selector->point = (struct action_point){(int)pair[0], (int)pair[1]};
    return true;
}

static void write_point(const struct json_member *member, const void *thing,
                        struct cJSON *into)
{
    const struct node_selector *selector = thing;

    if (selector->has_point)
        write_pair(into, member->name, selector->point.x, selector->point.y);
}

static const struct member_ops point = {
    .read = read_point,
    .write = write_point,
};

static void init_relative(const struct json_member *member, void *thing)
{
    struct node_selector *selector = thing;

    (void)member;
    selector->relative_x = 0.5;
    selector->relative_y = 0.5;
}

static bool read_relative(const struct json_member *member,
                          const struct json *json, void *thing, struct err *err)
{
    struct node_selector *selector = thing;
    double pair[2];

    (void)member;
    if (!read_pair(json, 0, 1, pair, err))
        return false;
    selector->relative_x = pair[0];
    selector->relative_y = pair[1];
    return true;
}

static void write_relative(const struct json_member *member, const void *thing,
                           struct cJSON *into)
{
    const struct node_selector *selector = thing;

    if (selector->relative_x < 0.5 || selector->relative_x > 0.5 ||
        selector->relative_y < 0.5 || selector->relative_y > 0.5)
        write_pair(into, member->name, selector->relative_x,
                   selector->relative_y);
}

static const struct member_ops relative = {
    .init = init_relative,
    .read = read_relative,
    .write = write_relative,
};

/* ---- the selector ---- */

static const struct json_member members[] = {
    {"text", TEXTS_AT(struct node_selector, text), .rule = &task_rule_plain},
    {"description", TEXTS_AT(struct node_selector, description),
     .rule = &task_rule_plain},
    {"id", TEXTS_AT(struct node_selector, id), .rule = &task_rule_label},
    {"class", TEXT_AT(struct node_selector, class_name),
     .rule = &task_rule_label},
    {"role", TEXT_AT(struct node_selector, role), .rule = &task_rule_label},
    {"path", TEXT_AT(struct node_selector, path), .rule = &task_rule_node_path},
    {"nth", INT_AT(struct node_selector, nth), .min = 1, .max = NTH_MAX},
    {"inside", OWN_AT(struct node_selector, inside, struct node_selector *),
     .struct_json = &node_selector_shape},
    {"point", ODD_BY(point)},
    {"relative", ODD_BY(relative)},
    {"crop", TEXT_AT(struct node_selector, crop), .rule = &task_rule_beside},
    {"call", TEXT_AT(struct node_selector, call), .rule = &task_rule_plain},
};

static bool check_selector(const struct json *json, void *thing,
                           struct err *err)
{
    const struct node_selector *selector = thing;
    int depth = 1;

    for (const struct node_selector *at = selector->inside; at; at = at->inside)
        depth++;
    if (depth > DEPTH_MAX)
        return json_fail(json, err, "nested deeper than %d", DEPTH_MAX);
    if (selector->text.count || selector->description.count ||
        selector->id.count || selector->class_name || selector->role ||
        selector->path || selector->has_point || selector->crop ||
        selector->call)
        return true;
    return json_fail(json, err, "has no property to search for");
}

const struct struct_json node_selector_shape = {
    .size = sizeof(struct node_selector),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[0],
    .check = check_selector,
};

void node_selector_release(struct node_selector *selector)
{
    struct_json_release(&node_selector_shape, selector);
}

bool node_selector_from_json(const struct json *json,
                             struct node_selector *selector, struct err *err)
{
    return struct_json_read(&node_selector_shape, json, selector, err);
}

struct cJSON *node_selector_to_json(const struct node_selector *selector)
{
    return struct_json_write(&node_selector_shape, selector);
}
