#include "runner/observe/settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static const struct settle_options options = {.quiet_ms = 250,
                                              .timeout_ms = 1200,
                                              .signals_ms = 2000,
                                              .part_ms = 2000,
                                              .bound_ms = 6000};

/*
 * A sequence of frames, 100 ms apart: 'a' and so on are different screens, 'A'
 * is the one before the action. Returns how many are captured until it settles.
 */
static int looks_of(const char *frames, bool acted, enum settle_next *end)
{
    struct settle settle;
    int i = 0;

    settle_begin(&settle, &options, 0, acted);
    do {
        char frame =
            frames[i < (int)strlen(frames) ? i : (int)strlen(frames) - 1];
        char before =
            i ? frames[i - 1 < (int)strlen(frames) ? i - 1
                                                   : (int)strlen(frames) - 1]
              : '?';

        i++;
        *end = settle_frame(&settle, (int64_t)i * 100,
                            frame == before ? SETTLE_SAME : SETTLE_CHANGED,
                            frame != 'A');
    } while (*end == SETTLE_AGAIN && i < 1000);
    return i;
}

static void frames_decide_when_a_screen_is_settled(void **state)
{
    static const struct {
        const char *frames; /* the last one is repeated */
        bool acted;
        int screen_hash;
        enum settle_next end;
    } cases[] = {
        {"A", false, 4, SETTLE_STILL},         /* no action, no change */
        {"A", true, 12, SETTLE_STILL},         /* an action: wait longer */
        {"b", true, 4, SETTLE_STILL},          /* it changes at once */
        {"Ab", true, 5, SETTLE_STILL},         /* a moment later */
        {"AAAAAAAAb", true, 12, SETTLE_STILL}, /* later */
        {"bcdef", true, 8, SETTLE_STILL},      /* an animation ends */
        {"bA", true, 5, SETTLE_STILL},         /* it changed back at once */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        enum settle_next end;
        int screen_hash = looks_of(cases[i].frames, cases[i].acted, &end);

        if (screen_hash != cases[i].screen_hash || end != cases[i].end)
            fail_msg("%s: %d looks, end %d", cases[i].frames, screen_hash,
                     (int)end);
    }
}

static void endless_change_times_out(void **state)
{
    struct settle settle;
    enum settle_next next = SETTLE_AGAIN;
    int64_t now = 0;

    (void)state;
    settle_begin(&settle, &options, 0, true);
    while (next == SETTLE_AGAIN) {
        now += 100;
        next = settle_frame(&settle, now, SETTLE_CHANGED, true);
    }
    assert_int_equal(next, SETTLE_GIVE_UP);
    assert_int_equal(now, 6000);
}

static void local_animation_does_not_delay(void **state)
{
    static const struct {
        enum settle_frame frame;
        int64_t still_ms;
    } cases[] = {
        {SETTLE_SAME, 400},
        {SETTLE_KNOWN_ANIMATION, 600},
        {SETTLE_SMALL_CHANGE, 2100},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        enum settle_next next = SETTLE_AGAIN;
        struct settle settle;
        int64_t now = 0;

        settle_begin(&settle, &options, 0, true);
        while (next == SETTLE_AGAIN) {
            now += 100;
            next = settle_frame(&settle, now, cases[i].frame, true);
        }
        assert_int_equal(next, SETTLE_STILL);
        assert_int_equal(now, cases[i].still_ms);
        assert_int_equal(settle_all_still(&settle, now),
                         cases[i].frame == SETTLE_SAME);
    }
}

static void quiet_signals_ask_for_one_picture_and_busy_ones_for_frames(
    void **state)
{
    struct settle settle;
    int64_t now = 0;

    (void)state;
    settle_begin(&settle, &options, 0, true);
    assert_int_equal(settle_signals(&settle, 10, false, true), SETTLE_AGAIN);
    assert_int_equal(settle_signals(&settle, 60, true, true), SETTLE_AGAIN);
    assert_int_equal(settle_signals(&settle, 270, true, true), SETTLE_PICTURE);
    settle_begin(&settle, &options, 0, true);
    while (!settle_signals_failed(&settle, now)) {
        assert_int_equal(settle_signals(&settle, now, false, true),
                         SETTLE_AGAIN);
        now += 50;
    }
    assert_int_equal(now, 2000);
    settle_by_frames(&settle);
    assert_int_equal(settle_frame(&settle, 2000, SETTLE_CHANGED, true),
                     SETTLE_AGAIN);
    assert_int_equal(settle_frame(&settle, 2300, SETTLE_SAME, true),
                     SETTLE_STILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_decide_when_a_screen_is_settled),
        cmocka_unit_test(endless_change_times_out),
        cmocka_unit_test(local_animation_does_not_delay),
        cmocka_unit_test(
            quiet_signals_ask_for_one_picture_and_busy_ones_for_frames),
    };

    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
