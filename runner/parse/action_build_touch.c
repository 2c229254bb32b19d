/* Actions with a place on the screen: taps, swipes, scrolls, fields. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "runner/parse/action_builder.h"

/* Two points of a gesture that are this close are one; 1 is the screen. */
#define TAP_DISTANCE 0.04

static const char *const direction_names[] = {
    "direction", "scrolldirection", "swipedirection", "dir", "to", "argument",
    NULL,
};

/* ---- directions ---- */

static bool direction_of(const struct cJSON *value,
                         enum action_direction *direction)
{
    const struct cJSON *item = NULL;

    if (cJSON_IsString(value))
        return action_verb_direction(text_span_of(value->valuestring),
                                     direction);
    cJSON_ArrayForEach(item, value)
    {
        if (direction_of(item, direction))
            return true;
    }
    return false;
}

/* How far the content moves: below zero is up or left. */
static bool find_amount(const struct action_builder *builder,
                        const char *const *names, double *amount)
{
    for (size_t i = 0; names[i]; i++) {
        if (call_number_argument(builder->call, names[i], amount) &&
            *amount != 0)
            return true;
    }
    return false;
}

static void find_direction(struct action_builder *builder)
{
    static const char *const down[] = {"scrolly", "deltay", "dy", NULL};
    static const char *const right[] = {"scrollx", "deltax", "dx", NULL};
    static const char *const clicks[] = {"clicks", "amount", "pixels", "page",
                                         NULL};
    enum action_direction *direction = &builder->action.direction;
    struct number_list unnamed = number_list_of_unnamed(builder->call);
    double amount;

    *direction = builder->call->verb->direction;
    if (*direction != DIRECTION_NONE ||
        direction_of(action_call_argument(builder->call, direction_names),
                     direction) ||
        direction_of(builder->call->unnamed, direction) ||
        direction_of(
            action_call_argument(builder->call, action_builder_text_names),
            direction))
        return;
    if (find_amount(builder, down, &amount))
        *direction = amount > 0 ? DIRECTION_DOWN : DIRECTION_UP;
    else if (find_amount(builder, right, &amount))
        *direction = amount > 0 ? DIRECTION_RIGHT : DIRECTION_LEFT;
    else if (find_amount(builder, clicks, &amount) ||
             (unnamed.count == 1 && (amount = unnamed.values[0]) != 0))
        *direction = amount > 0 ? DIRECTION_UP : DIRECTION_DOWN;
}

/* Swipe(1, 2, 3, 4, "up"): both ends; Swipe([1, 2, 3, 4], "up"): a box. */
static bool two_points(const struct action_builder *builder)
{
    const struct cJSON *unnamed = builder->call->unnamed;

    return builder->call->verb->form == ACTION_VERB_PATH && unnamed &&
           !call_point_argument(builder->call) &&
           cJSON_IsNumber(unnamed->child) && number_list_of(unnamed).count >= 4;
}

/* A direction, or else the points that it leads from and to. */
static void find_way(struct action_builder *builder, struct call_point *from,
                     struct call_point *to)
{
    find_direction(builder);
    call_point_find_path(builder->call, action_builder_axis_order(builder),
                         builder->action.direction == DIRECTION_NONE ||
                             two_points(builder),
                         from, to);
    call_point_drop_placeholder(from);
}

/* ---- taps and long presses ---- */

/* A phone has one finger and no mouse. */
static bool has_left_button(const struct action_builder *builder,
                            struct err *err)
{
    static const char *const others[] = {"right", "middle", "wheel"};
    const struct cJSON *button = action_call_argument(
        builder->call, (const char *const[]){"button", NULL});

    for (size_t i = 0; cJSON_IsString(button) && i < ARRAY_LEN(others); i++) {
        if (!strcasecmp(button->valuestring, others[i]))
            return err_set(err, ERR_INVALID,
                           "there is no %s mouse button on a phone", others[i]);
    }
    return true;
}

/* How long it is held: by name, or long_press(540, 600, 2000). */
static bool find_hold(struct action_builder *builder, struct call_point *from,
                      struct err *err)
{
    struct number_list numbers = number_list_of_unnamed(builder->call);
    struct call_duration duration = action_builder_duration(builder);

    if (!from->known && numbers.count == 3) {
        *from = (struct call_point){true, numbers.values[0], numbers.values[1]};
        duration.known = true;
        duration.milliseconds =
            call_duration_without_unit(builder->call, builder->family,
                                       builder->action.kind, numbers.values[2]);
    }
    return action_builder_set_time(builder, duration, err);
}

