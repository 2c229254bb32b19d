#include "process_provider/diff/screendiff.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/picture/canvas.h"
#include "base/picture/luma.h"

#define WIDTH 200U
#define HEIGHT 400U
#define WHITE 0xffffffffU
#define BLACK 0xff000000U

static const struct screendiff_options plainly = {.likeness = true};

/* ---- screens ---- */

static void blank(struct picture *picture)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, WIDTH, HEIGHT, &err));
    memset(picture->pixels, 0xff, picture->stride * HEIGHT);
}

static void fill(struct picture *picture, struct box box, uint32_t color)
{
    struct canvas canvas;

    canvas_init(&canvas, picture);
    canvas_fill(&canvas, box, color);
}

static bool is_ink(int x, int y)
{
    unsigned at = (unsigned)x * 0x9e3779b1U ^ (unsigned)y * 0x85ebca77U;

    at = (at ^ at >> 15) * 0xc2b2ae3dU;
    at = (at ^ at >> 13) * 0x27d4eb2fU;
    return at >> 30 == 0;
}

/* Something like text: no two lines are equal. */
static void scribble(struct picture *picture, struct box box, int dx, int dy)
{
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            bool ink = (y - dy + 400) % 40 < 20 && is_ink(x - dx, y - dy);

            fill(picture, (struct box){x, y, x + 1, y + 1},
                 ink ? BLACK : WHITE);
        }
    }
}

/* Both screens, blank; the caller draws on them. */
struct pair {
    struct picture before, after;
    struct screendiff diff;
};

static void pair_init(struct pair *pair)
{
    *pair = (struct pair){.before = PICTURE_INIT, .after = PICTURE_INIT};
    blank(&pair->before);
    blank(&pair->after);
}

static void pair_release(struct pair *pair)
{
    picture_release(&pair->before);
    picture_release(&pair->after);
}

static void compare(struct pair *pair, const struct screendiff_options *options)
{
    screendiff_find(&pair->diff, &pair->before, &pair->after, options);
}

static void assert_box(struct box box, struct box expected)
{
    assert_int_equal(box.left, expected.left);
    assert_int_equal(box.top, expected.top);
    assert_int_equal(box.right, expected.right);
    assert_int_equal(box.bottom, expected.bottom);
}

/* ---- changes ---- */

static void equal_screens_have_no_change(void **state)
{
    struct pair pair;

    (void)state;
    pair_init(&pair);
    compare(&pair, &plainly);
    assert_int_equal(pair.diff.pixels_changed, 0);
    assert_int_equal(pair.diff.pixels, WIDTH * HEIGHT);
    assert_true(pair.diff.share == 0);
    assert_true(pair.diff.ssim == 1);
    assert_true(isinf(pair.diff.psnr));
    assert_int_equal(pair.diff.regions.count, 0);
    assert_false(pair.diff.moved);
    pair_release(&pair);
}

static void a_change_is_found_to_the_pixel(void **state)
{
    static const struct box boxes[] = {
        {0, 0, 1, 1},     {199, 399, 200, 400}, {15, 15, 17, 17},
        {3, 50, 60, 51},  {0, 0, 200, 400},     {190, 0, 200, 33},
        {37, 91, 93, 97},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(boxes); i++) {
        int pixels = box_width(boxes[i]) * box_height(boxes[i]);
        struct pair pair;

        pair_init(&pair);
        fill(&pair.after, boxes[i], BLACK);
        compare(&pair, &plainly);
        assert_int_equal(pair.diff.pixels_changed, pixels);
        assert_true(pair.diff.share == (double)pixels / (WIDTH * HEIGHT));
        assert_int_equal(pair.diff.regions.count, 1);
        assert_box(pair.diff.regions.boxes[0], boxes[i]);
        pair_release(&pair);
    }
}

