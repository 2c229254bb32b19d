#include "tools/phone/pictures/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void draw(const char *name, uint32_t seed, size_t spots,
                 struct picture *picture)
{
    struct err err = ERR_INIT;

    *picture = (struct picture)PICTURE_INIT;
    assert_true(scene_draw(scene_find(name), seed, spots, picture, &err));
}

static bool is_same(const struct picture *a, const struct picture *b)
{
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++) {
        if (memcmp(picture_row(a, y), picture_row(b, y),
                   SCENE_WIDTH * PICTURE_PIXEL))
            return false;
    }
    return true;
}

static void same_seed_gives_the_same_pixels(void **state)
{
    (void)state;
    for (size_t i = 0; scene_name(i); i++) {
        struct picture one, again, other;

        draw(scene_name(i), 5, 0, &one);
        draw(scene_name(i), 5, 0, &again);
        draw(scene_name(i), 6, 0, &other);
        assert_true(is_same(&one, &again));
        assert_false(is_same(&one, &other));
        picture_release(&one);
        picture_release(&again);
        picture_release(&other);
    }
}

/* The mask says where the photo differs from the same one without subject. */
static void subject_is_a_part_of_the_photo(void **state)
{
    (void)state;
    for (size_t i = 0; scene_name(i); i++) {
        for (uint32_t seed = 0; seed < 20; seed++) {
            struct picture mask = PICTURE_INIT;
            struct err err = ERR_INIT;
            uint32_t white = 0;

            assert_true(
                scene_subject(scene_find(scene_name(i)), seed, &mask, &err));
            for (uint32_t y = 0; y < SCENE_HEIGHT; y++) {
                for (uint32_t x = 0; x < SCENE_WIDTH; x++)
                    white += picture_row(&mask, y)[x * PICTURE_PIXEL] > 127;
            }
            assert_in_range(white, SCENE_WIDTH * SCENE_HEIGHT / 40,
                            SCENE_WIDTH * SCENE_HEIGHT / 3);
            picture_release(&mask);
        }
    }
}

static void spots_are_dark_and_apart(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 50; seed++) {
        struct scene_spot spots[SCENE_SPOTS_MAX];
        struct picture clean, dusty;

        scene_spots(seed, 3, spots);
        draw("cactus", seed, 0, &clean);
        draw("cactus", seed, 3, &dusty);
        for (int i = 0; i < 3; i++) {
            size_t at = (size_t)spots[i].x * PICTURE_PIXEL;

            assert_true(picture_row(&dusty, (uint32_t)spots[i].y)[at + 2] + 40 <
                        picture_row(&clean, (uint32_t)spots[i].y)[at + 2]);
            if (i > 0)
                assert_true(spots[i].x - spots[i - 1].x >
                            spots[i].radius + spots[i - 1].radius);
        }
        picture_release(&clean);
        picture_release(&dusty);
    }
}

static void unknown_scene_is_not_found(void **state)
{
    (void)state;
    assert_null(scene_find("unicorn"));
    assert_null(scene_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_gives_the_same_pixels),
        cmocka_unit_test(subject_is_a_part_of_the_photo),
        cmocka_unit_test(spots_are_dark_and_apart),
        cmocka_unit_test(unknown_scene_is_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
