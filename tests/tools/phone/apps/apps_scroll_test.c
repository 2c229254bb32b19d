/*
 * Lists that are scrolled on the phone, as the screen diff sees them: the
 * recorded runs have no pictures of a list before and after a scroll.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "process_provider/diff/screendiff.h"
#include "tests/tools/phone/apps/app_phone.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"

static struct phone_frame *look(struct app_phone *phone)
{
    struct phone_frame *frame;
    struct err err = ERR_INIT;

    assert_true(screen_look(phone->screen, &frame, &err));
    return frame;
}

/* Slowly, so that the list has no momentum. */
static void drag(struct app_phone *phone, int from, int to)
{
    screen_touch(phone->screen, SCREEN_DOWN, 540, from);
    for (int i = 1; i <= 10; i++) {
        app_phone_wait(phone, 0.1);
        screen_touch(phone->screen, SCREEN_MOVE, 540,
                     from + (to - from) * i / 10);
    }
    app_phone_wait(phone, 0.5);
    screen_touch(phone->screen, SCREEN_UP, 540, to);
    app_phone_wait(phone, 3);
}

static void scrolled_list_shows_other_items(void **state)
{
    static const char *const packages[] = {"org.proctor.shop",
                                           "org.proctor.eats"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(packages); i++) {
        const struct screendiff_options options = {.tolerance = 0};
        struct phone_frame *before, *after;
        struct app_phone phone;
        struct screendiff diff;

        app_phone_open(&phone, &(struct app_phone_options){.fonts = fonts});
        app_phone_launch(&phone, packages[i]);
        before = look(&phone);
        drag(&phone, 1700, 1100);
        after = look(&phone);
        screendiff_find(&diff, &before->picture, &after->picture, &options);
        assert_true(diff.moved);
        assert_int_equal(diff.movement.dx, 0);
        assert_in_range(-diff.movement.dy, 500, 600);
        assert_true(box_height(diff.movement.area) > 800);
        screen_frame_drop(before);
        screen_frame_drop(after);
        app_phone_close(&phone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scrolled_list_shows_other_items),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