/* AgentCPM: {"POINT": [1, 2], "duration": 1000} is held for this time. */
static void find_held_point(struct action_builder *builder)
{
    if (!strcmp(builder->call->verb->name, "point") &&
        builder->action.kind == ACTION_CLICK &&
        action_builder_duration(builder).known)
        builder->action.kind = ACTION_LONG_PRESS;
}

bool action_build_point(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};
    struct call_point to = {.known = false};

    if (!has_left_button(builder, err))
        return false;
    find_held_point(builder);
    call_point_find(builder->call, action_builder_axis_order(builder), &from);
    if (builder->action.kind == ACTION_LONG_PRESS &&
        !find_hold(builder, &from, err))
        return false;
    if (!from.known)
        action_builder_find_index(builder);
    if (!from.known && !builder->action.has_index)
        return action_builder_lacks(
            builder, "a point: two numbers, a box or an index", err);

    /* {"POINT": [1, 2], "to": "up"} is a swipe that begins there. */
    if (action_call_argument(builder->call,
                             (const char *const[]){"to", NULL})) {
        builder->action.kind = ACTION_SWIPE;
        builder->action.milliseconds = 0;
        call_point_find_path(builder->call, action_builder_axis_order(builder),
                             true, &from, &to);
        if (!to.known)
            find_direction(builder);
        if (!action_builder_set_time(builder, action_builder_duration(builder),
                                     err))
            return false;
    }
    return action_builder_set_from(builder, from, err) &&
           action_builder_set_to(builder, to, err);
}

/* ---- swipes, scrolls and gestures ---- */

/* How long the finger moves: by name, or swipe(540, 1800, 540, 600, 500). */
static struct call_duration move_duration(const struct action_builder *builder)
{
    struct number_list numbers = number_list_of_unnamed(builder->call);
    struct call_duration duration = action_builder_duration(builder);

    if (!duration.known && numbers.count == 5) {
        duration.known = true;
        duration.milliseconds =
            call_duration_without_unit(builder->call, builder->family,
                                       builder->action.kind, numbers.values[4]);
    }
    return duration;
}

bool action_build_path(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};
    struct call_point to = {.known = false};

    find_way(builder, &from, &to);
    if (!action_builder_set_time(builder, move_duration(builder), err))
        return false;
    if (from.known && to.known)
        builder->action.direction = DIRECTION_NONE;
    else if (builder->action.direction == DIRECTION_NONE)
        return action_builder_lacks(builder, "two points or a direction", err);
    if (!from.known)
        action_builder_find_index(builder);
    return action_builder_set_from(builder, from, err) &&
           action_builder_set_to(builder, to, err);
}

bool action_build_scroll(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};
    struct call_point to = {.known = false};

    find_way(builder, &from, &to);
    if (!action_builder_set_time(builder, move_duration(builder), err))
        return false;
    if (builder->action.direction == DIRECTION_NONE) {
        if (!from.known || !to.known)
            return action_builder_lacks(builder, "a direction", err);
        builder->action.kind = ACTION_SWIPE;
        return action_builder_set_from(builder, from, err) &&
               action_builder_set_to(builder, to, err);
    }
    if (!from.known &&
        action_call_argument(builder->call, action_builder_index_names))
        action_builder_find_index(builder);
    return action_builder_set_from(builder, from, err);
}

bool action_build_gesture(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};
    struct call_point to = {.known = false};

    call_point_find_path(builder->call, action_builder_axis_order(builder),
                         true, &from, &to);
    if (!from.known || !to.known)
        return action_builder_lacks(builder, "two points", err);
    if (hypot(from.x - to.x, from.y - to.y) <= TAP_DISTANCE) {
        builder->action.kind = ACTION_CLICK;
        to.known = false;
    }
    return action_builder_set_from(builder, from, err) &&
           action_builder_set_to(builder, to, err);
}

/* ---- fields ---- */

/* The field that has the focus, or one at a place. */
bool action_build_field(struct action_builder *builder, struct err *err)
{
    struct call_point from = {.known = false};

    call_point_find(builder->call, action_builder_axis_order(builder), &from);
    call_point_drop_placeholder(&from);
    if (!from.known)
        action_builder_find_index(builder);
    return action_builder_set_from(builder, from, err);
}
