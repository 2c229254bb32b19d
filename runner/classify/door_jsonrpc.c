/* The calls of uiautomator2's server. */
#include <string.h>

#include "base/keycode.h"
#include "base/name_table.h"
#include "runner/classify/door_helpers.h"
#include "runner/classify/door_http.h"

#define STEP_MS 5 /* what one step of a swipe takes */
#define STEPS_MAX 10000

struct call {
    struct door_http *http;
    struct door_context *context;
    const struct cJSON *params; /* an array, or NULL */
};

typedef void call_fn(const struct call *call);

static const struct cJSON *param(const struct call *call, int index)
{
    return cJSON_IsArray(call->params) ? cJSON_GetArrayItem(call->params, index)
                                       : NULL;
}

static bool read_point(const struct call *call, int index,
                       struct action_point *point)
{
    return door_json_number(param(call, index), &point->x) &&
           door_json_number(param(call, index + 1), &point->y);
}

/* Something is done to an element that is found on the phone. */
static void use_element(const struct call *call)
{
    door_record_raw(call->context, EFFECT_ELEMENT);
}

/* ---- fingers ---- */

static void run_click(const struct call *call)
{
    struct action_point at;

    if (read_point(call, 0, &at))
        door_record_action(call->context,
                           door_action_at(ACTION_CLICK, at.x, at.y));
    else
        use_element(call);
}

static void run_path(const struct call *call, bool drags)
{
    struct action_point from;
    struct action_point to;
    int steps = 0;

    if (!read_point(call, 0, &from) || !read_point(call, 2, &to)) {
        use_element(call);
        return;
    }
    if (!door_json_number(param(call, 4), &steps) || steps < 0 ||
        steps > STEPS_MAX)
        steps = 0;
    door_record_path(call->context, from, to, steps * STEP_MS, drags);
}

static void run_swipe(const struct call *call)
{
    run_path(call, false);
}

static void run_drag(const struct call *call)
{
    run_path(call, true);
}

/* [[x, y, x, y, ...], steps of each part] */
static void run_points(const struct call *call)
{
    const struct cJSON *points = param(call, 0);
    int count = cJSON_IsArray(points) ? cJSON_GetArraySize(points) : 0;
    struct action_point from;
    struct action_point to;

    if (count >= 4 && count <= 1000 && !(count % 2) &&
        door_json_number(cJSON_GetArrayItem(points, 0), &from.x) &&
        door_json_number(cJSON_GetArrayItem(points, 1), &from.y) &&
        door_json_number(cJSON_GetArrayItem(points, count - 2), &to.x) &&
        door_json_number(cJSON_GetArrayItem(points, count - 1), &to.y))
        door_record_path(call->context, from, to, 300, false);
    else
        door_record_raw(call->context, EFFECT_UNKNOWN);
}

/* [action, x, y, meta]: 0 down, 1 up, 2 move */
static void run_inject(const struct call *call)
{
    struct door_contact *contact = &call->http->contacts.slots[0];
    struct action_point at;
    int action;

    if (!door_json_number(param(call, 0), &action) ||
        !read_point(call, 1, &at) || action < 0 || action > 2) {
        door_record_raw(call->context, EFFECT_UNKNOWN);
        return;
    }
    contact->at = at;
    contact->active = action == 0 || contact->active;
    door_contacts_report(&call->http->contacts, call->context);
    if (action != 1)
        return;
    contact->active = false;
    door_contacts_report(&call->http->contacts, call->context);
}

static void pinch(const struct call *call, const char *how)
{
    door_record_action(call->context, door_action_with(ACTION_PINCH, how));
}

static void run_pinch_in(const struct call *call)
{
    pinch(call, "in");
}

static void run_pinch_out(const struct call *call)
{
    pinch(call, "out");
}

static void scroll(const struct call *call, enum action_direction direction)
{
    door_record_action(call->context, (struct action){.kind = ACTION_SCROLL,
                                                      .direction = direction});
}

static void run_forward(const struct call *call)
{
    scroll(call, DIRECTION_DOWN);
}

static void run_backward(const struct call *call)
{
    scroll(call, DIRECTION_UP);
}

/* ---- text and keys ---- */

/* [selector, text]: in place of what is in the field */
static void run_set_text(const struct call *call)
{
    const struct cJSON *text = param(call, 1);

    if (!cJSON_IsString(text)) {
        use_element(call);
        return;
    }
    door_record_action(call->context, (struct action){.kind = ACTION_CLEAR});
    door_record_text(call->context, text->valuestring);
}

static void run_clear(const struct call *call)
{
    door_record_action(call->context, (struct action){.kind = ACTION_CLEAR});
}

static void run_key_name(const struct call *call)
{
    static const struct {
        const char *name;
        const char *key;
    } others[] = {
        {"recent", "APP_SWITCH"},  {"delete", "DEL"}, {"left", "DPAD_LEFT"},
        {"right", "DPAD_RIGHT"},   {"up", "DPAD_UP"}, {"down", "DPAD_DOWN"},
        {"center", "DPAD_CENTER"},
    };
    const struct cJSON *name = param(call, 0);
    const char *key = cJSON_IsString(name) ? name->valuestring : "";
    int code;

    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        if (!strcmp(others[i].name, key)) {
            key = others[i].key;
            break;
        }
    }
    if (keycode_parse(key, &code))
        door_record_key(call->context, code, 0);
    else
        door_record_raw(call->context, EFFECT_UNKNOWN);
}

