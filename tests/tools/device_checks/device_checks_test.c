/* The checks of a phone with shell version 1 and without exec: and sync:. */
#include "tools/device_checks/device_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/old_phone.h"
#include "tools/device_checks/device_check.h"

#define SOON deadline_in_ms(60000)

static const struct check_result *find(const struct check_results *results,
                                       const char *topic, const char *name)
{
    for (size_t i = 0; i < results->check_count; i++) {
        if (!strcmp(results->checks[i].topic, topic) &&
            !strcmp(results->checks[i].name, name))
            return &results->checks[i];
    }
    fail_msg("no check %s, %s", topic, name);
    return NULL;
}

static void assert_outcome(const struct check_results *results,
                           const char *topic, const char *name,
                           enum check_outcome outcome)
{
    const struct check_result *found = find(results, topic, name);

    if (found->outcome != outcome)
        fail_msg("%s, %s: %s, %s", topic, name,
                 check_outcome_name(found->outcome), found->detail);
}

static void phone_with_shell_v1_is_checked_like_others(void **state)
{
    struct old_phone *phone = old_phone_start(0);
    struct device *device = old_phone_open(phone);
    const struct device_checks_options options = {.device = device, .by = SOON};
    struct cleanup_list cleanup_list;
    struct check_results results;
    struct err err = ERR_INIT;

    (void)state;
    check_results_init(&results);
    assert_true(cleanup_list_init(&cleanup_list, &err));
    if (!device_checks_run(&options, &cleanup_list, &results, &err))
        fail_msg("%s", err.text);
    assert_int_equal(access(cleanup_list.directory, F_OK), 0);
    device_checks_clean_up(&cleanup_list, device, SOON, &results);
    assert_outcome(&results, "Shell", "status and errors", CHECK_PASSED);
    assert_outcome(&results, "Shell", "input, binary", CHECK_NOT_OFFERED);
    assert_outcome(&results, "Shell", "exec:, binary", CHECK_NOT_OFFERED);
    assert_outcome(&results, "Shell", "version 1", CHECK_PASSED);
    assert_outcome(&results, "Files", "directory", CHECK_PASSED);
    assert_outcome(&results, "Streams", "16 at once", CHECK_NOT_OFFERED);
    assert_outcome(&results, "Afterwards", "clean-up", CHECK_PASSED);
    for (size_t i = 0; i < results.made_count; i++)
        assert_true(results.made[i].removed);
    assert_int_equal(access(cleanup_list.directory, F_OK), -1);
    check_results_release(&results);
    device_close(device);
    old_phone_stop(phone);
}

static void failed_program_on_shell_v1_is_no_success(void **state)
{
    static const struct {
        const char *program;
        const char *arguments;
        bool well;
    } cases[] = {
        {"sleep", "0", true},
        {"sleep", "forever", false},
        {"ls", "/nonexistent", false},
        {"no-such-program", "", false},
    };
    struct old_phone *phone = old_phone_start(0);
    struct device *device = old_phone_open(phone);
    struct device_check_context test = {.device = device, .by = SOON};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct shell_result result;
        struct err err = ERR_INIT;
        bool well = device_check_run_well(&test, cases[i].program,
                                          cases[i].arguments, &result, &err);

        assert_int_equal(well, cases[i].well);
        if (well)
            shell_result_release(&result);
    }
    device_close(device);
    old_phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phone_with_shell_v1_is_checked_like_others),
        cmocka_unit_test(failed_program_on_shell_v1_is_no_success),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
