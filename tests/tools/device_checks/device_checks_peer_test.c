/* The selftest of phones that the command line cannot select. */
#include "tools/device_checks/device_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/adb/stock_adbd.h"

#define PATIENCE_MS 60000

static void assert_gone(const struct cleanup_list *cleanup_list)
{
    char path[4096];

    assert_true(cleanup_list->directory_removed);
    snprintf(path, sizeof(path), "%s%s", getenv("PROCTOR_PEER_ROOT"),
             cleanup_list->directory);
    assert_int_equal(access(path, F_OK), -1);
}

static void old_phone_has_no_failures_and_fewer_features(void **state)
{
    struct device *device = stock_adbd_open(STOCK_ADBD_OLD);
    const struct device_checks_options options = {.device = device,
                                                  .by = DEADLINE_NEVER};
    struct cleanup_list cleanup_list;
    struct check_results check_results;
    struct err err;

    (void)state;
    check_results_init(&check_results);
    assert_true(cleanup_list_init(&cleanup_list, &err));
    assert_true(
        device_checks_run(&options, &cleanup_list, &check_results, &err));
    device_checks_clean_up(&cleanup_list, device, deadline_in_ms(PATIENCE_MS),
                           &check_results);
    for (size_t i = 0; i < check_results.check_count; i++) {
        if (check_results.checks[i].outcome == CHECK_FAILED)
            fail_msg("%s: %s", check_results.checks[i].name,
                     check_results.checks[i].detail);
    }
    assert_int_equal(check_results_count(&check_results, CHECK_NOT_OFFERED),
                     13);
    assert_string_equal(check_results_fact(&check_results, "features"), "");
    assert_gone(&cleanup_list);
    device_close(device);
    check_results_release(&check_results);
}

static void files_that_cannot_be_removed_are_reported(void **state)
{
    struct cleanup_list cleanup_list = {.directory = "/tmp/x"};
    struct check_results check_results;

    (void)state;
    check_results_init(&check_results);
    device_checks_clean_up(&cleanup_list, NULL, DEADLINE_NEVER, &check_results);
    assert_int_equal(check_results_count(&check_results, CHECK_FAILED), 1);
    assert_int_equal(check_results.made_count, 1);
    assert_false(check_results.made[0].removed);
    check_results_release(&check_results);
}

static void passed_deadline_ends_it_early(void **state)
{
    struct device *device = stock_adbd_open(STOCK_ADBD_DIRECT);
    const struct device_checks_options options = {.device = device,
                                                  .by = deadline_in_ms(-1)};
    struct cleanup_list cleanup_list;
    struct check_results check_results;
    struct err err;

    (void)state;
    check_results_init(&check_results);
    assert_true(cleanup_list_init(&cleanup_list, &err));
    assert_false(
        device_checks_run(&options, &cleanup_list, &check_results, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_int_equal(check_results.check_count, 0);
    assert_string_equal(check_results.ending,
                        "the time given by --timeout is over");
    device_close(device);
    check_results_release(&check_results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_phone_has_no_failures_and_fewer_features),
        cmocka_unit_test(files_that_cannot_be_removed_are_reported),
        cmocka_unit_test(passed_deadline_ends_it_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
