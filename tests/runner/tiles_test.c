#include "runner/tiles.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/box.h"
#include "base/macros.h"
#include "runner/frames.h"

static const struct tiles_mask clock_mask = {.top = 90};

struct screen {
    struct picture picture;
    struct tiles tiles;
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
    tiles_release(&screen->tiles);
}

static void what_counts_as_a_change_is_more_than_clock_and_caret(void **state)
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
        {"a long upright line", {500, 600, 504, 1400}, false},
        {"the last pixel", {1079, 2399, 1080, 2400}, false},
        {"all of it", {0, 0, 1080, 2400}, false},
    };
    struct screen before;

    (void)state;
    open_screen(&before, 1080, 2400);
    tiles_take(&before.tiles, &before.picture);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen after;

        open_screen(&after, 1080, 2400);
        fill(&after.picture, cases[i].box, 0xff112233);
        tiles_take(&after.tiles, &after.picture);
        if (tiles_differ(&before.tiles, &after.tiles, &clock_mask, NULL) ==
            cases[i].alike)
            fail_msg("%s", cases[i].what);
        if (!cases[i].alike)
            assert_true(tiles_hash(&before.tiles, &clock_mask) !=
                        tiles_hash(&after.tiles, &clock_mask));
        close_screen(&after);
    }
    close_screen(&before);
}

static void what_is_masked_does_not_count(void **state)
{
    const struct tiles_mask masked = {.top = 90, .box = {100, 500, 300, 600}};
    struct screen before, after;
    struct box where;

    (void)state;
    open_screen(&before, 1080, 2400);
    open_screen(&after, 1080, 2400);
    fill(&after.picture, (struct box){104, 512, 296, 592}, 0xff112233);
    tiles_take(&before.tiles, &before.picture);
    tiles_take(&after.tiles, &after.picture);
    assert_true(tiles_differ(&before.tiles, &after.tiles, &clock_mask, &where));
    assert_int_equal(where.left, 104);
    assert_int_equal(where.bottom, 592);
    assert_false(tiles_differ(&before.tiles, &after.tiles, &masked, NULL));
    assert_true(tiles_hash(&before.tiles, &masked) ==
                tiles_hash(&after.tiles, &masked));
    fill(&after.picture, (struct box){600, 512, 700, 592}, 0xff112233);
    tiles_take(&after.tiles, &after.picture);
    assert_true(tiles_differ(&before.tiles, &after.tiles, &masked, NULL));
    close_screen(&before);
    close_screen(&after);
}

static void screens_of_other_sizes_are_never_alike(void **state)
{
    struct screen upright, turned, empty = {.picture = PICTURE_INIT};

    (void)state;
    open_screen(&upright, 1083, 2401);
    open_screen(&turned, 2401, 1083);
    tiles_take(&upright.tiles, &upright.picture);
    tiles_take(&turned.tiles, &turned.picture);
    assert_true(tiles_differ(&upright.tiles, &turned.tiles, &clock_mask, NULL));
    assert_true(tiles_differ(&upright.tiles, &empty.tiles, &clock_mask, NULL));
    assert_true(tiles_differ(&empty.tiles, &empty.tiles, &clock_mask, NULL));
    tiles_copy(&turned.tiles, &upright.tiles);
    assert_false(
        tiles_differ(&upright.tiles, &turned.tiles, &clock_mask, NULL));
    close_screen(&upright);
    close_screen(&turned);
}

/* Rows of one colour, of which those in `changed` differ by some bits. */
static uint32_t hash_of_rows(struct screen *screen, uint32_t colour,
                             uint32_t bits, unsigned changed)
{
    for (int y = 0; y < TILE_SIDE; y++)
        fill(&screen->picture, (struct box){0, y, TILE_SIDE, y + 1},
             changed & 1U << y ? colour ^ bits : colour);
    tiles_take(&screen->tiles, &screen->picture);
    return screen->tiles.hashes[0];
}

/* As what is drawn on screens changes: whole rows of a square alike. */
static void rows_that_change_alike_do_not_cancel_out(void **state)
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
    tiles_take(&screen.tiles, &screen.picture);
    assert_false(screen.tiles.black);
    fill(&screen.picture, (struct box){0, 0, 1080, 2400}, 0xff000000);
    fill(&screen.picture, (struct box){40, 20, 160, 60}, 0xffffffff);
    fill(&screen.picture, (struct box){300, 2350, 700, 2360}, 0xffffffff);
    tiles_take(&screen.tiles, &screen.picture);
    assert_true(screen.tiles.black);
    fill(&screen.picture, (struct box){500, 1200, 501, 1201}, 0xff010000);
    tiles_take(&screen.tiles, &screen.picture);
    assert_false(screen.tiles.black);
    close_screen(&screen);
}

static void a_frame_that_is_given_back_is_used_again(void **state)
{
    struct frames *frames = frames_open();
    struct frame *first = frames_take(frames);
    struct frame *second;
    const uint8_t *memory;
    struct err err;

    (void)state;
    assert_null(first->shot.picture.pixels);
    assert_true(picture_resize(&first->shot.picture, 100, 100, &err));
    memory = first->shot.picture.pixels;
    frames_give(frames, first);
    second = frames_take(frames);
    assert_ptr_equal(second->shot.picture.pixels, memory);
    frames_give(frames, second);
    frames_close(frames);
}

/* As many phones as may wait for pixels do; a screen is decoded nevertheless.
 */
