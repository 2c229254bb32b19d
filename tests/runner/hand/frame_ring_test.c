/* Which frame belongs to a touch, by the phone's clock and ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "runner/hand/frame_ring.h"

static void add(struct frame_ring *ring, const char *name, int64_t begin_ms,
                int64_t end_ms)
{
    struct record_screen screen;

    record_screen_init(&screen);
    snprintf(screen.package, sizeof(screen.package), "%s", name);
    frame_ring_add(ring, &screen, begin_ms, end_ms);
    record_screen_release(&screen);
}

/* Two screens, captured at 100 to 200 and 300 to 450. */
static void finger_finds(int64_t earliest, int64_t latest, int64_t since,
                         const char *name, const char *flagged)
{
    struct frame_ring ring;
    const struct ring_frame *found;
    const char *flag;

    frame_ring_init(&ring);
    add(&ring, "one", 100, 200);
    add(&ring, "two", 300, 450);
    found = frame_ring_find(&ring, (struct event_moment){earliest, latest},
                            since, &flag);
    assert_non_null(found);
    assert_string_equal(found->screen.package, name);
    if (flagged)
        assert_non_null(strstr(flag ? flag : "", flagged));
    else
        assert_null(flag);
    frame_ring_release(&ring);
}

static void a_finger_saw_the_newest_frame_before_it(void **state)
{
    (void)state;
    finger_finds(500, 520, 0, "two", NULL);
    finger_finds(450, 450, 300, "two", NULL);
    finger_finds(250, 260, 0, "one", NULL);
    finger_finds(430, 460, 0, "one", NULL);
}

static void frames_that_may_be_wrong_are_flagged(void **state)
{
    (void)state;
    finger_finds(430, 460, 250, "two", "while the finger came down");
    finger_finds(350, 380, 250, "two", "while the finger came down");
    finger_finds(270, 290, 250, "one", "of an earlier step");
    finger_finds(500, 520, 480, "two", "of an earlier step");
    finger_finds(50, 60, 0, "one", "while the finger came down");
}

static void old_frames_are_forgotten(void **state)
{
    struct frame_ring ring;
    const struct ring_frame *found;
    const char *flag;

    (void)state;
    frame_ring_init(&ring);
    assert_null(frame_ring_newest(&ring));
    assert_null(frame_ring_find(&ring, (struct event_moment){5, 5}, 0, &flag));
    for (int i = 0; i < 3 * FRAME_RING_SIZE; i++)
        add(&ring, "frame", i * 10, i * 10 + 5);
    assert_int_equal(frame_ring_newest(&ring)->begin_ms,
                     (3 * FRAME_RING_SIZE - 1) * 10);
    found = frame_ring_find(&ring, (struct event_moment){5, 5}, 0, &flag);
    assert_non_null(found);
    assert_non_null(flag);
    frame_ring_release(&ring);
}

static void trees_are_read_once(void **state)
{
    struct frame_ring ring;
    struct record_screen screen;

    (void)state;
    frame_ring_init(&ring);
    record_screen_init(&screen);
    buf_text(&screen.xml, "<hierarchy><node text=\"a\" "
                          "bounds=\"[0,0][9,9]\"/></hierarchy>");
    frame_ring_add(&ring, &screen, 1, 2);
    assert_true(frame_ring_newest(&ring)->has_tree);
    assert_string_equal(frame_ring_newest(&ring)->tree.nodes[0].text, "a");
    assert_int_equal(screen.xml.length, 0);
    record_screen_release(&screen);
    frame_ring_release(&ring);
}

/* ---- clocks ---- */

static void events_are_placed_by_the_least_delay(void **state)
{
    struct event_clock clock = {.has_events = false};
    struct event_moment moment;

    (void)state;
    event_clock_arrived(&clock, 1000, 5300);
    event_clock_arrived(&clock, 2000, 6020);
    event_clock_arrived(&clock, 3000, 7900);
    moment = event_clock_moment(&clock, 3000);
    assert_int_equal(moment.latest, 7020);
    assert_int_equal(moment.earliest, 6920);
}

static void a_reading_of_the_clock_limits_the_doubt(void **state)
{
    struct event_clock clock = {.has_events = false};
    struct event_moment moment;

    (void)state;
    event_clock_read(&clock, 900, 4890);
    event_clock_read(&clock, 950, 4950);
    event_clock_arrived(&clock, 1000, 5020);
    moment = event_clock_moment(&clock, 1000);
    assert_int_equal(moment.latest, 5020);
    assert_int_equal(moment.earliest, 4990);
}

static void a_reading_of_another_clock_is_ignored(void **state)
{
    struct event_clock clock = {.has_events = false};

    (void)state;
    event_clock_read(&clock, 900, 4890);
    event_clock_arrived(&clock, 1794873993286, 5020);
    assert_int_equal(event_clock_moment(&clock, 1794873993286).latest, 5020);
    assert_int_equal(event_clock_moment(&clock, 1794873993286).earliest, 4920);
}

static void a_clock_that_stood_still_is_noticed(void **state)
{
    struct event_clock clock = {.has_events = false};

    (void)state;
    event_clock_arrived(&clock, 1000, 2000);
    event_clock_arrived(&clock, 1100, 90000);
    assert_int_equal(event_clock_moment(&clock, 1100).latest, 90000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finger_saw_the_newest_frame_before_it),
        cmocka_unit_test(frames_that_may_be_wrong_are_flagged),
        cmocka_unit_test(old_frames_are_forgotten),
        cmocka_unit_test(trees_are_read_once),
        cmocka_unit_test(events_are_placed_by_the_least_delay),
        cmocka_unit_test(a_reading_of_the_clock_limits_the_doubt),
        cmocka_unit_test(a_reading_of_another_clock_is_ignored),
        cmocka_unit_test(a_clock_that_stood_still_is_noticed),
    };

    return cmocka_run_group_tests_name("frame_ring", tests, NULL, NULL);
}
