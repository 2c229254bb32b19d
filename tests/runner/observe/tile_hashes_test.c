#include "runner/observe/tile_hashes.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/picture/box.h"
#include "runner/observe/frame_pool.h"

static const struct tile_hash_mask clock_mask = {.top = 90};

struct screen {
    struct picture picture;
    struct tile_hashes tiles;
};

static void fill(struct picture *picture, struct box box, uint32_t colour)
{
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++)
            memcpy(picture_row(picture, (uint32_t)y) +
                       (size_t)x * PICTURE_PIXEL,
                   &colour, PICTURE_PIXEL);
    }
}

static void open_screen(struct screen *screen, int width, int height)
{
    struct err err;

    *screen = (struct screen){.picture = PICTURE_INIT};
    assert_true(picture_resize(&screen->picture, (uint32_t)width,
                               (uint32_t)height, &err));
    fill(&screen->picture, (struct box){0, 0, width, height}, 0xffccddee);
}

static void close_screen(struct screen *screen)
{
    picture_release(&screen->picture);
    tile_hashes_release(&screen->tiles);
}

static void clock_and_caret_do_not_count_as_a_change(void **state)
{
    static const struct {
        const char *what;
        struct box box;
        bool alike;
    } cases[] = {
        {"nothing", {0, 0, 0, 0}, true},
        {"the clock", {40, 20, 160, 60}, true},
        {"a caret", {500, 1200, 505, 1255}, true},
        {"a caret that lies across tiles", {502, 1203, 508, 1270}, true},
        {"one pixel", {700, 1500, 701, 1501}, false},
        {"a digit in a badge", {900, 200, 912, 222}, false},
        {"a checkbox", {60, 700, 110, 750}, false},
        {"a line under a tab", {0, 300, 270, 306}, false},
        {"a long portrait line", {500, 600, 504, 1400}, false},
        {"the last pixel", {1079, 2399, 1080, 2400}, false},
        {"all of it", {0, 0, 1080, 2400}, false},
    };
    struct screen before;

    (void)state;
    open_screen(&before, 1080, 2400);
    tile_hashes_compute(&before.tiles, &before.picture);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen after;

        open_screen(&after, 1080, 2400);
        fill(&after.picture, cases[i].box, 0xff112233);
        tile_hashes_compute(&after.tiles, &after.picture);
        if (tile_hashes_differ(&before.tiles, &after.tiles, &clock_mask,
                               NULL) == cases[i].alike)
            fail_msg("%s", cases[i].what);
        if (!cases[i].alike)
            assert_true(tile_hashes_digest(&before.tiles, &clock_mask) !=
                        tile_hashes_digest(&after.tiles, &clock_mask));
        close_screen(&after);
    }
    close_screen(&before);
}

static void masked_tiles_do_not_count(void **state)
{
    const struct tile_hash_mask masked = {.top = 90,
                                          .box = {100, 500, 300, 600}};
    struct screen before, after;
    struct box where;

    (void)state;
    open_screen(&before, 1080, 2400);
    open_screen(&after, 1080, 2400);
    fill(&after.picture, (struct box){104, 512, 296, 592}, 0xff112233);
    tile_hashes_compute(&before.tiles, &before.picture);
    tile_hashes_compute(&after.tiles, &after.picture);
    assert_true(
        tile_hashes_differ(&before.tiles, &after.tiles, &clock_mask, &where));
    assert_int_equal(where.left, 104);
    assert_int_equal(where.bottom, 592);
    assert_false(
        tile_hashes_differ(&before.tiles, &after.tiles, &masked, NULL));
    assert_true(tile_hashes_digest(&before.tiles, &masked) ==
                tile_hashes_digest(&after.tiles, &masked));
    fill(&after.picture, (struct box){600, 512, 700, 592}, 0xff112233);
    tile_hashes_compute(&after.tiles, &after.picture);
    assert_true(tile_hashes_differ(&before.tiles, &after.tiles, &masked, NULL));
    close_screen(&before);
    close_screen(&after);
}

static void screens_of_other_sizes_are_never_equal(void **state)
{
    struct screen portrait, turned, empty = {.picture = PICTURE_INIT};

    (void)state;
    open_screen(&portrait, 1083, 2401);
    open_screen(&turned, 2401, 1083);
    tile_hashes_compute(&portrait.tiles, &portrait.picture);
    tile_hashes_compute(&turned.tiles, &turned.picture);
    assert_true(
        tile_hashes_differ(&portrait.tiles, &turned.tiles, &clock_mask, NULL));
    assert_true(
        tile_hashes_differ(&portrait.tiles, &empty.tiles, &clock_mask, NULL));
    assert_true(
        tile_hashes_differ(&empty.tiles, &empty.tiles, &clock_mask, NULL));
    tile_hashes_copy(&turned.tiles, &portrait.tiles);
    assert_false(
        tile_hashes_differ(&portrait.tiles, &turned.tiles, &clock_mask, NULL));
    close_screen(&portrait);
    close_screen(&turned);
}

