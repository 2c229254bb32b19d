/* Which actions and screens of a person who takes over are masked. */
#include "runner/episode/takeover_secrets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/picture/png.h"
#include "runner/recording/recording.h"

#define WIDTH 100
#define HEIGHT 200
#define DRAWN 0x20
#define SECRET "opensesame42"

struct screen {
    struct takeover_secrets secrets;
    struct observation seen;
};

static void draw(struct buf *png)
{
    static const uint8_t color[4] = {DRAWN, DRAWN, DRAWN, 0xff};
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(picture_resize(&picture, WIDTH, HEIGHT, &err));
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            memcpy(picture_row(&picture, y) + (size_t)4 * x, color, 4);
    buf_clear(png);
    assert_true(png_encode(&picture, PNG_FAST, png, &err));
    picture_release(&picture);
}

/* A field with the focus; a keyboard is below it. */
static void observe(struct screen *screen, const char *text, bool password)
{
    struct observation *seen = &screen->seen;
    struct err err = ERR_INIT;

    draw(&seen->png);
    buf_clear(&seen->xml);
    buf_printf(&seen->xml,
               "<?xml version='1.0'?><hierarchy rotation=\"0\">"
               "<node class=\"android.widget.FrameLayout\" package=\"a.b\" "
               "bounds=\"[0,0][100,200]\">"
               "<node resource-id=\"android:id/content\" package=\"a.b\" "
               "class=\"android.widget.FrameLayout\" bounds=\"[0,0][100,100]\">"
               "<node resource-id=\"a.b:id/field\" package=\"a.b\" text=\"%s\" "
               "class=\"android.widget.EditText\" clickable=\"true\" "
               "focusable=\"true\" focused=\"true\" password=\"%s\" "
               "bounds=\"[10,10][90,30]\"/></node></node></hierarchy>",
               text, password ? "true" : "false");
    seen->has_tree =
        tree_read(&seen->tree, buf_cstr(&seen->xml), seen->xml.length, &err);
    assert_true(seen->has_tree);
    assert_true(takeover_secrets_mask_screen(&screen->secrets, seen, &err));
}

static int set_up(void **state)
{
    static struct screen screen;

    screen = (struct screen){.secrets.active = true};
    observation_init(&screen.seen);
    *state = &screen;
    return 0;
}

static int tear_down(void **state)
{
    struct screen *screen = *state;

    takeover_secrets_release(&screen->secrets);
    observation_release(&screen->seen);
    return 0;
}

/* Is this action masked on the observed screen? */
static bool is_masked(const struct screen *screen, struct action action,
                      const char *text, bool late)
{
    bool masked;

    action.text = text ? mem_dup(text) : NULL;
    masked = takeover_secrets_mask_action(&screen->secrets, &screen->seen, late,
                                          &action);
    assert_int_equal(action.secret, masked);
    if (masked) {
        assert_int_equal(action.kind, ACTION_TYPE);
        assert_string_equal(action.text, RECORDING_MASK);
        assert_false(action.has_from);
    } else if (text) {
        assert_string_equal(action.text, text);
    }
    action_release(&action);
    return masked;
}

static const struct action type = {.kind = ACTION_TYPE};
static const struct action key = {.kind = ACTION_KEY};
static const struct action back = {.kind = ACTION_BACK};
static const struct action on_field = {
    .kind = ACTION_CLICK, .has_from = true, .from = {50, 20}};
static const struct action on_keyboard = {
    .kind = ACTION_CLICK, .has_from = true, .from = {50, 150}};

static void typing_into_a_password_field_is_masked(void **state)
{
    struct screen *screen = *state;

    observe(screen, "", true);
    assert_true(is_masked(screen, type, SECRET, false));
    assert_true(is_masked(screen, key, "A", false));
    assert_true(is_masked(screen, on_keyboard, NULL, false));
    assert_false(is_masked(screen, on_field, NULL, false));
    assert_false(is_masked(screen, key, "VOLUME_UP", false));
    assert_false(is_masked(screen, back, NULL, false));
}

static void typing_into_another_field_is_kept(void **state)
{
    struct screen *screen = *state;

    observe(screen, "", false);
    assert_false(is_masked(screen, type, "a name", false));
    assert_false(is_masked(screen, key, "A", false));
    assert_false(is_masked(screen, on_keyboard, NULL, false));
}

static void typing_into_an_unknown_field_is_masked(void **state)
{
    struct screen *screen = *state;

    observe(screen, "", false);
    assert_true(is_masked(screen, type, SECRET, true));
    assert_true(is_masked(screen, key, "A", true));
    assert_true(is_masked(screen, on_keyboard, NULL, true));
    assert_false(is_masked(screen, on_field, NULL, true));
    screen->seen.has_tree = false;
    assert_true(is_masked(screen, type, SECRET, false));
}

/* Is the place of the field still as it was drawn? */
static bool is_field_visible(const struct screen *screen)
{
    const struct buf *png = &screen->seen.png;
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    bool visible;

    assert_true(png_decode(buf_cstr(png), png->length, &picture, &err));
    visible = picture_row(&picture, 20)[4 * 50] == DRAWN;
    picture_release(&picture);
    return visible;
}

static void a_password_that_the_app_shows_is_masked(void **state)
{
    struct screen *screen = *state;

    observe(screen, "", true);
    assert_true(is_field_visible(screen));
    observe(screen, SECRET, false);
    assert_null(strstr(buf_cstr(&screen->seen.xml), SECRET));
    assert_false(is_field_visible(screen));
}

static void a_password_screen_without_a_tree_is_painted_over(void **state)
{
    struct screen *screen = *state;
    struct err err = ERR_INIT;

    observe(screen, "", true);
    screen->seen.has_tree = false;
    assert_true(
        takeover_secrets_mask_screen(&screen->secrets, &screen->seen, &err));
    assert_false(is_field_visible(screen));
    assert_non_null(strstr(screen->seen.doubt, "painted over"));
}

static void screens_before_the_takeover_are_kept(void **state)
{
    struct screen *screen = *state;

    screen->secrets.active = false;
    observe(screen, "", true);
    observe(screen, SECRET, false);
    assert_non_null(strstr(buf_cstr(&screen->seen.xml), SECRET));
    assert_true(is_field_visible(screen));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(typing_into_a_password_field_is_masked),
        TEST(typing_into_another_field_is_kept),
        TEST(typing_into_an_unknown_field_is_masked),
        TEST(a_password_that_the_app_shows_is_masked),
        TEST(a_password_screen_without_a_tree_is_painted_over),
        TEST(screens_before_the_takeover_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
