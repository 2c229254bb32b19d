#include "process_provider/pictures/picture_marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/canvas.h"
#include "process_provider/pictures/digit_font.h"
#include "process_provider/pictures/set_of_marks.h"
#include "process_provider/pictures/stitch_screens.h"

#define WIDTH 540
#define HEIGHT 1080

static void blank(struct picture *picture, uint32_t width, uint32_t height,
                  int shade)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, width, height, &err));
    memset(picture->pixels, shade, picture->stride * height);
    for (size_t i = 3; i < picture->stride * height; i += PICTURE_PIXEL)
        picture->pixels[i] = 0xff;
}

static bool is_red(const struct picture *picture, int x, int y)
{
    const uint8_t *pixel =
        picture_row(picture, (uint32_t)y) + (size_t)x * PICTURE_PIXEL;

    return pixel[0] == 0xe5 && pixel[1] == 0x39 && pixel[2] == 0x35;
}

/* ---- marks ---- */

static void a_tap_is_marked_around_its_place(void **state)
{
    struct picture picture = PICTURE_INIT;
    int unit;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0xff);
    unit = picture_mark_unit(&picture);
    picture_mark_tap(&picture, (struct action_point){200, 300});
    assert_true(is_red(&picture, 200 + 10 * unit, 300));
    assert_true(is_red(&picture, 200, 300 - 10 * unit));
    assert_true(is_red(&picture, 200 - 14 * unit, 300));
    /* The target itself stays visible. */
    assert_memory_equal(picture_row(&picture, 300) + (size_t)4 * 200,
                        "\xff\xff\xff\xff", 4);
    picture_release(&picture);
}

static void a_swipe_is_an_arrow_from_end_to_end(void **state)
{
    struct picture picture = PICTURE_INIT;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0);
    picture_mark_swipe(&picture, (struct action_point){100, 900},
                       (struct action_point){100, 200});
    assert_true(is_red(&picture, 100, 205));
    assert_true(is_red(&picture, 100, 550));
    assert_false(is_red(&picture, 100, 150));
    assert_false(is_red(&picture, 120, 550));
    picture_release(&picture);
}

static void marks_outside_of_the_picture_are_harmless(void **state)
{
    static const struct action_point points[] = {
        {-1000, -1000}, {0, 0}, {WIDTH, HEIGHT}, {100000, 5}};
    struct picture picture = PICTURE_INIT;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0x80);
    for (size_t i = 0; i < ARRAY_LEN(points); i++) {
        picture_mark_tap(&picture, points[i]);
        picture_mark_swipe(&picture, points[i],
                           points[ARRAY_LEN(points) - 1 - i]);
        picture_mark_swipe(&picture, points[i], points[i]);
        picture_mark_box(&picture,
                         (struct box){points[i].x, points[i].y, points[i].x + 9,
                                      points[i].y + 9},
                         PICTURE_MARK_RED);
    }
    picture_release(&picture);
}

/* ---- two screens in one ---- */

static void two_screens_are_joined_by_a_red_line(void **state)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {WIDTH - 3, 500}};
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct picture both = PICTURE_INIT;
    struct err err = ERR_INIT;
    int right;

    (void)state;
    blank(&before, WIDTH, HEIGHT, 0x10);
    blank(&after, WIDTH, HEIGHT - 100, 0x20);
    assert_true(stitch_screens(&before, &after, &action, &both, &err));
    right = (int)both.width - WIDTH;
    assert_int_equal(both.height, HEIGHT);
    assert_true(is_red(&both, WIDTH, 0));
    assert_true(is_red(&both, right - 1, HEIGHT - 1));
    assert_true(
        is_red(&both, WIDTH - 3 - 10 * picture_mark_unit(&before), 500));
    /* The mark does not extend into the second screen. */
    for (int y = 0; y < HEIGHT - 100; y++)
        assert_memory_equal(picture_row(&both, (uint32_t)y) +
                                (size_t)right * PICTURE_PIXEL,
                            picture_row(&after, (uint32_t)y), after.stride);
    picture_release(&before);
    picture_release(&after);
    picture_release(&both);
}

