#include "process_provider/pictures/ocr_binarize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/canvas.h"

#define WIDTH 1080
#define HEIGHT 1200

static const struct box whole = {0, 0, WIDTH, HEIGHT};
static const struct box middle = {400, 550, 700, 750};

struct world {
    struct picture picture;
    struct canvas canvas;
    struct picture ink;
};

static int open_world(void **state)
{
    static struct world world;
    struct err err = ERR_INIT;

    *state = &world;
    if (!picture_resize(&world.picture, WIDTH, HEIGHT, &err))
        return -1;
    canvas_init(&world.canvas, &world.picture);
    return 0;
}

static int close_world(void **state)
{
    struct world *world = *state;

    picture_release(&world->picture);
    picture_release(&world->ink);
    return 0;
}

static void take(struct world *world, struct box part)
{
    struct err err = ERR_INIT;

    assert_true(ocr_binarize(&world->picture, part, &world->ink, &err));
    assert_int_equal(world->ink.width, box_width(part));
    assert_int_equal(world->ink.height, box_height(part));
}

/* The center, in coordinates of the picture. */
static uint8_t grey_at(const struct world *world, int x, int y)
{
    const uint8_t *pixel =
        picture_row(&world->ink, (uint32_t)(y - middle.top)) +
        (size_t)(x - middle.left) * PICTURE_PIXEL;

    assert_int_equal(pixel[0], pixel[1]);
    assert_int_equal(pixel[0], pixel[2]);
    assert_int_equal(pixel[3], 255);
    return pixel[0];
}

/* A stroke in each colour, on backgrounds of other colours. */
static void assert_black_on_white(struct world *world, uint32_t ground,
                                  uint32_t color)
{
    const struct box stroke = {500, 600, 506, 640};

    canvas_fill(&world->canvas, whole, ground);
    canvas_fill(&world->canvas, stroke, color);
    take(world, middle);
    assert_int_equal(grey_at(world, 503, 620), 0);
    assert_int_equal(grey_at(world, 499, 620), 255);
    assert_int_equal(grey_at(world, 506, 620), 255);
    assert_int_equal(grey_at(world, 400, 550), 255);
    take(world, (struct box){503, 620, 504, 621});
}

static void text_of_any_colour_becomes_black_on_white(void **state)
{
    assert_black_on_white(*state, 0xffffffff, 0xff000000);
    assert_black_on_white(*state, 0xff000000, 0xffffffff);
    assert_black_on_white(*state, 0xff424242, 0xff757575);
    assert_black_on_white(*state, 0xffe08030, 0xffffffff);
}

static void key_caps_are_removed_and_letters_kept(void **state)
{
    const struct box key = {500, 600, 590, 720};
    const struct box edge = {499, 600, 500, 720}; /* of both colours */
    const struct box stroke = {540, 640, 546, 680};
    struct world *world = *state;

    canvas_fill(&world->canvas, whole, 0xff202020);
    canvas_fill(&world->canvas, edge, 0xff404040);
    canvas_fill(&world->canvas, key, 0xff606060);
    canvas_fill(&world->canvas, stroke, 0xffffffff);
    take(world, middle);
    for (int x = 480; x < 620; x++)
        assert_int_equal(grey_at(world, x, 660), x >= 540 && x < 546 ? 0 : 255);
}

static void frames_are_removed_and_content_kept(void **state)
{
    const struct box frame = {450, 600, 650, 680};
    const struct box stroke = {540, 620, 546, 660};
    struct world *world = *state;

    canvas_fill(&world->canvas, whole, 0xff502840);
    canvas_fill(&world->canvas, frame, 0xffffffff);
    canvas_fill(&world->canvas, box_inset(frame, 3), 0xff502840);
    canvas_fill(&world->canvas, stroke, 0xffffffff);
    take(world, middle);
    for (int x = 420; x < 680; x++)
        assert_int_equal(grey_at(world, x, 640), x >= 540 && x < 546 ? 0 : 255);
}

static void a_part_that_is_too_large_is_refused(void **state)
{
    struct picture large = PICTURE_INIT;
    struct world *world = *state;
    struct err err = ERR_INIT;

    assert_true(picture_resize(&large, 5000, 4000, &err));
    assert_false(ocr_binarize(&large, (struct box){0, 0, 5000, 4000},
                              &world->ink, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    picture_release(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_any_colour_becomes_black_on_white),
        cmocka_unit_test(key_caps_are_removed_and_letters_kept),
        cmocka_unit_test(frames_are_removed_and_content_kept),
        cmocka_unit_test(a_part_that_is_too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, open_world, close_world);
}
