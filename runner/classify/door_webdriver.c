/* The WebDriver commands of Appium's UiAutomator2 server. */
#include <string.h>

#include "base/keycode.h"
#include "runner/classify/door_http.h"
#include "runner/classify/door_private.h"

typedef void command_fn(const struct cJSON *body, struct door_context *context);

static const struct cJSON *member(const struct cJSON *object, const char *name)
{
    return cJSON_IsObject(object)
               ? cJSON_GetObjectItemCaseSensitive(object, name)
               : NULL;
}

static bool read_point(const struct cJSON *object, struct action_point *point)
{
    return door_json_number(member(object, "x"), &point->x) &&
           door_json_number(member(object, "y"), &point->y);
}

/* ---- text and keys ---- */

#define WEBDRIVER_ENTER "\xee\x80\x87" /* U+E007 */

static void type_text(const char *text, struct door_context *context)
{
    size_t length = strlen(text);
    size_t enter = strlen(WEBDRIVER_ENTER);
    bool submits =
        length >= enter && !strcmp(text + length - enter, WEBDRIVER_ENTER);
    struct buf plain = BUF_INIT(ACTION_TEXT_MAX);

    buf_append(&plain, text, submits ? length - enter : length);
    if (plain.overflow)
        door_record_raw(context, EFFECT_UNKNOWN);
    else if (plain.length)
        door_record_text(context, buf_cstr(&plain));
    if (submits)
        door_record_key(context, KEY_ENTER, 0);
    buf_release(&plain);
}

/* {"text": "..."} or {"value": ["a", "b"]} */
static void run_value(const struct cJSON *body, struct door_context *context)
{
    const struct cJSON *text = member(body, "text");
    const struct cJSON *item;
    struct buf whole = BUF_INIT(ACTION_TEXT_MAX);

    if (cJSON_IsString(text)) {
        buf_text(&whole, text->valuestring);
    } else {
        cJSON_ArrayForEach(item, member(body, "value"))
        {
            if (cJSON_IsString(item))
                buf_text(&whole, item->valuestring);
        }
    }
    if (whole.length)
        type_text(buf_cstr(&whole), context);
    else
        door_record_raw(context, EFFECT_ELEMENT);
    buf_release(&whole);
}

static void run_clear(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_action(context, (struct action){.kind = ACTION_CLEAR});
}

static void run_back(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_key(context, KEY_BACK, 0);
}

static void press_code(const struct cJSON *body, int milliseconds,
                       struct door_context *context)
{
    int code;

    if (door_json_number(member(body, "keycode"), &code) && code >= 0 &&
        code <= KEY_LAST)
        door_record_key(context, code, milliseconds);
    else
        door_record_raw(context, EFFECT_UNKNOWN);
}

static void run_key(const struct cJSON *body, struct door_context *context)
{
    press_code(body, 0, context);
}

static void run_long_key(const struct cJSON *body, struct door_context *context)
{
    press_code(body, 500, context);
}

static void run_notifications(const struct cJSON *body,
                              struct door_context *context)
{
    (void)body;
    door_record_key(context, KEY_NOTIFICATION, 0);
}

/* ---- gestures ---- */

/* {"offset": {"x", "y"}}; with an origin it is an element's. */
static void tap(const struct cJSON *body, enum action_kind kind,
                struct door_context *context)
{
    struct action_point at;

    if (!member(body, "origin") &&
        (read_point(member(body, "offset"), &at) || read_point(body, &at)))
        door_record_action(context, door_action_at(kind, at.x, at.y));
    else
        door_record_raw(context, EFFECT_ELEMENT);
}

static void run_click(const struct cJSON *body, struct door_context *context)
{
    tap(body, ACTION_CLICK, context);
}

static void run_long_click(const struct cJSON *body,
                           struct door_context *context)
{
    tap(body, ACTION_LONG_PRESS, context);
}

static void run_double_click(const struct cJSON *body,
                             struct door_context *context)
{
    tap(body, ACTION_DOUBLE_TAP, context);
}

static void run_drag(const struct cJSON *body, struct door_context *context)
{
    struct action_point from;
    struct action_point to;

    if (!member(body, "origin") && read_point(member(body, "start"), &from) &&
        read_point(member(body, "end"), &to))
        door_record_path(context, from, to, 0, true);
    else
        door_record_raw(context, EFFECT_ELEMENT);
}

