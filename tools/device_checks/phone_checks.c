/* Checks that it is an Android phone, and which one. */
#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "tools/device_checks/device_check.h"

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

/* These do, so that messages which quote them can be cleaned. */
static const char *const secrets[] = {
    "ro.serialno",
    "ro.boot.serialno",
    "net.hostname",
};

static bool get_property(struct device_check_context *test,
                         const char *property, char value[128], struct err *err)
{
    struct shell_result result;
    const char *text;

    if (!device_check_run_well(test, "getprop", property, &result, err))
        return false;
    text = buf_cstr(&result.out);
    snprintf(value, 128, "%.*s", (int)strcspn(text, "\r\n"), text);
    shell_result_release(&result);
    return true;
}

static bool check_properties(struct device_check_context *test, struct err *err)
{
    char value[128];

    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        if (!get_property(test, secrets[i], value, err))
            return false;
        redactor_know(&test->check_results->redactor, SECRET_SERIAL, value);
    }
    for (size_t i = 0; i < ARRAY_LEN(properties); i++) {
        if (!get_property(test, properties[i].property, value, err))
            return false;
        check_results_add_fact(test->check_results, properties[i].fact, value);
    }
    device_check_say(test, "%s %s, Android %s, %s",
                     check_results_fact(test->check_results, "manufacturer"),
                     check_results_fact(test->check_results, "model"),
                     check_results_fact(test->check_results, "android"),
                     check_results_fact(test->check_results, "abis"));
    return true;
}

/* Installing changes the phone; that the service answers is as much. */
static bool check_packages(struct device_check_context *test, struct err *err)
{
    struct shell_result result;
    bool answered;

    if (!device_check_run_well(test, "pm", "path android", &result, err))
        return false;
    answered = !strncmp(buf_cstr(&result.out), "package:", 8);
    if (answered)
        device_check_say(test, "answers; installs go %s",
                         device_has(test->device, FEATURE_CMD)
                             ? "through cmd, as they arrive"
                             : "through a file");
    else
        device_check_fail_with_words(&result, "pm", err);
    shell_result_release(&result);
    return answered;
}

static const struct device_check checks[] = {
    {"properties", check_properties, false},
    {"package manager", check_packages, false},
};

const struct device_check_group phone_checks = {"Phone", checks,
                                                ARRAY_LEN(checks)};
