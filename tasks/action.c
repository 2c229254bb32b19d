#include "tasks/action.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/names.h"

/* A picture's side is never longer; points may lie a little outside of it. */
#define PIXEL_MAX 100000
#define INDEX_MAX 1000000

static const char *const kind_names[ACTION_KINDS] = {
    [ACTION_CLICK] = "click",     [ACTION_LONG_PRESS] = "long_press",
    [ACTION_SWIPE] = "swipe",     [ACTION_DOUBLE_TAP] = "double_tap",
    [ACTION_DRAG] = "drag",       [ACTION_SCROLL] = "scroll",
    [ACTION_TYPE] = "type",       [ACTION_ENTER] = "enter",
    [ACTION_BACK] = "back",       [ACTION_HOME] = "home",
    [ACTION_RECENTS] = "recents", [ACTION_OPEN_APP] = "open_app",
    [ACTION_WAIT] = "wait",       [ACTION_ASK] = "ask",
    [ACTION_ANSWER] = "answer",   [ACTION_COMPLETE] = "complete",
    [ACTION_FAIL] = "fail",
};

static const char *const direction_names[ACTION_DIRECTIONS] = {
    [DIRECTION_NONE] = "",       [DIRECTION_UP] = "up",
    [DIRECTION_DOWN] = "down",   [DIRECTION_LEFT] = "left",
    [DIRECTION_RIGHT] = "right",
};

void action_release(struct action *action)
{
    free(action->text);
    *action = (struct action){.kind = ACTION_CLICK};
}

const char *action_kind_name(enum action_kind kind)
{
    return kind_names[kind];
}

bool action_kind_find(const char *name, enum action_kind *kind)
{
    size_t found = names_find(kind_names, ACTION_KINDS, name);

    if (found < ACTION_KINDS)
        *kind = (enum action_kind)found;
    return found < ACTION_KINDS;
}

const char *action_direction_name(enum action_direction direction)
{
    return direction_names[direction];
}

bool action_direction_find(const char *name, enum action_direction *direction)
{
    size_t found = names_find(direction_names, ACTION_DIRECTIONS, name);

    if (found < ACTION_DIRECTIONS)
        *direction = (enum action_direction)found;
    return found < ACTION_DIRECTIONS;
}

static bool point_equal(bool has_a, struct action_point a, bool has_b,
                        struct action_point b)
{
    return has_a == has_b && (!has_a || (a.x == b.x && a.y == b.y));
}

bool action_equal(const struct action *a, const struct action *b)
{
    return a->kind == b->kind &&
           point_equal(a->has_from, a->from, b->has_from, b->from) &&
           point_equal(a->has_to, a->to, b->has_to, b->to) &&
           a->direction == b->direction && a->submit == b->submit &&
           a->has_index == b->has_index &&
           (!a->has_index || a->index == b->index) && !a->text == !b->text &&
           (!a->text || !strcmp(a->text, b->text));
}

void action_to_json(const struct action *action, struct cJSON *into)
{
    json_add_string(into, "action", action_kind_name(action->kind));
    if (action->has_from) {
        json_add_int(into, "x", action->from.x);
        json_add_int(into, "y", action->from.y);
    }
    if (action->has_to) {
        json_add_int(into, "x2", action->to.x);
        json_add_int(into, "y2", action->to.y);
    }
    if (action->direction != DIRECTION_NONE)
        json_add_string(into, "direction",
                        action_direction_name(action->direction));
    if (action->has_index)
        json_add_int(into, "index", action->index);
    if (action->text)
        json_add_string(into, "text", action->text);
    if (action->submit)
        json_add_bool(into, "submit", true);
    if (action->milliseconds)
        json_add_int(into, "milliseconds", action->milliseconds);
}

/* Both or neither. */
static bool read_point(const struct json *json, const char *x, const char *y,
                       bool *has, struct action_point *point, struct err *err)
{
    int64_t found[2] = {INT64_MIN, INT64_MIN};

    if (!json_opt_int(json, x, -PIXEL_MAX, PIXEL_MAX, &found[0], err) ||
        !json_opt_int(json, y, -PIXEL_MAX, PIXEL_MAX, &found[1], err))
        return false;
    if ((found[0] == INT64_MIN) != (found[1] == INT64_MIN))
        return err_set(err, ERR_INVALID, "%s and %s go together", x, y);
    *has = found[0] != INT64_MIN;
    if (*has)
        *point = (struct action_point){(int)found[0], (int)found[1]};
    return true;
}

static bool read_names(const struct json *json, struct action *action,
                       struct err *err)
{
    const char *kind = NULL;
    const char *direction = "";

    if (!json_get_string(json, "action", &kind, err) ||
        !json_opt_string(json, "direction", &direction, err))
        return false;
    if (!action_kind_find(kind, &action->kind))
        return err_set(err, ERR_INVALID, "action: there is no \"%s\"", kind);
    if (!action_direction_find(direction, &action->direction))
        return err_set(err, ERR_INVALID, "direction: there is no \"%s\"",
                       direction);
    return true;
}

static bool read_numbers(const struct json *json, struct action *action,
                         struct err *err)
{
    int64_t index = -1;
    int64_t milliseconds = 0;

    if (!json_opt_int(json, "index", 0, INDEX_MAX, &index, err) ||
        !json_opt_int(json, "milliseconds", 0, ACTION_MILLISECONDS_MAX,
                      &milliseconds, err))
        return false;
    action->has_index = index >= 0;
    action->index = action->has_index ? (int)index : 0;
    action->milliseconds = (int)milliseconds;
    return true;
}

bool action_from_json(const struct json *json, struct action *action,
                      struct err *err)
{
    struct action read = {.kind = ACTION_CLICK};
    const char *text = NULL;

    if (!read_names(json, &read, err) ||
        !read_point(json, "x", "y", &read.has_from, &read.from, err) ||
        !read_point(json, "x2", "y2", &read.has_to, &read.to, err) ||
        !read_numbers(json, &read, err) ||
        !json_opt_bool(json, "submit", &read.submit, err) ||
        !json_opt_string(json, "text", &text, err))
        return false;
    if (text && strlen(text) > ACTION_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "text: longer than %zu bytes",
                       ACTION_TEXT_MAX);
    read.text = text ? mem_dup(text) : NULL;
    *action = read;
    return true;
}
