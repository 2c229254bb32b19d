#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/png.h"
#include "tools/live/patch_cache.h"
#include "tools/live/tile_map.h"

#define WIDTH 1000 /* 16 tiles, of which the last is narrower */
#define HEIGHT 650 /* 11 tiles */
#define SECOND INT64_C(1000000000)

struct map_test {
    struct tile_map map;
    struct picture picture;
};

static int set_up(void **state)
{
    struct map_test *test = calloc(1, sizeof(*test));
    struct err err;

    assert_non_null(test);
    tile_map_init(&test->map);
    assert_true(picture_resize(&test->picture, WIDTH, HEIGHT, &err));
    memset(test->picture.pixels, 0xff, test->picture.stride * HEIGHT);
    *state = test;
    return 0;
}

static int tear_down(void **state)
{
    struct map_test *test = *state;

    tile_map_release(&test->map);
    picture_release(&test->picture);
    free(test);
    return 0;
}

static void fill(struct map_test *test, struct box box, uint8_t value)
{
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++)
            memset(picture_row(&test->picture, (uint32_t)y) +
                       (size_t)x * PICTURE_PIXEL,
                   value, 3);
    }
}

static bool update(struct map_test *test, int64_t now)
{
    struct err err;
    bool changed;

    assert_true(
        tile_map_update(&test->map, &test->picture, 0, now, &changed, &err));
    return changed;
}

static void first_picture_is_all_new(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];

    assert_int_equal(tile_map_patches(&test->map, 0, 0, patches), 0);
    assert_true(update(test, SECOND));
    assert_int_equal(tile_map_patches(&test->map, 0, SECOND, patches), 1);
    assert_memory_equal(&patches[0].box, (&(struct box){0, 0, WIDTH, HEIGHT}),
                        sizeof(struct box));
    assert_int_equal(tile_map_patches(&test->map, 1, SECOND, patches), 0);
}

static void equal_picture_is_no_frame(void **state)
{
    struct map_test *test = *state;

    assert_true(update(test, SECOND));
    assert_false(update(test, 2 * SECOND));
    assert_int_equal(test->map.frame, 1);
}

static void only_changed_tiles_are_sent(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];

    update(test, SECOND);
    fill(test, (struct box){130, 70, 200, 71}, 9);
    fill(test, (struct box){WIDTH - 1, HEIGHT - 1, WIDTH, HEIGHT}, 9);
    assert_true(update(test, 2 * SECOND));
    assert_int_equal(tile_map_patches(&test->map, 1, 2 * SECOND, patches), 2);
    assert_memory_equal(&patches[0].box, (&(struct box){128, 64, 256, 128}),
                        sizeof(struct box));
    assert_memory_equal(&patches[1].box,
                        (&(struct box){960, 640, WIDTH, HEIGHT}),
                        sizeof(struct box));
    assert_false(patches[0].lossy);
}

static void large_motion_is_lossy_and_then_refined(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];
    const int64_t rest = 2 * SECOND + TILE_MAP_REST_NS;

    update(test, SECOND);
    fill(test, (struct box){0, 64, WIDTH, 500}, 9);
    update(test, 2 * SECOND);
    assert_int_equal(tile_map_patches(&test->map, 1, 2 * SECOND, patches), 1);
    assert_true(patches[0].lossy);
    assert_int_equal(tile_map_refine_at(&test->map), INT64_MAX);
    tile_map_note_lossy(&test->map, patches[0].box);
    assert_int_equal(tile_map_refine_at(&test->map), rest);
    assert_false(tile_map_refine(&test->map, rest - 1));
    assert_true(tile_map_refine(&test->map, rest));
    assert_int_equal(tile_map_patches(&test->map, 2, rest, patches), 1);
    assert_false(patches[0].lossy);
    assert_int_equal(patches[0].changed, 2);
    assert_false(tile_map_refine(&test->map, rest));
}

