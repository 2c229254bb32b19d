#include "tools/phone/graphics/artwork.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/graphics/fonts_fixture.h"

#define SIDE 60

static void draw(const char *name, uint32_t seed, struct picture *picture)
{
    struct err err = ERR_INIT;
    struct canvas canvas;

    *picture = (struct picture)PICTURE_INIT;
    assert_true(picture_resize(picture, SIDE, SIDE, &err));
    canvas_init(&canvas, picture);
    canvas_fill(&canvas, canvas.clip, 0xffffffff);
    artwork_draw(artwork_find(name), seed, fonts, &canvas, canvas.clip, 6);
}

static bool is_same(const struct picture *a, const struct picture *b)
{
    for (uint32_t y = 0; y < SIDE; y++) {
        if (memcmp(picture_row(a, y), picture_row(b, y), SIDE * PICTURE_PIXEL))
            return false;
    }
    return true;
}

static void every_motif_has_a_different_picture(void **state)
{
    struct picture before = PICTURE_INIT;

    (void)state;
    draw("shoe", 1, &before);
    for (size_t i = 0; artwork_name(i); i++) {
        struct picture picture, again, other;

        draw(artwork_name(i), 5, &picture);
        draw(artwork_name(i), 5, &again);
        draw(artwork_name(i), 6, &other);
        assert_true(is_same(&picture, &again));
        assert_false(is_same(&picture, &other));
        assert_false(is_same(&picture, &before));
        picture_release(&before);
        before = picture;
        picture_release(&again);
        picture_release(&other);
    }
    picture_release(&before);
}

static void unknown_motif_is_not_found(void **state)
{
    (void)state;
    assert_null(artwork_find("unicorn"));
    assert_null(artwork_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_motif_has_a_different_picture),
        cmocka_unit_test(unknown_motif_is_not_found),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
