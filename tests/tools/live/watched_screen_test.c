/* Watchers of pictures and of videos that the test delivers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "tools/live/tile_map.h"
#include "tools/live/video_buffer.h"
#include "tools/live/watched_screen.h"

#define LONG_MS 60000
#define WATCHERS 10

struct screen_test {
    struct watched_screen *screen;
    struct live_sink sink;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int packets; /* calls of on_packet */
    int keys;    /* requests of key frames */
};

static void on_status(void *context)
{
    (void)context;
}

static void on_failed(void *context, const struct err *err)
{
    (void)context;
    fail_msg("%s", err->text);
}

static void count(struct screen_test *test, int *number)
{
    pthread_mutex_lock(&test->lock);
    ++*number;
    pthread_cond_broadcast(&test->changed);
    pthread_mutex_unlock(&test->lock);
}

static void on_key_wanted(void *context)
{
    struct screen_test *test = context;

    count(test, &test->keys);
}

static void on_packet(void *context)
{
    struct screen_test *test = context;

    count(test, &test->packets);
}

static int set_up(void **state)
{
    struct screen_test *test = calloc(1, sizeof(*test));
    const struct watched_screen_options options = {on_status, on_failed,
                                                   on_key_wanted, test};
    struct err err;

    assert_non_null(test);
    pthread_mutex_init(&test->lock, NULL);
    deadline_cond_init(&test->changed);
    assert_true(watched_screen_start(&options, &test->screen, &err));
    test->sink = watched_screen_sink(test->screen);
    watched_screen_begin_source(test->screen);
    *state = test;
    return 0;
}

static int tear_down(void **state)
{
    struct screen_test *test = *state;

    watched_screen_stop(test->screen);
    pthread_cond_destroy(&test->changed);
    pthread_mutex_destroy(&test->lock);
    free(test);
    return 0;
}

static struct phone_watcher *watch(struct screen_test *test)
{
    return watched_screen_watch(test->screen, 0, on_packet, test);
}

/* The next packet of a watcher; fails when none comes. */
static struct live_packet *take(struct screen_test *test,
                                struct phone_watcher *watcher)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(LONG_MS));
    struct live_packet *packet;
    int number = 0;

    pthread_mutex_lock(&test->lock);
    while (!(packet = phone_watcher_take(watcher)) && !number)
        number = pthread_cond_timedwait(&test->changed, &test->lock, &end);
    pthread_mutex_unlock(&test->lock);
    assert_non_null(packet);
    return packet;
}

/* The frame of the next packet. */
static uint32_t take_unseen(struct screen_test *test,
                            struct phone_watcher *watcher)
{
    struct live_packet *packet = take(test, watcher);
    uint32_t frame = packet->frame;

    live_packet_free(packet);
    return frame;
}

static uint32_t take_frame(struct screen_test *test,
                           struct phone_watcher *watcher)
{
    uint32_t frame = take_unseen(test, watcher);

    phone_watcher_seen(watcher, frame);
    return frame;
}

static void deliver_picture(struct screen_test *test, uint8_t value)
{
    struct picture picture = PICTURE_INIT;
    struct err err;

    assert_true(picture_resize(&picture, 300, 200, &err));
    memset(picture.pixels, value, picture.stride * 200);
    test->sink.picture(test->sink.context, &picture, value);
    picture_release(&picture);
}

/*
 * The same before there are watchers, and long enough ago to be sent without
 * loss: once only, however late that is.
 */
static void deliver_still_picture(struct screen_test *test, uint8_t value)
{
    const struct timespec rest = {.tv_nsec = TILE_MAP_REST_NS};

    deliver_picture(test, value);
    nanosleep(&rest, NULL);
}

static void deliver_video(struct screen_test *test, const char *kind)
{
    const struct live_source_packet packet = {
        .bytes = kind,
        .length = strlen(kind),
        .config = *kind == 'c',
        .key = *kind == 'k',
        .width = 300,
        .height = 200,
    };

    test->sink.video(test->sink.context, &packet);
}

/* Take a packet of a video, and compare its bytes. */
static void assert_takes_video(struct screen_test *test,
                               struct phone_watcher *watcher, const char *bytes)
{
    struct live_packet *packet = take(test, watcher);