static void run_key_code(const struct call *call)
{
    int code;

    if (door_json_number(param(call, 0), &code) && code >= 0 &&
        code <= KEY_LAST)
        door_record_key(call->context, code, 0);
    else
        door_record_raw(call->context, EFFECT_UNKNOWN);
}

static void run_wake(const struct call *call)
{
    door_record_key(call->context, KEY_WAKEUP, 0);
}

static void run_sleep(const struct call *call)
{
    door_record_key(call->context, KEY_SLEEP, 0);
}

static void run_notification(const struct call *call)
{
    door_record_key(call->context, KEY_NOTIFICATION, 0);
}

/* [label, text] */
static void run_set_clipboard(const struct call *call)
{
    const struct cJSON *text = param(call, 1);

    door_set_clipboard(call->context,
                       cJSON_IsString(text) ? text->valuestring : NULL);
}

static void run_setting(const struct call *call)
{
    door_record_raw(call->context, EFFECT_SETTING);
}

/* ---- the screen ---- */

static void run_dump(const struct call *call)
{
    door_record_capture(call->context, DOOR_TREE, DOOR_XML, NULL);
}

static void run_screenshot(const struct call *call)
{
    door_record_capture(call->context, DOOR_SCREENSHOT, DOOR_JPEG, NULL);
}

static void run_read(const struct call *call)
{
    door_record_read(call->context);
}

static const struct {
    const char *method;
    call_fn *run;
} methods[] = {
    {"click", run_click},
    {"longClick", use_element},
    {"clickAndWaitForNewWindow", use_element},
    {"swipe", run_swipe},
    {"drag", run_drag},
    {"dragTo", use_element},
    {"swipePoints", run_points},
    {"gesture", use_element},
    {"injectInputEvent", run_inject},
    {"pinchIn", run_pinch_in},
    {"pinchOut", run_pinch_out},
    {"scrollForward", run_forward},
    {"scrollBackward", run_backward},
    {"flingForward", run_forward},
    {"flingBackward", run_backward},
    {"scrollToBeginning", use_element},
    {"scrollToEnd", use_element},
    {"flingToBeginning", use_element},
    {"flingToEnd", use_element},
    {"scrollTo", use_element},
    {"setText", run_set_text},
    {"clearTextField", run_clear},
    {"clearInputText", run_clear},
    {"pressKey", run_key_name},
    {"pressKeyCode", run_key_code},
    {"wakeUp", run_wake},
    {"sleep", run_sleep},
    {"openNotification", run_notification},
    {"openQuickSettings", run_setting},
    {"setClipboard", run_set_clipboard},
    {"setOrientation", run_setting},
    {"freezeRotation", run_setting},
    {"dumpWindowHierarchy", run_dump},
    {"takeScreenshot", run_screenshot},
    {"ping", run_read},
    {"deviceInfo", run_read},
    {"objInfo", run_read},
    {"objInfoOfAllInstances", run_read},
    {"count", run_read},
    {"exist", run_read},
    {"getText", run_read},
    {"getBounds", run_read},
    {"getUiObject", run_read},
    {"getChild", run_read},
    {"getFromParent", run_read},
    {"childByText", run_read},
    {"childByDescription", run_read},
    {"childByInstance", run_read},
    {"waitForExists", run_read},
    {"waitUntilGone", run_read},
    {"waitForIdle", run_read},
    {"waitForWindowUpdate", run_read},
    {"getLastToast", run_read},
    {"clearLastToast", run_read},
    {"getLastTraversedText", run_read},
    {"clearLastTraversedText", run_read},
    {"getClipboard", run_read},
    {"getConfigurator", run_read},
    {"setConfigurator", run_read},
    {"setAccessibilityPatterns", run_read},
    {"isScreenOn", run_read},
    {"makeToast", run_read},
    {"hasWatcher", run_read},
    {"getWatchers", run_read},
};

static void run_call(struct door_http *http, const struct cJSON *object,
                     struct door_context *context)
{
    const struct cJSON *method =
        cJSON_GetObjectItemCaseSensitive(object, "method");
    const struct call call = {
        http, context, cJSON_GetObjectItemCaseSensitive(object, "params")};

    for (size_t i = 0; cJSON_IsString(method) && i < ARRAY_LEN(methods); i++) {
        if (!strcmp(methods[i].method, method->valuestring)) {
            methods[i].run(&call);
            return;
        }
    }
    door_record_raw(context, EFFECT_UNKNOWN);
}

void door_jsonrpc_run(struct door_http *http,
                      const struct door_http_request *request,
                      struct door_context *context)
{
    struct cJSON *tree = NULL;
    const struct cJSON *item;
    struct err ignored;

    if (!json_parse(request->body, request->length, &tree, &ignored)) {
        door_record_raw(context, EFFECT_UNKNOWN);
        return;
    }
    if (cJSON_IsArray(tree)) {
        cJSON_ArrayForEach(item, tree) run_call(http, item, context);
    } else {
        run_call(http, tree, context);
    }
    cJSON_Delete(tree);
}
