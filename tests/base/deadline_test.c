#include "base/deadline.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

static void never_does_not_pass(void **state)
{
    (void)state;
    assert_false(deadline_passed(DEADLINE_NEVER));
    assert_int_equal(deadline_left_ms(DEADLINE_NEVER), -1);
}

static void deadline_passes_at_its_time(void **state)
{
    struct deadline by = deadline_in_ms(30);
    int left = deadline_left_ms(by);

    (void)state;
    assert_in_range(left, 0, 30);
    usleep(31000);
    assert_true(deadline_passed(by));
    assert_int_equal(deadline_left_ms(by), 0);
}

static void zero_and_negative_timeouts_are_now(void **state)
{
    static const int64_t rows[] = {0, -1, INT64_MIN};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct deadline by = deadline_in_ms(rows[i]);

        assert_true(deadline_passed(by));
        assert_int_equal(deadline_left_ms(by), 0);
    }
}

static void remaining_time_is_rounded_up(void **state)
{
    struct deadline by;
    int left;

    (void)state;
    do {
        by.at_ns = clock_ns() + 900000;
        left = deadline_left_ms(by);
    } while (deadline_passed(by));
    assert_int_equal(left, 1);
}

static void the_far_future_does_not_overflow(void **state)
{
    (void)state;
    assert_int_equal(deadline_left_ms(deadline_in_ms(INT64_MAX)), -1);
    assert_int_equal(deadline_left_ms(deadline_in_ms(INT64_MAX / 1000000)), -1);
    assert_int_equal(deadline_left_ms(deadline_in_ms(INT64_C(1) << 40)),
                     INT_MAX);
    assert_int_equal(deadline_left_ms((struct deadline){INT64_MAX - 1}),
                     INT_MAX);
}

static void earlier_of_two_deadlines_is_chosen(void **state)
{
    struct deadline soon = {5}, late = {6};

    (void)state;
    assert_true(deadline_sooner(soon, late).at_ns == 5);
    assert_true(deadline_sooner(late, soon).at_ns == 5);
    assert_true(deadline_sooner(DEADLINE_NEVER, late).at_ns == 6);
}

static void seconds_and_nanoseconds_are_split(void **state)
{
    struct timespec at = deadline_timespec((struct deadline){7000000009});

    (void)state;
    assert_int_equal(at.tv_sec, 7);
    assert_int_equal(at.tv_nsec, 9);
    assert_in_range(deadline_timespec(DEADLINE_NEVER).tv_nsec, 0, 999999999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_does_not_pass),
        cmocka_unit_test(deadline_passes_at_its_time),
        cmocka_unit_test(zero_and_negative_timeouts_are_now),
        cmocka_unit_test(remaining_time_is_rounded_up),
        cmocka_unit_test(the_far_future_does_not_overflow),
        cmocka_unit_test(earlier_of_two_deadlines_is_chosen),
        cmocka_unit_test(seconds_and_nanoseconds_are_split),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
