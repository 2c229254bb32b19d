#include "runner/record/masked_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/png.h"

#define SIDE 40U
#define SECRET "hunter2"

/* A white screen with one field in its upper half. */
static void see(struct observation *seen, const char *text, bool password)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    observation_init(seen);
    buf_printf(&seen->xml,
               "<hierarchy><node class=\"v\" bounds=\"[0,0][40,40]\">"
               "<node class=\"android.widget.EditText\" resource-id=\"f\" "
               "text=\"%s\" password=\"%s\" bounds=\"[0,0][40,20]\"/>"
               "</node></hierarchy>",
               text, password ? "true" : "false");
    seen->has_tree = true;
    assert_true(picture_resize(&picture, SIDE, SIDE, &err));
    for (uint32_t y = 0; y < SIDE; y++)
        memset(picture_row(&picture, y), 255, (size_t)SIDE * PICTURE_PIXEL);
    assert_true(png_encode(&picture, PNG_FAST, &seen->png, &err));
    picture_release(&picture);
}

static uint8_t color_at(const struct masked_screen *screen, uint32_t y)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    uint8_t color;

    assert_true(
        png_decode(buf_cstr(&screen->png), screen->png.length, &picture, &err));
    color = picture_row(&picture, y)[0];
    picture_release(&picture);
    return color;
}

static void make(struct masked_screen *screen, struct secret_fields *secrets,
                 struct observation *seen)
{
    struct err err = ERR_INIT;

    if (!masked_screen_make(screen, secrets, seen, &err))
        fail_msg("%s", err.text);
    observation_release(seen);
}

static void shown_password_is_hidden(void **state)
{
    struct secret_fields secrets = {.on_screen = false};
    struct masked_screen screen;
    struct observation seen;

    (void)state;
    see(&seen, "", true);
    make(&screen, &secrets, &seen);
    assert_int_equal(color_at(&screen, 10), 255);
    masked_screen_release(&screen);
    see(&seen, SECRET, false);
    make(&screen, &secrets, &seen);
    assert_null(strstr(buf_cstr(&screen.xml), SECRET));
    assert_string_not_equal(screen.tree.nodes[1].text, SECRET);
    assert_int_not_equal(color_at(&screen, 10), 255);
    assert_int_equal(color_at(&screen, 30), 255);
    masked_screen_release(&screen);
    see(&seen, SECRET, false);
    seen.has_tree = false;
    make(&screen, &secrets, &seen);
    assert_int_equal(screen.png.length, 0);
    assert_int_equal(screen.xml.length, 0);
    masked_screen_release(&screen);
    secret_fields_release(&secrets);
}

static void other_screens_are_unchanged(void **state)
{
    struct secret_fields secrets = {.on_screen = false};
    struct masked_screen screen;
    struct observation seen;

    (void)state;
    see(&seen, "hello", false);
    make(&screen, &secrets, &seen);
    assert_non_null(strstr(buf_cstr(&screen.xml), "hello"));
    assert_int_equal(color_at(&screen, 10), 255);
    masked_screen_release(&screen);
    secret_fields_release(&secrets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_password_is_hidden),
        cmocka_unit_test(other_screens_are_unchanged),
    };

    return cmocka_run_group_tests_name("masked_screen", tests, NULL, NULL);
}
