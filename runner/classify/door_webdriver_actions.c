/*
 * W3C actions: sources, each with a list of what it does in its own time.
 * Fingers become gestures, one after the other; two at once are a pinch.
 */
#include <string.h>

#include "base/keycode.h"
#include "runner/classify/door_http.h"
#include "runner/classify/door_private.h"

#define SOURCES_MAX 4
#define ACTIONS_MAX 500 /* of one source */

struct pointer {
    struct finger_gesture touch;
    struct action_point at;
    int64_t now;
    bool placed;
    bool unknown; /* it is at an element, or relative */
};

static const struct cJSON *member(const struct cJSON *object, const char *name)
{
    return cJSON_IsObject(object)
               ? cJSON_GetObjectItemCaseSensitive(object, name)
               : NULL;
}

static bool is(const struct cJSON *value, const char *text)
{
    return cJSON_IsString(value) && !strcmp(value->valuestring, text);
}

static void pass_time(const struct cJSON *action, int64_t *now)
{
    int duration;

    if (door_json_number(member(action, "duration"), &duration) && duration > 0)
        *now += duration;
}

static void move_pointer(struct pointer *pointer, const struct cJSON *action,
                         int slop)
{
    const struct cJSON *origin = member(action, "origin");
    struct action_point at;
    int64_t begin = pointer->now;

    pass_time(action, &pointer->now);
    if ((origin && !is(origin, "viewport")) ||
        !door_json_number(member(action, "x"), &at.x) ||
        !door_json_number(member(action, "y"), &at.y)) {
        pointer->unknown = true;
        return;
    }
    pointer->at = at;
    pointer->placed = true;
    if (pointer->touch.down)
        finger_gesture_move(&pointer->touch, at, begin, slop); /* it glides */
}

/* Another action of a pointer; lifted: *action is what it did. */
static bool run_pointer(struct pointer *pointer, const struct cJSON *item,
                        int slop, struct action *action)
{
    const struct cJSON *type = member(item, "type");

    if (is(type, "pointerMove")) {
        move_pointer(pointer, item, slop);
    } else if (is(type, "pause")) {
        pass_time(item, &pointer->now);
    } else if (is(type, "pointerDown")) {
        pointer->unknown = pointer->unknown || !pointer->placed;
        finger_gesture_down(&pointer->touch, pointer->at, pointer->now);
    } else if (is(type, "pointerUp") && pointer->touch.down) {
        *action = finger_gesture_up(&pointer->touch, pointer->now);
        return true;
    }
    return false;
}

static void run_finger(const struct cJSON *list, struct door_context *context)
{
    int slop = finger_gesture_slop(context->classifier->options.display.size);
    struct pointer pointer = {.now = context->now};
    const struct cJSON *item;
    int count = 0;

    cJSON_ArrayForEach(item, list)
    {
        struct action action;

        if (++count > ACTIONS_MAX)
            break;
        if (!run_pointer(&pointer, item, slop, &action))
            continue;
        context->now = pointer.now;
        if (pointer.unknown)
            door_record_raw(context, EFFECT_ELEMENT);
        else
            door_record_action(context, action);
    }
    if (count > ACTIONS_MAX || pointer.touch.down)
        door_record_raw(context, EFFECT_UNKNOWN);
}

/* Where a finger came down and was lifted last. */
static bool trace(const struct cJSON *list, struct door_context *context,
                  struct pointer *pointer)
{
    int slop = finger_gesture_slop(context->classifier->options.display.size);
    const struct cJSON *item;
    struct action action;
    int count = 0;

    *pointer = (struct pointer){.now = context->now};
    cJSON_ArrayForEach(item, list)
    {
        if (++count > ACTIONS_MAX)
            return false;
        if (run_pointer(pointer, item, slop, &action))
            return !pointer->unknown;
    }
    return false;
}

static void run_two(const struct cJSON *const lists[2],
                    struct door_context *context)
{
    struct pointer pointers[2];

    if (trace(lists[0], context, &pointers[0]) &&
        trace(lists[1], context, &pointers[1]))
        door_record_action(context, finger_gesture_pinch(&pointers[0].touch,
                                                         &pointers[1].touch,
                                                         pointers[0].now));
    else
        door_record_raw(context, EFFECT_UNKNOWN);
}

/* keyDown with a character types it. */
static void run_keys(const struct cJSON *list, struct door_context *context)
{
    const struct cJSON *item;
    int count = 0;

    cJSON_ArrayForEach(item, list)
    {
        const struct cJSON *value = member(item, "value");

        if (++count > ACTIONS_MAX)
            break;
        if (!is(member(item, "type"), "keyDown") || !cJSON_IsString(value))
            continue;
        if (!strcmp(value->valuestring, "\xee\x80\x87")) /* U+E007 */
            door_record_key(context, KEY_ENTER, 0);
        else if (!strncmp(value->valuestring, "\xee\x80", 2))
            door_record_raw(context, EFFECT_UNKNOWN);
        else
            door_record_text(context, value->valuestring);
    }
}

void door_webdriver_actions(const struct json *body,
                            struct door_context *context)
{
    const struct cJSON *sources = member(body->value, "actions");
    const struct cJSON *fingers[SOURCES_MAX] = {NULL};
    const struct cJSON *source;
    size_t count = 0;
    bool any = false;

    cJSON_ArrayForEach(source, sources)
    {
        if (is(member(source, "type"), "key"))
            run_keys(member(source, "actions"), context);
        else if (is(member(source, "type"), "pointer") && count < SOURCES_MAX)
            fingers[count++] = member(source, "actions");
        any = true;
    }
    if (count == 1)
        run_finger(fingers[0], context);
    else if (count == 2)
        run_two(fingers, context);
    else if (count || !any)
        door_record_raw(context, EFFECT_UNKNOWN);
}
