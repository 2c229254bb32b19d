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

/* ---- what is located while it is scrolled into view ---- */

static void tap_call(struct app_phone *phone, const char *call)
{
    struct phone_place place = screen_effect_point(phone->screen, call);

    assert_true(place.shown);
    app_phone_tap(phone, place.x, place.y);
}

/* Does the innermost clickable node there contain a text? */
static bool has_text_at(struct app_phone *phone, int x, int y)
{
    struct buf xml = app_phone_dump(phone);
    struct app_node_reader reader = {buf_cstr(&xml), 0};
    struct app_node node;
    bool found = false;
    int depth = -1;

    while (app_node_next(&reader, &node)) {
        bool inside = depth >= 0 && node.depth > depth;

        if (node.clickable && box_holds(node.bounds, x, y)) {
            depth = node.depth;
            found = false;
        } else if (inside && *node.text) {
            found = true;
        } else if (!inside && found) {
            break;
        }
    }
    buf_release(&xml);
    return found;
}

/* A card whose picture is in view and whose name is not has no name to read. */
static void large_card_is_located_when_its_text_is_in_view(void **state)
{
    struct app_phone phone;
    struct phone_place place;

    (void)state;
    app_phone_open(&phone, &(struct app_phone_options){.fonts = fonts});
    app_phone_launch(&phone, "org.proctor.stays");
    tap_call(&phone, "stays.visit *");
    tap_call(&phone, "stays.no_thanks");
    place = screen_effect_point(phone.screen, "stays.open * #3");
    assert_false(place.shown);
    for (int i = 0; i < 12 && !place.shown; i++) {
        drag(&phone, 1500, 1400);
        place = screen_effect_point(phone.screen, "stays.open * #3");
    }
    assert_true(place.shown);
    assert_true(has_text_at(&phone, place.x, place.y));
    app_phone_close(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_card_is_located_when_its_text_is_in_view),
        cmocka_unit_test(scrolled_list_shows_other_items),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