static void changes_near_each_other_are_one_and_others_are_not(void **state)
{
    struct pair pair;

    (void)state;
    pair_init(&pair);
    fill(&pair.after, (struct box){10, 10, 20, 30}, BLACK);
    fill(&pair.after, (struct box){24, 12, 34, 30}, BLACK);
    fill(&pair.after, (struct box){100, 300, 180, 310}, BLACK);
    compare(&pair, &plainly);
    assert_int_equal(pair.diff.regions.count, 2);
    assert_box(pair.diff.regions.boxes[0], (struct box){10, 10, 34, 30});
    assert_box(pair.diff.regions.boxes[1], (struct box){100, 300, 180, 310});
    pair_release(&pair);
}

static void many_changes_are_merged_into_few_boxes(void **state)
{
    struct pair pair;
    const struct changed_regions *regions = &pair.diff.regions;

    (void)state;
    pair_init(&pair);
    for (int y = 4; y < (int)HEIGHT; y += 48) {
        for (int x = 4; x < (int)WIDTH; x += 48)
            fill(&pair.after, (struct box){x, y, x + 2, y + 2}, BLACK);
    }
    compare(&pair, &plainly);
    assert_in_range(regions->count, 1, CHANGED_REGIONS_MAX);
    for (size_t i = 0; i < regions->count; i++) {
        for (size_t k = i + 1; k < regions->count; k++)
            assert_true(
                box_is_empty(box_meet(regions->boxes[i], regions->boxes[k])));
    }
    pair_release(&pair);
}

static void masked_change_is_ignored(void **state)
{
    static const struct box masks[] = {{0, 0, 200, 24}, {50, 100, 53, 140}};
    const struct screendiff_options options = {
        .masks = masks, .mask_count = ARRAY_LEN(masks), .likeness = true};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    fill(&pair.after, (struct box){150, 2, 190, 20}, BLACK);
    fill(&pair.after, (struct box){50, 110, 53, 130}, BLACK);
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels_changed, 0);
    assert_int_equal(pair.diff.pixels, WIDTH * HEIGHT - 200 * 24 - 3 * 40);
    fill(&pair.after, (struct box){45, 110, 60, 130}, BLACK);
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels_changed, 12 * 20);
    assert_box(pair.diff.regions.boxes[0], (struct box){45, 110, 60, 130});
    pair_release(&pair);
}

static void masks_may_cover_everything(void **state)
{
    const struct box mask = {-5, -5, 5000, 5000};
    const struct screendiff_options options = {
        .masks = &mask, .mask_count = 1, .likeness = true};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    fill(&pair.after, (struct box){0, 0, 50, 50}, BLACK);
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels, 0);
    assert_int_equal(pair.diff.pixels_changed, 0);
    assert_true(pair.diff.share == 0);
    pair_release(&pair);
}

/* Every grey compared with white; also in tiles cut by the edge. */
static void tolerance_is_a_difference_in_brightness(void **state)
{
    struct screendiff_options options = {.tolerance = 8};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    fill(&pair.after, (struct box){0, 0, 200, 100}, 0xfff7f7f7U);
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels_changed, 0);
    options.tolerance = 7;
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels_changed, 200 * 100);
    pair_release(&pair);
}

/* The fast implementations must count like the plain definition. */
static void brightness_is_compared_to_the_last_pixel(void **state)
{
    const struct screendiff_options options = {.tolerance = 20};
    unsigned noise = 1;
    uint64_t expected = 0;
    struct pair pair;

    (void)state;
    pair_init(&pair);
    for (size_t i = 0; i < pair.after.stride * HEIGHT; i++) {
        noise = noise * 1103515245 + 12345;
        pair.before.pixels[i] = (uint8_t)(noise >> 16);
        pair.after.pixels[i] = (uint8_t)(noise >> 24);
    }
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        expected += abs(luma(pair.before.pixels + 4 * i) -
                        luma(pair.after.pixels + 4 * i)) > 20;
    compare(&pair, &options);
    assert_int_equal(pair.diff.pixels_changed, expected);
    pair_release(&pair);
}