static void too_many_rectangles_become_one(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];
    struct err err;

    picture_release(&test->picture);
    assert_true(picture_resize(&test->picture, 64 * 40, 64 * 20, &err));
    memset(test->picture.pixels, 0, test->picture.stride * 64 * 20);
    update(test, SECOND);
    for (int row = 0; row < 20; row++) {
        for (int column = row % 2; column < 40; column += 2)
            fill(test,
                 (struct box){column * 64, row * 64, column * 64 + 1,
                              row * 64 + 1},
                 9);
    }
    update(test, 2 * SECOND);
    assert_int_equal(tile_map_patches(&test->map, 1, 9 * SECOND, patches), 1);
    assert_memory_equal(&patches[0].box, (&(struct box){0, 0, 2560, 1280}),
                        sizeof(struct box));
}

static void other_size_is_all_new(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];
    struct err err;

    update(test, SECOND);
    assert_true(picture_resize(&test->picture, HEIGHT, WIDTH, &err));
    memset(test->picture.pixels, 0xff, test->picture.stride * WIDTH);
    assert_true(update(test, 2 * SECOND));
    assert_int_equal(tile_map_patches(&test->map, 1, 9 * SECOND, patches), 1);
    assert_int_equal(patches[0].box.bottom, WIDTH);
}

static void change_is_near_only_where_it_happened(void **state)
{
    struct map_test *test = *state;

    update(test, SECOND);
    fill(test, (struct box){128, 128, 192, 192}, 9);
    update(test, 2 * SECOND);
    assert_true(tile_map_changed_near(&test->map, 1, 150, 150, 0));
    assert_true(tile_map_changed_near(&test->map, 1, 120, 150, 16));
    assert_false(tile_map_changed_near(&test->map, 1, 100, 150, 16));
    assert_false(tile_map_changed_near(&test->map, 2, 150, 150, 16));
}

/* A list that moves is touched to stop it. */
static void what_moved_already_is_not_stale(void **state)
{
    struct map_test *test = *state;
    const struct box box = {128, 128, 192, 192};

    update(test, SECOND);
    for (int i = 0; i < 4; i++) {
        fill(test, box, (uint8_t)i);
        update(test, 2 * SECOND + i * SECOND / 30);
    }
    assert_int_equal(test->map.frame, 5);
    assert_true(tile_map_changed_near(&test->map, 1, 150, 150, 0));
    assert_false(tile_map_changed_near(&test->map, 2, 150, 150, 0));
    fill(test, box, 99);
    update(test, 4 * SECOND);
    assert_true(tile_map_changed_near(&test->map, 5, 150, 150, 0));
}

/* ---- encoding ---- */

static void same_part_is_encoded_once(void **state)
{
    struct map_test *test = *state;
    struct tile_map_patch patches[TILE_MAP_PATCHES_MAX];
    struct patch_cache cache;
    struct live_patch *a, *b;
    struct err err;

    patch_cache_init(&cache);
    update(test, SECOND);
    assert_int_equal(tile_map_patches(&test->map, 0, 9 * SECOND, patches), 1);
    assert_true(patch_cache_get(&cache, &test->map, &patches[0], 1, &a, &err));
    assert_true(patch_cache_get(&cache, &test->map, &patches[0], 1, &b, &err));
    assert_ptr_equal(a, b);
    assert_int_equal(cache.encoded, 1);
    live_patch_drop(b);
    assert_true(patch_cache_get(&cache, &test->map, &patches[0], 2, &b, &err));
    assert_ptr_not_equal(a, b);
    live_patch_drop(a);
    live_patch_drop(b);
    patch_cache_release(&cache);
}

