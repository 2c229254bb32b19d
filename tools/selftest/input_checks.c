/* Whether the phone lets us press keys and type. Neither does anything. */
#include <string.h>

#include "base/macros.h"
#include "tools/selftest/check.h"

/* Android's permission to inject; some phones keep it from their shell. */
static bool is_forbidden(const struct shell_result *result)
{
    return strstr(buf_cstr(&result->errors), "INJECT_EVENTS") ||
           strstr(buf_cstr(&result->out), "INJECT_EVENTS");
}

/* The status of an old phone's input is 0 also when it failed. */
static bool complains(const struct buf *text)
{
    return strstr(buf_cstr(text), "Error") ||
           strstr(buf_cstr(text), "Exception") ||
           strcasestr(buf_cstr(text), "usage:");
}

static bool has_failed(const struct shell_result *result)
{
    return result->status > 0 || complains(&result->errors) ||
           complains(&result->out);
}

static bool try_input(struct selftest *test, const char *arguments,
                      const char *praise, struct err *err)
{
    struct shell_result result;
    bool failed;

    if (!check_run(test, "input", arguments, &result, err))
        return false;
    failed = has_failed(&result);
    if (is_forbidden(&result))
        err_fill(err, ERR_REMOTE,
                 "this phone forbids input from adb; on Xiaomi phones turn on "
                 "\"USB debugging (Security settings)\"");
    else if (failed)
        check_fail_with_words(&result, "input", err);
    else
        check_say(test, "%s", praise);
    shell_result_release(&result);
    return !failed;
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
