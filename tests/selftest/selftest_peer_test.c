/* A selftest of phones that the command line cannot choose. */
#include "tools/selftest/selftest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/peer_device.h"

#define PATIENCE_MS 60000

static void assert_gone(const struct footprint *footprint)
{
    char path[4096];

    assert_true(footprint->directory_removed);
    snprintf(path, sizeof(path), "%s%s", getenv("PROCTOR_PEER_ROOT"),
             footprint->directory);
    assert_int_equal(access(path, F_OK), -1);
}

static void an_old_phone_fails_nothing_and_offers_less(void **state)
{
    struct device *device = peer_device_open(PEER_OLD);
    const struct selftest_options options = {.device = device,
                                             .by = DEADLINE_NEVER};
    struct footprint footprint;
    struct trial trial;
    struct err err;

    (void)state;
    trial_init(&trial);
    assert_true(footprint_init(&footprint, &err));
    assert_true(selftest_run(&options, &footprint, &trial, &err));
    selftest_clean_up(&footprint, device, deadline_in_ms(PATIENCE_MS), &trial);
    for (size_t i = 0; i < trial.check_count; i++) {
        if (trial.checks[i].outcome == TRIAL_FAILED)
            fail_msg("%s: %s", trial.checks[i].name, trial.checks[i].words);
    }
    assert_int_equal(trial_count(&trial, TRIAL_NOT_OFFERED), 14);
    assert_string_equal(trial_fact(&trial, "features"), "");
    assert_gone(&footprint);
    device_close(device);
    trial_release(&trial);
}

static void what_is_out_of_reach_is_told_to_remain(void **state)
{
    struct footprint footprint = {.directory = "/tmp/x"};
    struct trial trial;

    (void)state;
    trial_init(&trial);
    selftest_clean_up(&footprint, NULL, DEADLINE_NEVER, &trial);
    assert_int_equal(trial_count(&trial, TRIAL_FAILED), 1);
    assert_int_equal(trial.made_count, 1);
    assert_false(trial.made[0].removed);
    trial_release(&trial);
}

static void time_that_is_over_ends_it_early(void **state)
{
    struct device *device = peer_device_open(PEER_DIRECT);
    const struct selftest_options options = {.device = device,
                                             .by = deadline_in_ms(-1)};
    struct footprint footprint;
    struct trial trial;
    struct err err;

    (void)state;
    trial_init(&trial);
    assert_true(footprint_init(&footprint, &err));
    assert_false(selftest_run(&options, &footprint, &trial, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_int_equal(trial.check_count, 0);
    assert_string_equal(trial.ending, "the time given is over");
    device_close(device);
    trial_release(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_old_phone_fails_nothing_and_offers_less),
        cmocka_unit_test(what_is_out_of_reach_is_told_to_remain),
        cmocka_unit_test(time_that_is_over_ends_it_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