    assert_int_equal(packet->kind, LIVE_VIDEO);
    assert_string_equal(buf_cstr(&packet->video->bytes), bytes);
    assert_int_equal(packet->video->config, *bytes == 'c');
    assert_int_equal(packet->video->key, *bytes == 'k');
    phone_watcher_seen(watcher, packet->frame);
    live_packet_free(packet);
}

/* ---- pictures ---- */

static void ten_watchers_share_one_encoding(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *watchers[WATCHERS];
    struct watched_screen_status status;

    deliver_still_picture(test, 1);
    for (size_t i = 0; i < WATCHERS; i++)
        watchers[i] = watch(test);
    for (size_t i = 0; i < WATCHERS; i++)
        assert_int_equal(take_frame(test, watchers[i]), 1);
    watched_screen_status(test->screen, &status);
    assert_int_equal(status.encoded, 1);
    for (size_t i = 0; i < WATCHERS; i++)
        phone_watcher_close(watchers[i]);
}

static void watcher_without_answers_gets_no_more(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *slow = watch(test);
    struct phone_watcher *quick = watch(test);
    uint32_t newest = 0;
    uint32_t unseen = 0;

    for (uint8_t i = 1; i < 10; i++) {
        deliver_picture(test, i);
        while (newest < i)
            newest = take_frame(test, quick);
        if (i <= LIVE_UNSEEN_MAX)
            unseen = take_unseen(test, slow);
    }
    assert_null(phone_watcher_take(slow));
    phone_watcher_seen(slow, unseen);
    assert_true(take_frame(test, slow) >= newest);
    phone_watcher_close(slow);
    phone_watcher_close(quick);
}

static void frame_that_was_not_sent_is_not_seen(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *slow = watch(test);
    struct phone_watcher *quick = watch(test);
    uint32_t newest = 0;

    for (uint8_t i = 1; i < 10; i++) {
        deliver_picture(test, i);
        while (newest < i)
            newest = take_frame(test, quick);
        if (i <= LIVE_UNSEEN_MAX)
            (void)take_unseen(test, slow);
        phone_watcher_seen(slow, UINT32_MAX);
    }
    assert_null(phone_watcher_take(slow));
    phone_watcher_close(slow);
    phone_watcher_close(quick);
}

/* ---- videos ---- */

static void late_watcher_starts_with_the_key_frame(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *late;

    deliver_video(test, "config");
    deliver_video(test, "key 1");
    deliver_video(test, "delta");
    deliver_video(test, "key 2");
    deliver_video(test, "delta 2");
    late = watch(test);
    assert_takes_video(test, late, "config");
    assert_takes_video(test, late, "key 2");
    assert_takes_video(test, late, "delta 2");
    assert_null(phone_watcher_take(late));
    phone_watcher_close(late);
}

/* How many packets come before this one. */
static size_t packets_before(struct screen_test *test,
                             struct phone_watcher *watcher, const char *bytes)
{
    for (size_t before = 0;; before++) {
        struct live_packet *packet = take(test, watcher);
        bool same = !strcmp(buf_cstr(&packet->video->bytes), bytes);

        phone_watcher_seen(watcher, packet->frame);
        live_packet_free(packet);
        if (same)
            return before;
    }
}

static void slow_watcher_skips_to_the_next_key_frame(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *slow = watch(test);
    int64_t began;
    size_t before;

    deliver_video(test, "config");
    deliver_video(test, "key 1");
    assert_takes_video(test, slow, "config");
    assert_takes_video(test, slow, "key 1");
    for (int i = 0; i < 60; i++)
        deliver_video(test, "delta");
    assert_int_equal(test->keys, 0); /* one that does not move needs none */
    began = clock_ns();
    assert_takes_video(test, slow, "delta");
    assert_int_equal(test->keys, 1);
    deliver_video(test, "key 2");
    before = packets_before(test, slow, "key 2");
    /* One may be on its way; after that time more of them come before it. */
    assert_true(before <= 1 || clock_ns() - began > INT64_C(400000000));
    phone_watcher_close(slow);
}

/* As of phones that make none on request. */
static void slow_watcher_goes_on_without_a_key_frame(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *slow = watch(test);

    deliver_video(test, "config");
    deliver_video(test, "key 1");
    assert_takes_video(test, slow, "config");
    assert_takes_video(test, slow, "key 1");
    for (int i = 0; i < 60; i++)
        deliver_video(test, "delta");
    for (int i = 0; i < 60; i++)
        assert_takes_video(test, slow, "delta");
    phone_watcher_close(slow);
}