static void psnr_is_that_of_the_mean_squared_error(void **state)
{
    struct pair pair;
    double squares = 0;

    (void)state;
    pair_init(&pair);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        for (size_t k = 0; k < 3; k++) {
            uint8_t change = (uint8_t)((i * 7 + k * 13) % 90);

            pair.after.pixels[4 * i + k] = (uint8_t)(255 - change);
            squares += change * change;
        }
    }
    compare(&pair, &plainly);
    assert_true(fabs(pair.diff.psnr -
                     10 * log10(255.0 * 255 /
                                (squares / (3.0 * WIDTH * HEIGHT)))) < 1e-9);
    pair_release(&pair);
}

static void another_size_is_a_change_of_everything(void **state)
{
    struct pair pair;
    struct err err = ERR_INIT;

    (void)state;
    pair_init(&pair);
    assert_true(picture_resize(&pair.after, HEIGHT, WIDTH, &err));
    compare(&pair, &plainly);
    assert_false(pair.diff.same_size);
    assert_true(pair.diff.share == 1);
    assert_true(isnan(pair.diff.ssim));
    assert_box(pair.diff.regions.boxes[0], (struct box){0, 0, 400, 200});
    pair_release(&pair);
}

/* ---- movement ---- */

static const struct box list = {0, 60, 200, 340}; /* between two bars */

static void draw_bars(struct picture *picture)
{
    scribble(picture, (struct box){0, 0, 200, 60}, 3, 5);
    scribble(picture, (struct box){0, 340, 200, 400}, 9, 2);
}

static void scrolling_is_movement_between_bars_that_stay(void **state)
{
    static const int ways[] = {-1, -37, -140, 1, 90, 200};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        struct pair pair;

        pair_init(&pair);
        draw_bars(&pair.before);
        draw_bars(&pair.after);
        scribble(&pair.before, list, 0, 0);
        scribble(&pair.after, list, 0, ways[i]);
        compare(&pair, &plainly);
        assert_true(pair.diff.moved);
        assert_int_equal(pair.diff.movement.dx, 0);
        assert_int_equal(pair.diff.movement.dy, ways[i]);
        assert_box(box_meet(pair.diff.movement.area, list),
                   pair.diff.movement.area);
        pair_release(&pair);
    }
}

static void turned_pages_are_horizontal_movement(void **state)
{
    struct pair pair;

    (void)state;
    pair_init(&pair);
    draw_bars(&pair.before);
    draw_bars(&pair.after);
    scribble(&pair.before, list, 0, 0);
    scribble(&pair.after, list, 75, 0);
    compare(&pair, &plainly);
    assert_true(pair.diff.moved);
    assert_int_equal(pair.diff.movement.dx, 75);
    assert_int_equal(pair.diff.movement.dy, 0);
    pair_release(&pair);
}

static void a_button_on_top_does_not_hide_the_movement(void **state)
{
    const struct box button = {140, 280, 180, 320};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    scribble(&pair.before, list, 0, 0);
    scribble(&pair.after, list, 0, -50);
    fill(&pair.before, button, 0xff3366ffU);
    fill(&pair.after, button, 0xff3366ffU);
    compare(&pair, &plainly);
    assert_true(pair.diff.moved);
    assert_int_equal(pair.diff.movement.dy, -50);
    pair_release(&pair);
}

static void another_text_in_the_same_place_is_no_movement(void **state)
{
    struct pair pair;

    (void)state;
    pair_init(&pair);
    scribble(&pair.before, list, 0, 0);
    fill(&pair.after, (struct box){20, 100, 180, 300}, 0xffdddddd);
    fill(&pair.after, (struct box){40, 150, 160, 155}, BLACK);
    compare(&pair, &plainly);
    assert_false(pair.diff.moved);
    pair_release(&pair);
}

