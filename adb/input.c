#include "adb/input.h"

#include <string.h>

#define ANSWER_LIMIT ((size_t)64 * 1024)
#define NO_SUCH_COMMAND 127

const char input_forbidden_advice[] =
    "in the phone's developer options, turn on what lets USB debugging "
    "simulate input (on Xiaomi: \"USB debugging (Security settings)\")";

static bool says(const struct shell_result *result, const char *word)
{
    return strcasestr(buf_cstr(&result->errors), word) ||
           strcasestr(buf_cstr(&result->out), word);
}

enum input_answer input_judge(const struct shell_result *result)
{
    if (says(result, "INJECT_EVENTS"))
        return INPUT_FORBIDDEN;
    if (result->status == NO_SUCH_COMMAND)
        return INPUT_MISSING;
    /* The status of an old phone's input is 0 also when it failed. */
    if (result->status > 0 || says(result, "error") ||
        says(result, "exception") || says(result, "usage:"))
        return INPUT_FAILED;
    return INPUT_TAKEN;
}

bool input_try(struct device *device, struct deadline by,
               enum input_answer *answer, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, "input keyevent 0", ANSWER_LIMIT, by, &result, err))
        return false;
    *answer = input_judge(&result);
    shell_result_release(&result);
    return true;
}