static void pictures_after_a_video_are_all_new(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *watcher;
    struct live_packet *packet;

    deliver_still_picture(test, 1);
    watcher = watch(test);
    assert_int_equal(take_frame(test, watcher), 1);
    deliver_video(test, "config");
    deliver_video(test, "key");
    assert_takes_video(test, watcher, "config");
    assert_takes_video(test, watcher, "key");
    deliver_picture(test, 1);
    packet = take(test, watcher);
    assert_int_equal(packet->kind, LIVE_PICTURES);
    assert_int_equal(packet->patches[0]->box.right, 300);
    assert_int_equal(packet->frame, 4);
    live_packet_free(packet);
    phone_watcher_close(watcher);
}

static void packets_without_a_key_frame_are_not_kept(void **state)
{
    struct screen_test *test = *state;
    struct phone_watcher *watcher = watch(test);

    deliver_video(test, "delta");
    assert_null(phone_watcher_take(watcher));
    assert_int_equal(test->keys, 1);
    deliver_video(test, "config");
    deliver_video(test, "key");
    for (int i = 0; i < VIDEO_BUFFER_PACKETS + 10; i++)
        deliver_video(test, "delta");
    deliver_video(test, "key 2");
    phone_watcher_close(watcher);
    watcher = watch(test);
    assert_takes_video(test, watcher, "config");
    assert_takes_video(test, watcher, "key 2");
    phone_watcher_close(watcher);
}

/* ---- touches ---- */

static void touches_are_compared_with_the_screen(void **state)
{
    struct screen_test *test = *state;
    struct view_command touch = {.frame = 1, .width = 300, .height = 200};
    struct err err;

    assert_false(watched_screen_check_touch(test->screen, &touch, &err));
    deliver_picture(test, 1);
    assert_true(watched_screen_check_touch(test->screen, &touch, &err));
    touch.x = 300;
    assert_false(watched_screen_check_touch(test->screen, &touch, &err));
    assert_int_equal(err.code, ERR_INVALID);
    touch.x = 0;
    touch.width = 200;
    touch.height = 300;
    assert_false(watched_screen_check_touch(test->screen, &touch, &err));
    assert_int_equal(err.code, ERR_REFUSED);
}

/* ---- the packet ---- */

static void packet_is_written_as_documented(void **state)
{
    static const uint8_t expected[] = {
        1,   0, 0, 7, 0, 0,  0, 1,   1, 44, 0,
        200, 0, 0, 0, 0, 0,  0, 0,   5, 0,  1, /* one rectangle */
        0,   0, 0, 0, 1, 44, 0, 200, 1,        /* and its place and format */
    };
    struct screen_test *test = *state;
    struct phone_watcher *watcher = watch(test);
    struct buf bytes = BUF_INIT((size_t)1 << 20);
    struct live_packet *packet;

    deliver_picture(test, 5);
    do {
        packet = take(test, watcher);
        phone_watcher_seen(watcher, packet->frame);
        if (packet->patches[0]->format == LIVE_PNG)
            break;
        live_packet_free(packet);
    } while (true);
    packet->frame = 1;
    live_packet_write(packet, 7, &bytes);
    assert_int_equal(bytes.length, live_packet_size(packet));
    assert_memory_equal(bytes.data, expected, sizeof(expected));
    assert_memory_equal(bytes.data + sizeof(expected) + 4, "\x89PNG", 4);
    buf_release(&bytes);
    live_packet_free(packet);
    phone_watcher_close(watcher);
}

#define SCREEN_TEST(name)                                                      \
    cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(ten_watchers_share_one_encoding),
        SCREEN_TEST(watcher_without_answers_gets_no_more),
        SCREEN_TEST(frame_that_was_not_sent_is_not_seen),
        SCREEN_TEST(late_watcher_starts_with_the_key_frame),
        SCREEN_TEST(slow_watcher_skips_to_the_next_key_frame),
        SCREEN_TEST(slow_watcher_goes_on_without_a_key_frame),
        SCREEN_TEST(pictures_after_a_video_are_all_new),
        SCREEN_TEST(packets_without_a_key_frame_are_not_kept),
        SCREEN_TEST(touches_are_compared_with_the_screen),
        SCREEN_TEST(packet_is_written_as_documented),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
