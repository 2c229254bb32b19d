/* The calls of mobilecli's server, which mobile-mcp brings to the phone. */
#include <string.h>

#include "runner/classify/door_helpers.h"
#include "runner/classify/door_http.h"

static const struct {
    const char *method;
    bool reads;
    enum action_effect effect; /* if it does not read */
} methods[] = {
    {"device.apps.list", true, EFFECT_UNKNOWN},
    {"device.clipboard.get", true, EFFECT_UNKNOWN},
    {"device.dump.ui", true, EFFECT_UNKNOWN},
    {"device.flutter.vmServiceUri", true, EFFECT_UNKNOWN},
    {"device.screenshot", true, EFFECT_UNKNOWN},
    {"device.version", true, EFFECT_UNKNOWN},
    {"device.webview.list", true, EFFECT_UNKNOWN},
    {"device.webview.waitForLoadState", true, EFFECT_UNKNOWN},
    {"device.webview.evaluate", false, EFFECT_ELEMENT},
    {"device.webview.goBack", false, EFFECT_ELEMENT},
    {"device.webview.goForward", false, EFFECT_ELEMENT},
    {"device.webview.goto", false, EFFECT_DEEP_LINK},
    {"device.webview.reload", false, EFFECT_ELEMENT},
    {"device.io.keyboard.hide", false, EFFECT_KEYBOARD},
    {"device.location.clear", false, EFFECT_SETTING},
    {"device.location.set", false, EFFECT_SETTING},
};

static void run_method(const char *method, const struct cJSON *params,
                       struct door_context *context)
{
    const struct cJSON *text = cJSON_GetObjectItemCaseSensitive(params, "text");

    if (!strcmp(method, "device.clipboard.set") ||
        !strcmp(method, "device.clipboard.clear")) {
        door_set_clipboard(context,
                           cJSON_IsString(text) ? text->valuestring : NULL);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        if (strcmp(methods[i].method, method) != 0)
            continue;
        if (methods[i].reads)
            door_record_read(context);
        else
            door_record_raw(context, methods[i].effect);
        return;
    }
    door_record_raw(context, EFFECT_UNKNOWN);
}

void door_mobilecli_run(const struct door_http_request *request,
                        struct door_context *context)
{
    const struct cJSON *method = NULL;
    struct cJSON *tree = NULL;
    struct err ignored;

    if (json_parse(request->body, request->length, &tree, &ignored))
        method = cJSON_GetObjectItemCaseSensitive(tree, "method");
    if (method && cJSON_IsString(method))
        run_method(method->valuestring,
                   cJSON_GetObjectItemCaseSensitive(tree, "params"), context);
    else if (cJSON_IsObject(tree) && !tree->child)
        door_record_read(context); /* {}: is it there? */
    else
        door_record_raw(context, EFFECT_UNKNOWN);
    cJSON_Delete(tree);
}
