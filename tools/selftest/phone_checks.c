/* What makes it an Android phone, and which one. */
#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "tools/selftest/check.h"

/* Nothing here belongs to one phone alone. */
static const struct {
    const char *fact;
    const char *property;
} properties[] = {
    {"manufacturer", "ro.product.manufacturer"},
    {"model", "ro.product.model"},
    {"android", "ro.build.version.release"},
    {"sdk", "ro.build.version.sdk"},
    {"patch", "ro.build.version.security_patch"},
    {"abis", "ro.product.cpu.abilist"},
    {"build", "ro.build.type"},
    {"adb_secure", "ro.adb.secure"},
};

/* These do, so that words which quote them can be cleaned. */
static const char *const secrets[] = {
    "ro.serialno",
    "ro.boot.serialno",
    "net.hostname",
};

static bool get_property(struct selftest *test, const char *property,
                         char value[128], struct err *err)
{
    struct shell_result result;
    const char *text;

    if (!check_run_well(test, "getprop", property, &result, err))
        return false;
    text = buf_cstr(&result.out);
    snprintf(value, 128, "%.*s", (int)strcspn(text, "\r\n"), text);
    shell_result_release(&result);
    return true;
}

static bool check_properties(struct selftest *test, struct err *err)
{
    char value[128];

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        if (!get_property(test, secrets[i], value, err))
            return false;
        redactor_know(&test->trial->redactor, SECRET_SERIAL, value);
    }
    for (size_t i = 0; i < ARRAY_LEN(properties); i++) {
        if (!get_property(test, properties[i].property, value, err))
            return false;
        trial_add_fact(test->trial, properties[i].fact, value);
    }
    check_say(
        test, "%s %s, Android %s, %s", trial_fact(test->trial, "manufacturer"),
        trial_fact(test->trial, "model"), trial_fact(test->trial, "android"),
        trial_fact(test->trial, "abis"));
    return true;
}

/* Installing changes the phone; that the service answers is as much. */
static bool check_packages(struct selftest *test, struct err *err)
{
    struct shell_result result;
    bool answered;

    if (!check_run_well(test, "pm", "path android", &result, err))
        return false;
    answered = !strncmp(buf_cstr(&result.out), "package:", 8);
    if (answered)
        check_say(test, "answers; installs go %s",
                  device_has(test->device, FEATURE_CMD)
                      ? "through cmd, as they arrive"
                      : "through a file");
    else
        check_fail_with_words(&result, "pm", err);
    shell_result_release(&result);
    return answered;
}

static const struct check checks[] = {
    {"properties", check_properties, false},
    {"package manager", check_packages, false},
};

const struct check_group phone_checks = {"Phone", checks, ARRAY_LEN(checks)};