static void one_frame_is_left_by_those_who_wait_for_a_wire(void **state)
{
    const long all = sysconf(_SC_NPROCESSORS_ONLN) + 2;
    struct frame *waiting[64];
    struct frames *frames = frames_open();
    struct frame *decoding;
    long count = all - 1 < 63 ? all - 1 : 63;

    (void)state;
    for (long i = 0; i < count; i++)
        waiting[i] = frames_take_for_wire(frames);
    decoding = frames_take(frames);
    for (long i = 0; i < count; i++) {
        assert_ptr_not_equal(waiting[i], decoding);
        frames_give_from_wire(frames, waiting[i]);
    }
    frames_give(frames, decoding);
    frames_close(frames);
}

static void squares_are_equal_only_if_all_are(void **state)
{
    struct screen screen;
    struct tiles before = TILES_INIT;

    (void)state;
    open_screen(&screen, 100, 60);
    assert_false(tiles_equal(&before, &before)); /* nothing was seen */
    tiles_take(&screen.tiles, &screen.picture);
    tiles_copy(&before, &screen.tiles);
    assert_true(tiles_equal(&before, &screen.tiles));
    fill(&screen.picture, (struct box){3, 3, 4, 4}, 0xff102030);
    tiles_take(&screen.tiles, &screen.picture);
    assert_false(tiles_equal(&before, &screen.tiles));
    tiles_release(&before);
    close_screen(&screen);
}

/* One channel of one pixel, anywhere in a square, and by as little as can be.
 */
static void every_bit_of_every_pixel_counts(void **state)
{
    struct screen screen;
    struct tiles before = TILES_INIT;

    (void)state;
    open_screen(&screen, TILE_SIDE, TILE_SIDE);
    tiles_take(&screen.tiles, &screen.picture);
    tiles_copy(&before, &screen.tiles);
    for (int i = 0; i < TILE_SIDE * TILE_SIDE * 24; i++) {
        uint8_t *row =
            picture_row(&screen.picture, (uint32_t)(i / 24 / TILE_SIDE));
        uint8_t *byte = row + i / 24 % TILE_SIDE * PICTURE_PIXEL + i % 24 / 8;

        *byte ^= (uint8_t)(1U << i % 8);
        tiles_take(&screen.tiles, &screen.picture);
        assert_false(tiles_equal(&before, &screen.tiles));
        *byte ^= (uint8_t)(1U << i % 8);
    }
    tiles_take(&screen.tiles, &screen.picture);
    assert_true(tiles_equal(&before, &screen.tiles));
    tiles_release(&before);
    close_screen(&screen);
}

/* A line that moves, or turns, leaves the sums of colours as they were. */
static void what_moves_within_a_square_is_seen(void **state)
{
    struct tiles seen[2 * TILE_SIDE];
    struct screen screen;

    (void)state;
    for (int i = 0; i < 2 * TILE_SIDE; i++) {
        struct box across = {0, i, TILE_SIDE, i + 1};
        struct box down = {i - TILE_SIDE, 0, i - TILE_SIDE + 1, TILE_SIDE};

        open_screen(&screen, TILE_SIDE, TILE_SIDE);
        fill(&screen.picture, i < TILE_SIDE ? across : down, 0xff3366cc);
        seen[i] = (struct tiles)TILES_INIT;
        tiles_take(&seen[i], &screen.picture);
        for (int j = 0; j < i; j++)
            assert_false(tiles_equal(&seen[i], &seen[j]));
        close_screen(&screen);
    }
    for (int i = 0; i < 2 * TILE_SIDE; i++)
        tiles_release(&seen[i]);
}

struct crowd {
    struct frames *frames;
    atomic_int inside;
    atomic_int most;
};

static void *use_frames(void *context)
{
    struct crowd *crowd = context;

    for (int i = 0; i < 200; i++) {
        struct frame *frame = frames_take(crowd->frames);
        int inside = atomic_fetch_add(&crowd->inside, 1) + 1;
        int most = atomic_load(&crowd->most);
        struct err err;

        while (inside > most &&
               !atomic_compare_exchange_weak(&crowd->most, &most, inside))
            ;
        (void)!picture_resize(&frame->shot.picture, 16, 16, &err);
        sched_yield();
        atomic_fetch_sub(&crowd->inside, 1);
        frames_give(crowd->frames, frame);
    }
    return NULL;
}

static void no_more_frames_are_used_than_cores_can(void **state)
{
    struct crowd crowd = {.frames = frames_open()};
    pthread_t threads[16];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_frames, &crowd),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    assert_in_range(atomic_load(&crowd.most), 1, sysconf(_SC_NPROCESSORS_ONLN));
    frames_close(crowd.frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_counts_as_a_change_is_more_than_clock_and_caret),
        cmocka_unit_test(what_is_masked_does_not_count),
        cmocka_unit_test(screens_of_other_sizes_are_never_alike),
        cmocka_unit_test(a_protected_window_is_black_between_the_bars),
        cmocka_unit_test(no_more_frames_are_used_than_cores_can),
        cmocka_unit_test(a_frame_that_is_given_back_is_used_again),
        cmocka_unit_test(one_frame_is_left_by_those_who_wait_for_a_wire),
        cmocka_unit_test(squares_are_equal_only_if_all_are),
        cmocka_unit_test(every_bit_of_every_pixel_counts),
        cmocka_unit_test(what_moves_within_a_square_is_seen),
        cmocka_unit_test(rows_that_change_alike_do_not_cancel_out),
    };

    return cmocka_run_group_tests_name("tiles", tests, NULL, NULL);
}
