/* Whether the phone lets us press keys and type. Neither does anything. */
#include <string.h>

#include "adb/services/input_permission.h"
#include "base/macros.h"
#include "tools/device_checks/device_check.h"

static bool try_input(struct device_check_context *test, const char *arguments,
                      const char *praise, struct err *err)
{
    struct shell_result result;
    enum input_permission answer;

    if (!device_check_run(test, "input", arguments, &result, err))
        return false;
    answer = input_permission_parse(&result);
    if (answer == INPUT_PERMISSION_FORBIDDEN)
        err_fill(err, ERR_REMOTE, "this phone forbids input from adb; %s",
                 input_permission_advice);
    else if (answer != INPUT_PERMISSION_ALLOWED)
        device_check_fail_with_words(&result, "input", err);
    else
        device_check_say(test, "%s", praise);
    shell_result_release(&result);
    return answer == INPUT_PERMISSION_ALLOWED;
}

/* 0 is KEYCODE_UNKNOWN: no app does anything with it. */
static bool check_key(struct device_check_context *test, struct err *err)
{
    return try_input(test, "keyevent 0",
                     "takes keys; the one pressed means nothing", err);
}

/* Android 4.4 loses an empty word on the way, so no text can be tried there. */
static bool check_text(struct device_check_context *test, struct err *err)
{
    if (try_input(test, "text ''", "takes text; none was typed", err))
        return true;
    if (strstr(err->text, "Invalid arguments for command: text"))
        err->code = ERR_UNSUPPORTED;
    return false;
}

static const struct device_check checks[] = {
    {"key", check_key, false},
    {"text", check_text, false},
};

const struct device_check_group input_checks = {"Input", checks,
                                                ARRAY_LEN(checks)};