/* Rows of one colour; those in `changed` differ by some bits. */
static uint32_t hash_of_rows(struct screen *screen, uint32_t colour,
                             uint32_t bits, unsigned changed)
{
    for (int y = 0; y < TILE_SIDE; y++)
        fill(&screen->picture, (struct box){0, y, TILE_SIDE, y + 1},
             changed & 1U << y ? colour ^ bits : colour);
    tile_hashes_compute(&screen->tiles, &screen->picture);
    return screen->tiles.hashes[0];
}

/* As on real screens: whole rows of a tile change in the same way. */
static void equal_changes_of_rows_do_not_cancel_out(void **state)
{
    static const uint32_t colours[] = {0xff000000, 0xffffffff, 0xff7f7f7f,
                                       0xfff4f5f2, 0xff6750a4};
    static const uint32_t bits[] = {0x010101, 0x202020, 0x404040, 0x808080,
                                    0x0000ff, 0x00ff00, 0xff0000, 0xffffff};
    struct screen screen;

    (void)state;
    open_screen(&screen, TILE_SIDE, TILE_SIDE);
    for (size_t i = 0; i < ARRAY_LEN(colours); i++) {
        uint32_t plain = hash_of_rows(&screen, colours[i], 0, 0);

        for (unsigned changed = 1; changed < 1U << TILE_SIDE; changed++) {
            for (size_t k = 0; k < ARRAY_LEN(bits); k++)
                assert_int_not_equal(
                    hash_of_rows(&screen, colours[i], bits[k], changed), plain);
            for (int bit = 0; bit < 24; bit++)
                assert_int_not_equal(
                    hash_of_rows(&screen, colours[i], 1U << bit, changed),
                    plain);
        }
    }
    close_screen(&screen);
}

static void a_protected_window_is_black_between_the_bars(void **state)
{
    struct screen screen;

    (void)state;
    open_screen(&screen, 1080, 2400);
    tile_hashes_compute(&screen.tiles, &screen.picture);
    assert_false(screen.tiles.black);
    fill(&screen.picture, (struct box){0, 0, 1080, 2400}, 0xff000000);
    fill(&screen.picture, (struct box){40, 20, 160, 60}, 0xffffffff);
    fill(&screen.picture, (struct box){300, 2350, 700, 2360}, 0xffffffff);
    tile_hashes_compute(&screen.tiles, &screen.picture);
    assert_true(screen.tiles.black);
    fill(&screen.picture, (struct box){500, 1200, 501, 1201}, 0xff010000);
    tile_hashes_compute(&screen.tiles, &screen.picture);
    assert_false(screen.tiles.black);
    close_screen(&screen);
}

static void released_frame_is_reused(void **state)
{
    struct frame_pool *frames = frame_pool_open();
    struct pool_frame *first = frame_pool_take(frames);
    struct pool_frame *second;
    const uint8_t *memory;
    struct err err;

    (void)state;
    assert_null(first->shot.picture.pixels);
    assert_true(picture_resize(&first->shot.picture, 100, 100, &err));
    memory = first->shot.picture.pixels;
    frame_pool_give(frames, first);
    second = frame_pool_take(frames);
    assert_ptr_equal(second->shot.picture.pixels, memory);
    frame_pool_give(frames, second);
    frame_pool_close(frames);
}

/*
 * All phones that may wait for pixels do so; another screen can still be
 * decoded.
 */
static void waiting_captures_leave_one_frame(void **state)
{
    const long all = sysconf(_SC_NPROCESSORS_ONLN) + 2;
    struct pool_frame *waiting[64];
    struct frame_pool *frames = frame_pool_open();
    struct pool_frame *decoding;
    long count = all - 1 < 63 ? all - 1 : 63;

    (void)state;
    for (long i = 0; i < count; i++)
        waiting[i] = frame_pool_take_for_transfer(frames);
    decoding = frame_pool_take(frames);
    for (long i = 0; i < count; i++) {
        assert_ptr_not_equal(waiting[i], decoding);
        frame_pool_give_from_transfer(frames, waiting[i]);
    }
    frame_pool_give(frames, decoding);
    frame_pool_close(frames);
}

