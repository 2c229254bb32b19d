#include "runner/settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static const struct settle_options options = {.quiet_ms = 250,
                                              .patience_ms = 1200,
                                              .signals_ms = 2000,
                                              .part_ms = 2000,
                                              .bound_ms = 6000};

/*
 * A story of frames: 'a' and so on are what is seen, 100 ms apart, 'A' what
 * was seen before the action. Returns how many are looked at until the end.
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
                            frame == before ? SETTLE_SAME : SETTLE_OTHER,
                            frame != 'A');
    } while (*end == SETTLE_AGAIN && i < 1000);
    return i;
}

static void frames_decide_when_a_screen_is_still(void **state)
{
    static const struct {
        const char *frames; /* the last one goes on for ever */
        bool acted;
        int looks;
        enum settle_next end;
    } cases[] = {
        {"A", false, 4, SETTLE_STILL}, /* nothing was done, nothing moves */
        {"A", true, 12, SETTLE_STILL}, /* something was done: be patient */
        {"b", true, 4, SETTLE_STILL},  /* it shows at once */
        {"Ab", true, 5, SETTLE_STILL}, /* a moment later */
        {"AAAAAAAAb", true, 12, SETTLE_STILL}, /* late */
        {"bcdef", true, 8, SETTLE_STILL},      /* an animation ends */
        {"bA", true, 5, SETTLE_STILL},         /* it was back at once */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        enum settle_next end;
        int looks = looks_of(cases[i].frames, cases[i].acted, &end);

        if (looks != cases[i].looks || end != cases[i].end)
            fail_msg("%s: %d looks, end %d", cases[i].frames, looks, (int)end);
    }
}

static void what_never_rests_is_given_up(void **state)
{
    struct settle settle;
    enum settle_next next = SETTLE_AGAIN;
    int64_t now = 0;

    (void)state;
    settle_begin(&settle, &options, 0, true);
    while (next == SETTLE_AGAIN) {
        now += 100;
        next = settle_frame(&settle, now, SETTLE_OTHER, true);
    }
    assert_int_equal(next, SETTLE_GIVE_UP);
    assert_int_equal(now, 6000);
}

static void what_moves_in_one_place_keeps_nobody_waiting(void **state)
{
    static const struct {
        enum settle_frame frame;
        int64_t still_ms;
    } cases[] = {
        {SETTLE_SAME, 400},
        {SETTLE_KNOWN_PART, 600},
        {SETTLE_PART, 2100},
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
    assert_int_equal(settle_frame(&settle, 2000, SETTLE_OTHER, true),
                     SETTLE_AGAIN);
    assert_int_equal(settle_frame(&settle, 2300, SETTLE_SAME, true),
                     SETTLE_STILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_decide_when_a_screen_is_still),
        cmocka_unit_test(what_never_rests_is_given_up),
        cmocka_unit_test(what_moves_in_one_place_keeps_nobody_waiting),
        cmocka_unit_test(
            quiet_signals_ask_for_one_picture_and_busy_ones_for_frames),
    };

    return cmocka_run_group_tests_name("settle", tests, NULL, NULL);
}