static void lossless_part_has_the_same_pixels(void **state)
{
    struct map_test *test = *state;
    const struct tile_map_patch part = {.box = {64, 64, WIDTH, 192},
                                        .changed = 1};
    struct picture decoded = PICTURE_INIT;
    struct patch_cache cache;
    struct live_patch *patch;
    struct err err;

    patch_cache_init(&cache);
    fill(test, (struct box){100, 100, 333, 150}, 42);
    update(test, SECOND);
    assert_true(patch_cache_get(&cache, &test->map, &part, 1, &patch, &err));
    assert_int_equal(patch->format, LIVE_PNG);
    assert_true(
        png_decode(patch->bytes.data, patch->bytes.length, &decoded, &err));
    assert_int_equal(decoded.width, WIDTH - 64);
    for (uint32_t y = 0; y < decoded.height; y++)
        assert_memory_equal(picture_row(&decoded, y),
                            picture_row(&test->picture, y + 64) +
                                (size_t)64 * PICTURE_PIXEL,
                            decoded.width * PICTURE_PIXEL);
    picture_release(&decoded);
    live_patch_drop(patch);
    patch_cache_release(&cache);
}

static void reduced_pixel_is_the_mean(void **state)
{
    struct map_test *test = *state;
    struct picture small = PICTURE_INIT;
    struct err err;

    fill(test, (struct box){0, 0, 1, 1}, 3);
    for (unsigned by = 2; by <= 8; by *= 2) {
        const unsigned count = by * by;

        assert_true(patch_reduce(&test->picture,
                                 (struct box){0, 0, WIDTH, HEIGHT}, by, &small,
                                 &err));
        assert_int_equal(small.width, (WIDTH + by - 1) / by);
        assert_int_equal(small.height, (HEIGHT + by - 1) / by);
        assert_int_equal(small.pixels[0],
                         (255 * (count - 1) + 3 + count / 2) / count);
        assert_int_equal(picture_row(&small, small.height - 1)[0], 255);
    }
    picture_release(&small);
}

/* The mean of one colour of a block, which the edge may cut. */
static unsigned mean_at(const struct picture *picture, unsigned by, uint32_t x,
                        uint32_t y, unsigned part)
{
    unsigned sum = 0, count = 0;

    for (uint32_t v = y * by; v < (y + 1) * by && v < picture->height; v++) {
        for (uint32_t u = x * by; u < (x + 1) * by && u < picture->width; u++) {
            sum += picture_row(picture, v)[u * PICTURE_PIXEL + part];
            count++;
        }
    }
    return (sum + count / 2) / count;
}

static void every_colour_is_reduced_alone(void **state)
{
    struct map_test *test = *state;
    struct picture small = PICTURE_INIT;
    struct err err;

    for (size_t i = 0; i < test->picture.stride * test->picture.height; i++)
        test->picture.pixels[i] = (uint8_t)(i * 2654435761U >> 13);
    for (unsigned by = 2; by <= 8; by *= 2) {
        assert_true(patch_reduce(&test->picture,
                                 (struct box){0, 0, WIDTH, HEIGHT}, by, &small,
                                 &err));
        for (uint32_t y = 0; y < small.height; y++) {
            for (uint32_t i = 0; i < small.width * PICTURE_PIXEL; i++)
                assert_int_equal(picture_row(&small, y)[i],
                                 mean_at(&test->picture, by, i / PICTURE_PIXEL,
                                         y, i % PICTURE_PIXEL));
        }
    }
    picture_release(&small);
}

#define MAP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MAP_TEST(first_picture_is_all_new),
        MAP_TEST(equal_picture_is_no_frame),
        MAP_TEST(only_changed_tiles_are_sent),
        MAP_TEST(large_motion_is_lossy_and_then_refined),
        MAP_TEST(too_many_rectangles_become_one),
        MAP_TEST(other_size_is_all_new),
        MAP_TEST(change_is_near_only_where_it_happened),
        MAP_TEST(what_moved_already_is_not_stale),
        MAP_TEST(same_part_is_encoded_once),
        MAP_TEST(lossless_part_has_the_same_pixels),
        MAP_TEST(reduced_pixel_is_the_mean),
        MAP_TEST(every_colour_is_reduced_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
