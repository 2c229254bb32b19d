#include "adb/services/input_permission.h"

#include <string.h>

#define ANSWER_LIMIT ((size_t)64 * 1024)
#define NO_SUCH_COMMAND 127

const char input_permission_advice[] =
    "in the phone's developer options, turn on the option that lets USB "
    "debugging simulate input (on Xiaomi: \"USB debugging (Security "
    "settings)\")";

static bool says(const struct shell_result *result, const char *word)
{
    return strcasestr(buf_cstr(&result->errors), word) ||
           strcasestr(buf_cstr(&result->out), word);
}

enum input_permission input_permission_parse(const struct shell_result *result)
{
    if (says(result, "INJECT_EVENTS"))
        return INPUT_PERMISSION_FORBIDDEN;
    if (result->status == NO_SUCH_COMMAND)
        return INPUT_PERMISSION_MISSING;
    /* On old phones the status of input is 0 even when it failed. */
    if (result->status > 0 || says(result, "error") ||
        says(result, "exception") || says(result, "usage:"))
        return INPUT_PERMISSION_FAILED;
    return INPUT_PERMISSION_ALLOWED;
}

bool input_permission_check(struct device *device, struct deadline by,
                            enum input_permission *answer, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, "input keyevent 0", ANSWER_LIMIT, by, &result, err))
        return false;
    *answer = input_permission_parse(&result);
    shell_result_release(&result);
    return true;
}
