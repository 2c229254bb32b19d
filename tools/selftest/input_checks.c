/* Whether the phone lets us press keys and type. Neither does anything. */
#include "adb/input.h"
#include "base/macros.h"
#include "tools/selftest/check.h"

static bool try_input(struct selftest *test, const char *arguments,
                      const char *praise, struct err *err)
{
    struct shell_result result;
    enum input_answer answer;

    if (!check_run(test, "input", arguments, &result, err))
        return false;
    answer = input_judge(&result);
    if (answer == INPUT_FORBIDDEN)
        err_fill(err, ERR_REMOTE, "this phone forbids input from adb; %s",
                 input_forbidden_advice);
    else if (answer != INPUT_TAKEN)
        check_fail_with_words(&result, "input", err);
    else
        check_say(test, "%s", praise);
    shell_result_release(&result);
    return answer == INPUT_TAKEN;
}

/* 0 is KEYCODE_UNKNOWN: no app does anything with it. */
static bool check_key(struct selftest *test, struct err *err)
{
    return try_input(test, "keyevent 0",
                     "takes keys; the one pressed means nothing", err);
}

static bool check_text(struct selftest *test, struct err *err)
{
    return try_input(test, "text ''", "takes text; none was typed", err);
}

static const struct check checks[] = {
    {"key", check_key, false},
    {"text", check_text, false},
};

const struct check_group input_checks = {"Input", checks, ARRAY_LEN(checks)};