/* ---- numbers ---- */

static void every_digit_has_another_shape(void **state)
{
    struct picture pictures[10];

    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        struct canvas canvas;

        pictures[i] = (struct picture)PICTURE_INIT;
        blank(&pictures[i], 20, 24, 0);
        canvas_init(&canvas, &pictures[i]);
        digit_font_draw(&canvas, i, 2, 2, 20, 0xffffffff);
        for (unsigned k = 0; k < i; k++) {
            size_t apart = 0;

            for (size_t b = 0; b < pictures[i].stride * 24; b += 4)
                apart +=
                    abs(pictures[i].pixels[b] - pictures[k].pixels[b]) > 128;
            assert_true(apart > 5);
        }
    }
    for (unsigned i = 0; i < 10; i++)
        picture_release(&pictures[i]);
}

/* Rows of adjacent elements: the more of them, the less room. */
static size_t make_grid(struct set_mark *marks, int width, int height)
{
    size_t count = 0;

    for (int y = 0; y + height <= HEIGHT; y += height) {
        for (int x = 0; x + width <= WIDTH && count < SET_OF_MARKS_MAX;
             x += width) {
            marks[count] =
                (struct set_mark){.number = (unsigned)count + 1,
                                  .element = {x, y, x + width, y + height}};
            count++;
        }
    }
    return count;
}

static void numbers_never_cover_each_other(void **state)
{
    static struct set_mark marks[SET_OF_MARKS_MAX];
    struct picture picture = PICTURE_INIT;
    size_t count;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0xf0);
    count = make_grid(marks, 60, 40);
    set_of_marks_draw(&picture, marks, count);
    for (size_t i = 0; i < count; i++) {
        assert_false(box_is_empty(marks[i].label));
        for (size_t k = 0; k < i; k++)
            assert_true(box_is_empty(box_meet(marks[i].label, marks[k].label)));
    }
    picture_release(&picture);
}

static void a_number_stands_beside_text_not_on_it(void **state)
{
    struct set_mark mark = {.number = 12, .element = {100, 100, 400, 140}};
    const struct box text = {104, 104, 300, 136};
    struct picture picture = PICTURE_INIT;
    struct canvas canvas;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0xff);
    canvas_init(&canvas, &picture);
    for (int x = text.left; x < text.right; x += 4)
        canvas_fill(&canvas, (struct box){x, text.top, x + 2, text.bottom},
                    0xff000000);
    set_of_marks_draw(&picture, &mark, 1);
    assert_false(box_is_empty(mark.label));
    assert_true(box_is_empty(box_meet(mark.label, text)));
    picture_release(&picture);
}

static void elements_outside_of_the_picture_are_harmless(void **state)
{
    struct set_mark marks[] = {
        {.number = 1, .element = {-500, -500, -400, -400}},
        {.number = 2, .element = {-50, -50, 5000, 5000}},
        {.number = 3, .element = {10, 10, 5, 5}},
        {.number = 4000000000U, .element = {530, 1070, 540, 1080}},
    };
    struct picture picture = PICTURE_INIT;

    (void)state;
    blank(&picture, WIDTH, HEIGHT, 0xff);
    set_of_marks_draw(&picture, marks, ARRAY_LEN(marks));
    assert_true(box_is_empty(marks[0].label));
    assert_false(box_is_empty(marks[1].label));
    picture_release(&picture);
    blank(&picture, 3, 2, 0xff);
    set_of_marks_draw(&picture, marks, ARRAY_LEN(marks));
    picture_release(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tap_is_marked_around_its_place),
        cmocka_unit_test(a_swipe_is_an_arrow_from_end_to_end),
        cmocka_unit_test(marks_outside_of_the_picture_are_harmless),
        cmocka_unit_test(two_screens_are_joined_by_a_red_line),
        cmocka_unit_test(every_digit_has_another_shape),
        cmocka_unit_test(numbers_never_cover_each_other),
        cmocka_unit_test(a_number_stands_beside_text_not_on_it),
        cmocka_unit_test(elements_outside_of_the_picture_are_harmless),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
