/* Which way to the screen is the best. */
#include "tools/live/rung_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/macros.h"

#define UNKNOWN                                                                \
    {                                                                          \
        .first_ms = -1                                                         \
    }

struct cost_case {
    struct live_rung_status scrcpy, screenrecord, screencap;
    enum live_rung best;
};

static void the_best_is_what_was_measured_as_such(void **state)
{
    static const struct cost_case cases[] = {
        /* What is not known is tried, most promising first. */
        {UNKNOWN, UNKNOWN, UNKNOWN, LIVE_RUNG_SCRCPY},
        {{.first_ms = 900}, UNKNOWN, UNKNOWN, LIVE_RUNG_SCRCPY},
        {{.first_ms = 4000}, UNKNOWN, UNKNOWN, LIVE_RUNG_SCREENRECORD},
        {{.first_ms = 4000}, {.first_ms = 3000}, UNKNOWN, LIVE_RUNG_SCRCPY},
        {{.first_ms = 9000}, {.first_ms = 9000}, UNKNOWN, LIVE_RUNG_SCREENCAP},
        {{.first_ms = 9000},
         {.first_ms = 9000},
         {.first_ms = 500},
         LIVE_RUNG_SCRCPY},
        /* A rate of many frames counts, one of few does not. */
        {{.first_ms = 900, .fps = 2, .frames = 100},
         {.first_ms = 500, .fps = 25, .frames = 100},
         {.first_ms = 500},
         LIVE_RUNG_SCREENRECORD},
        {{.first_ms = 900, .fps = 2, .frames = 5},
         {.first_ms = 500, .fps = 25, .frames = 100},
         {.first_ms = 500},
         LIVE_RUNG_SCRCPY},
        {{.first_ms = 4000, .fps = 1, .frames = 100},
         {.first_ms = 4000, .fps = 1, .frames = 100},
         {.first_ms = 200, .fps = 8, .frames = 100},
         LIVE_RUNG_SCREENCAP},
    };
    static const bool may_use[LIVE_RUNGS] = {[LIVE_RUNG_SCRCPY] = true,
                                             [LIVE_RUNG_SCREENRECORD] = true,
                                             [LIVE_RUNG_SCREENCAP] = true};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct live_rung_status rungs[LIVE_RUNGS] = {
            [LIVE_RUNG_SCRCPY] = cases[i].scrcpy,
            [LIVE_RUNG_SCREENRECORD] = cases[i].screenrecord,
            [LIVE_RUNG_SCREENCAP] = cases[i].screencap};

        assert_int_equal(rung_cost_best(rungs, may_use), cases[i].best);
    }
}

static void only_what_may_be_used_is_chosen(void **state)
{
    const struct live_rung_status rungs[LIVE_RUNGS] = {
        [LIVE_RUNG_SCREENCAP] = {.first_ms = 9000}};
    bool may_use[LIVE_RUNGS] = {[LIVE_RUNG_SCREENCAP] = true};

    (void)state;
    assert_int_equal(rung_cost_best(rungs, may_use), LIVE_RUNG_SCREENCAP);
    may_use[LIVE_RUNG_SCREENCAP] = false;
    assert_int_equal(rung_cost_best(rungs, may_use), LIVE_RUNG_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_what_was_measured_as_such),
        cmocka_unit_test(only_what_may_be_used_is_chosen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