static void hashes_are_equal_only_if_all_tiles_are(void **state)
{
    struct screen screen;
    struct tile_hashes before = TILE_HASHES_INIT;

    (void)state;
    open_screen(&screen, 100, 60);
    assert_false(
        tile_hashes_equal(&before, &before)); /* nothing was captured */
    tile_hashes_compute(&screen.tiles, &screen.picture);
    tile_hashes_copy(&before, &screen.tiles);
    assert_true(tile_hashes_equal(&before, &screen.tiles));
    fill(&screen.picture, (struct box){3, 3, 4, 4}, 0xff102030);
    tile_hashes_compute(&screen.tiles, &screen.picture);
    assert_false(tile_hashes_equal(&before, &screen.tiles));
    tile_hashes_release(&before);
    close_screen(&screen);
}

/* One channel of one pixel, anywhere in a tile, by the smallest difference. */
static void every_bit_of_every_pixel_counts(void **state)
{
    struct screen screen;
    struct tile_hashes before = TILE_HASHES_INIT;

    (void)state;
    open_screen(&screen, TILE_SIDE, TILE_SIDE);
    tile_hashes_compute(&screen.tiles, &screen.picture);
    tile_hashes_copy(&before, &screen.tiles);
    for (int i = 0; i < TILE_SIDE * TILE_SIDE * 24; i++) {
        uint8_t *row =
            picture_row(&screen.picture, (uint32_t)(i / 24 / TILE_SIDE));
        uint8_t *byte = row + i / 24 % TILE_SIDE * PICTURE_PIXEL + i % 24 / 8;

        *byte ^= (uint8_t)(1U << i % 8);
        tile_hashes_compute(&screen.tiles, &screen.picture);
        assert_false(tile_hashes_equal(&before, &screen.tiles));
        *byte ^= (uint8_t)(1U << i % 8);
    }
    tile_hashes_compute(&screen.tiles, &screen.picture);
    assert_true(tile_hashes_equal(&before, &screen.tiles));
    tile_hashes_release(&before);
    close_screen(&screen);
}

/* A line that moves or rotates keeps the sum of colours. */
static void movement_within_a_tile_is_detected(void **state)
{
    struct tile_hashes seen[2 * TILE_SIDE];
    struct screen screen;

    (void)state;
    for (int i = 0; i < 2 * TILE_SIDE; i++) {
        struct box across = {0, i, TILE_SIDE, i + 1};
        struct box down = {i - TILE_SIDE, 0, i - TILE_SIDE + 1, TILE_SIDE};

        open_screen(&screen, TILE_SIDE, TILE_SIDE);
        fill(&screen.picture, i < TILE_SIDE ? across : down, 0xff3366cc);
        seen[i] = (struct tile_hashes)TILE_HASHES_INIT;
        tile_hashes_compute(&seen[i], &screen.picture);
        for (int j = 0; j < i; j++)
            assert_false(tile_hashes_equal(&seen[i], &seen[j]));
        close_screen(&screen);
    }
    for (int i = 0; i < 2 * TILE_SIDE; i++)
        tile_hashes_release(&seen[i]);
}

struct crowd {
    struct frame_pool *frames;
    atomic_int inside;
    atomic_int most;
};

static void *use_frames(void *context)
{
    struct crowd *crowd = context;

    for (int i = 0; i < 200; i++) {
        struct pool_frame *frame = frame_pool_take(crowd->frames);
        int inside = atomic_fetch_add(&crowd->inside, 1) + 1;
        int most = atomic_load(&crowd->most);
        struct err err;

        while (inside > most &&
               !atomic_compare_exchange_weak(&crowd->most, &most, inside))
            ;
        (void)!picture_resize(&frame->shot.picture, 16, 16, &err);
        sched_yield();
        atomic_fetch_sub(&crowd->inside, 1);
        frame_pool_give(crowd->frames, frame);
    }
    return NULL;
}

static void number_of_frames_is_limited_by_cores(void **state)
{
    struct crowd crowd = {.frames = frame_pool_open()};
    pthread_t threads[16];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_frames, &crowd),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    assert_in_range(atomic_load(&crowd.most), 1, sysconf(_SC_NPROCESSORS_ONLN));
    frame_pool_close(crowd.frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_and_caret_do_not_count_as_a_change),
        cmocka_unit_test(masked_tiles_do_not_count),
        cmocka_unit_test(screens_of_other_sizes_are_never_equal),
        cmocka_unit_test(a_protected_window_is_black_between_the_bars),
        cmocka_unit_test(number_of_frames_is_limited_by_cores),
        cmocka_unit_test(released_frame_is_reused),
        cmocka_unit_test(waiting_captures_leave_one_frame),
        cmocka_unit_test(hashes_are_equal_only_if_all_tiles_are),
        cmocka_unit_test(every_bit_of_every_pixel_counts),
        cmocka_unit_test(movement_within_a_tile_is_detected),
        cmocka_unit_test(equal_changes_of_rows_do_not_cancel_out),
    };

    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
