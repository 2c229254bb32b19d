#include "tasks/selector.h"

#include "base/json_write.h"
#include "tasks/shapes.h"

#define PIXEL_MAX 100000
#define NTH_MAX 1000
#define DEPTH_MAX 8 /* of inside */

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

static bool read_point(const struct member *member, const struct json *json,
                       void *thing, struct err *err)
{
    struct selector *selector = thing;
    double pair[2];

    (void)member;
    if (!read_pair(json, -PIXEL_MAX, PIXEL_MAX, pair, err))
        return false;
    selector->has_point = true;
    selector->point = (struct action_point){(int)pair[0], (int)pair[1]};
    return true;
}

static void write_point(const struct member *member, const void *thing,
                        struct cJSON *into)
{
    const struct selector *selector = thing;

    if (selector->has_point)
        write_pair(into, member->name, selector->point.x, selector->point.y);
}

static const struct member_ops point = {
    .read = read_point,
    .write = write_point,
};

static void init_relative(const struct member *member, void *thing)
{
    struct selector *selector = thing;

    (void)member;
    selector->relative_x = 0.5;
    selector->relative_y = 0.5;
}

static bool read_relative(const struct member *member, const struct json *json,
                          void *thing, struct err *err)
{
    struct selector *selector = thing;
    double pair[2];

    (void)member;
    if (!read_pair(json, 0, 1, pair, err))
        return false;
    selector->relative_x = pair[0];
    selector->relative_y = pair[1];
    return true;
}

static void write_relative(const struct member *member, const void *thing,
                           struct cJSON *into)
{
    const struct selector *selector = thing;

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

static const struct member members[] = {
    {"text", TEXTS_AT(struct selector, text), .rule = &rule_plain},
    {"description", TEXTS_AT(struct selector, description),
     .rule = &rule_plain},
    {"id", TEXTS_AT(struct selector, id), .rule = &rule_label},
    {"class", TEXT_AT(struct selector, class_name), .rule = &rule_label},
    {"role", TEXT_AT(struct selector, role), .rule = &rule_label},
    {"path", TEXT_AT(struct selector, path), .rule = &rule_node_path},
    {"nth", INT_AT(struct selector, nth), .min = 1, .max = NTH_MAX},
    {"inside", OWN_AT(struct selector, inside, struct selector *),
     .shape = &selector_shape},
    {"point", ODD_BY(point)},
    {"relative", ODD_BY(relative)},
    {"crop", TEXT_AT(struct selector, crop), .rule = &rule_beside},
    {"call", TEXT_AT(struct selector, call), .rule = &rule_plain},
};

static bool check_selector(const struct json *json, void *thing,
                           struct err *err)
{
    const struct selector *selector = thing;
    int depth = 1;

    for (const struct selector *at = selector->inside; at; at = at->inside)
        depth++;
    if (depth > DEPTH_MAX)
        return json_fail(json, err, "nested deeper than %d", DEPTH_MAX);
    if (selector->text.count || selector->description.count ||
        selector->id.count || selector->class_name || selector->role ||
        selector->path || selector->has_point || selector->crop ||
        selector->call)
        return true;
    return json_fail(json, err, "says nothing of what to look for");
}

const struct shape selector_shape = {
    .size = sizeof(struct selector),
    .members = members,
    .count = ARRAY_LEN(members),
    .brief = &members[0],
    .check = check_selector,
};

void selector_release(struct selector *selector)
{
    shape_release(&selector_shape, selector);
}

bool selector_from_json(const struct json *json, struct selector *selector,
                        struct err *err)
{
    return shape_read(&selector_shape, json, selector, err);
}

struct cJSON *selector_to_json(const struct selector *selector)
{
    return shape_write(&selector_shape, selector);
}