static void move(const struct cJSON *body, enum action_kind kind,
                 struct door_context *context)
{
    const struct cJSON *direction = member(body, "direction");
    struct action action = {.kind = kind};

    if (cJSON_IsString(direction) &&
        action_direction_find(direction->valuestring, &action.direction) &&
        action.direction != DIRECTION_NONE)
        door_record_action(context, action);
    else
        door_record_raw(context, EFFECT_ELEMENT);
}

static void run_swipe(const struct cJSON *body, struct door_context *context)
{
    move(body, ACTION_SWIPE, context);
}

static void run_scroll(const struct cJSON *body, struct door_context *context)
{
    move(body, ACTION_SCROLL, context);
}

static void run_pinch_open(const struct cJSON *body,
                           struct door_context *context)
{
    (void)body;
    door_record_action(context, door_action_with(ACTION_PINCH, "out"));
}

static void run_pinch_close(const struct cJSON *body,
                            struct door_context *context)
{
    (void)body;
    door_record_action(context, door_action_with(ACTION_PINCH, "in"));
}

static void run_actions(const struct cJSON *body, struct door_context *context)
{
    const struct json root = JSON_ROOT(body);

    door_webdriver_actions(&root, context);
}

/* ---- others ---- */

static void run_read(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_read(context);
}

static void run_link(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_raw(context, EFFECT_DEEP_LINK);
}

static void run_setting(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_raw(context, EFFECT_SETTING);
}

static void use_element(const struct cJSON *body, struct door_context *context)
{
    (void)body;
    door_record_raw(context, EFFECT_ELEMENT);
}

/* By the end of the path, in this order. */
static const struct {
    const char *ending;
    command_fn *run;
} commands[] = {
    {"/appium/gestures/click", run_click},
    {"/appium/gestures/double_click", run_double_click},
    {"/appium/gestures/long_click", run_long_click},
    {"/appium/gestures/drag", run_drag},
    {"/appium/gestures/swipe", run_swipe},
    {"/appium/gestures/scroll", run_scroll},
    {"/appium/gestures/fling", run_scroll},
    {"/appium/gestures/pinch_open", run_pinch_open},
    {"/appium/gestures/pinch_close", run_pinch_close},
    {"/appium/tap", run_click},
    {"/touch/click", run_click},
    {"/touch/longclick", run_long_click},
    {"/appium/device/press_keycode", run_key},
    {"/appium/device/long_press_keycode", run_long_key},
    {"/appium/device/open_notifications", run_notifications},
    {"/appium/settings", run_read},
    {"/actions", run_actions},
    {"/click", use_element},
    {"/value", run_value},
    {"/keys", run_value},
    {"/clear", run_clear},
    {"/back", run_back},
    {"/element", run_read},
    {"/elements", run_read},
    {"/timeouts", run_read},
    {"/timeouts/implicit_wait", run_read},
    {"/url", run_link},
    {"/orientation", run_setting},
    {"/rotation", run_setting},
};

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path);
    size_t size = strlen(ending);

    return length >= size && !strcmp(path + length - size, ending);
}

static void run_get(const char *path, struct door_context *context)
{
    if (has_ending(path, "/screenshot"))
        door_record_capture(context, DOOR_SCREENSHOT, DOOR_PNG, NULL);
    else if (has_ending(path, "/source"))
        door_record_capture(context, DOOR_TREE, DOOR_XML, NULL);
    else
        door_record_read(context);
}

void door_webdriver_run(const struct door_http_request *request,
                        const char *path, struct door_context *context)
{
    struct cJSON *body = NULL;
    struct err ignored;

    if (!strcmp(request->method, "GET") || !strcmp(request->method, "DELETE")) {
        run_get(path, context);
        return;
    }
    (void)!json_parse(request->body, request->length, &body, &ignored);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (has_ending(path, commands[i].ending)) {
            commands[i].run(body, context);
            cJSON_Delete(body);
            return;
        }
    }
    door_record_raw(context, EFFECT_UNKNOWN);
    cJSON_Delete(body);
}