/* One row is removed from a list and shown elsewhere; all others stay. */
static void one_moved_row_is_no_movement(void **state)
{
    const struct box from = {0, 80, 200, 100};
    const struct box to = {0, 240, 200, 260};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    scribble(&pair.before, list, 0, 0);
    scribble(&pair.after, list, 0, 0);
    fill(&pair.after, from, WHITE);
    scribble(&pair.after, to, 0, 160);
    compare(&pair, &plainly);
    assert_true(pair.diff.pixels_changed);
    assert_false(pair.diff.moved);
    pair_release(&pair);
}

/*
 * Icons beside a clock moved, and far below a mark on a line went: what the
 * line looks like everywhere says nothing about movement.
 */
static void moved_status_icons_are_no_movement(void **state)
{
    const struct box mark = {40, 150, 60, 170};
    struct pair pair;

    (void)state;
    pair_init(&pair);
    scribble(&pair.before, (struct box){84, 0, 144, 12}, 4, 0);
    scribble(&pair.after, (struct box){80, 0, 140, 12}, 0, 0);
    fill(&pair.before, (struct box){0, 160, 200, 162}, BLACK);
    fill(&pair.after, (struct box){0, 160, 200, 162}, BLACK);
    fill(&pair.before, mark, BLACK);
    compare(&pair, &plainly);
    assert_true(pair.diff.pixels_changed);
    assert_false(pair.diff.moved);
    pair_release(&pair);
}

/* ---- output ---- */

static void changes_are_outlined(void **state)
{
    struct pair pair;
    const struct box box = {50, 100, 90, 130};

    (void)state;
    pair_init(&pair);
    fill(&pair.after, box, BLACK);
    compare(&pair, &plainly);
    screendiff_mark(&pair.diff, &pair.after);
    /* The line is just outside of the change, which is not covered. */
    assert_memory_equal(picture_row(&pair.after, 99) + (size_t)4 * 70,
                        "\xe5\x39\x35\xff", 4);
    assert_memory_equal(picture_row(&pair.after, 115) + (size_t)4 * 70,
                        "\x00\x00\x00\xff", 4);
    pair_release(&pair);
}

static void numbers_that_are_not_finite_are_null_in_json(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct pair pair;
    struct cJSON *json;

    (void)state;
    pair_init(&pair);
    compare(&pair, &plainly);
    json = screendiff_to_json(&pair.diff);
    json_format(json, &text);
    assert_non_null(strstr(buf_cstr(&text), "\"changed\":false"));
    assert_non_null(strstr(buf_cstr(&text), "\"psnr\":null"));
    assert_non_null(strstr(buf_cstr(&text), "\"movement\":null"));
    cJSON_Delete(json);
    buf_release(&text);
    pair_release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_screens_have_no_change),
        cmocka_unit_test(a_change_is_found_to_the_pixel),
        cmocka_unit_test(changes_near_each_other_are_one_and_others_are_not),
        cmocka_unit_test(many_changes_are_merged_into_few_boxes),
        cmocka_unit_test(masked_change_is_ignored),
        cmocka_unit_test(masks_may_cover_everything),
        cmocka_unit_test(tolerance_is_a_difference_in_brightness),
        cmocka_unit_test(brightness_is_compared_to_the_last_pixel),
        cmocka_unit_test(psnr_is_that_of_the_mean_squared_error),
        cmocka_unit_test(another_size_is_a_change_of_everything),
        cmocka_unit_test(scrolling_is_movement_between_bars_that_stay),
        cmocka_unit_test(turned_pages_are_horizontal_movement),
        cmocka_unit_test(a_button_on_top_does_not_hide_the_movement),
        cmocka_unit_test(another_text_in_the_same_place_is_no_movement),
        cmocka_unit_test(one_moved_row_is_no_movement),
        cmocka_unit_test(moved_status_icons_are_no_movement),
        cmocka_unit_test(changes_are_outlined),
        cmocka_unit_test(numbers_that_are_not_finite_are_null_in_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
