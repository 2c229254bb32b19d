#include "tests/tools/phone/widgets/gallery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/core/still_clock.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"
#include "tools/phone/screen/keyboard.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/screen/system_bars.h"
#include "tools/phone/widgets/widget_kinds.h"

#define XML_MAX ((size_t)1 << 20)
#define NINE_O_CLOCK (INT64_C(1736154000) * PHONE_SECOND)
#define MILLISECOND (PHONE_SECOND / 1000)

static int64_t now;

/* ---- a screen that shows a page ---- */

struct show {
    struct gallery *gallery;
    struct phone_screen *screen;
};

static struct show open_page(enum gallery_page page, enum phone_locale locale)
{
    struct show show = {.gallery = gallery_open(page)};
    const struct screen_options options = {
        .fonts = fonts,
        .clock = still_clock(&now),
        .app = &show.gallery->app,
        .locale = locale,
    };
    struct err err = ERR_INIT;

    now = NINE_O_CLOCK;
    assert_true(screen_open(&options, &show.screen, &err));
    return show;
}

static void tap(struct show *show, int x, int y)
{
    screen_touch(show->screen, SCREEN_DOWN, x, y);
    now += 50 * MILLISECOND;
    screen_touch(show->screen, SCREEN_UP, x, y);
}

/* From one place to another in so many milliseconds. */
static void swipe(struct show *show, struct box from_to, int duration)
{
    int steps = duration / 10;

    screen_touch(show->screen, SCREEN_DOWN, from_to.left, from_to.top);
    for (int i = 1; i <= steps; i++) {
        now += 10 * MILLISECOND;
        screen_touch(show->screen, SCREEN_MOVE,
                     from_to.left + box_width(from_to) * i / steps,
                     from_to.top + box_height(from_to) * i / steps);
    }
    screen_touch(show->screen, SCREEN_UP, from_to.right, from_to.bottom);
}

static struct buf dump(struct show *show)
{
    struct buf xml = BUF_INIT(XML_MAX);

    screen_dump(show->screen, false, &xml);
    assert_false(xml.overflow);
    return xml;
}

static bool shows(struct show *show, const char *what)
{
    struct buf xml = dump(show);
    bool found = strstr(buf_cstr(&xml), what) != NULL;

    buf_release(&xml);
    return found;
}

/* ---- the same page as a tree ---- */

struct page {
    struct gallery *gallery;
    struct phone_theme theme;
    struct widget_tree tree;
};

static void build_page(struct page *page, enum gallery_page number,
                       enum phone_locale locale)
{
    struct phone_surroundings around = {.locale = locale,
                                        .theme = &page->theme,
                                        .status_bar = STATUS_BAR_HEIGHT,
                                        .navigation = NAVIGATION_HEIGHT};

    page->gallery = gallery_open(number);
    theme_init(&page->theme, THEME_HUE, false);
    widget_tree_init(&page->tree, fonts, &page->theme,
                     (struct widget_size){1080, 2400}, 440);
    page->tree.insets.top = STATUS_BAR_HEIGHT;
    page->tree.insets.bottom = NAVIGATION_HEIGHT;
    page->gallery->app.ops->build(&page->gallery->app, &around, &page->tree);
    widget_tree_arrange(&page->tree);
}

static void release_page(struct page *page)
{
    widget_tree_release(&page->tree);
    page->gallery->app.ops->close(&page->gallery->app);
}

/* Is this point covered by something that is drawn later? */
static bool is_covered(const struct widget *widget, int x, int y)
{
    const struct widget *top = widget_tree_hit(widget->tree, x, y);
    const struct widget *up = widget;

    while (up && up != top)
        up = up->parent;
    return top && !up;
}

/* ---- walking ---- */

/* Press it and check what happens. False: it cannot be reached. */
static bool check_press(const struct widget *widget, enum gallery_page page,
                        enum phone_locale locale)
{
    struct box seen = widget_visible(widget);
    int x = (seen.left + seen.right) / 2;
    int y = (seen.top + seen.bottom) / 2;
    struct show show;

    if (box_is_empty(seen) || is_covered(widget, x, y))
        return false;
    show = open_page(page, locale);
    tap(&show, x, y);
    if (widget->flags & WIDGET_DISABLED)
        assert_int_equal(show.gallery->events, 0);
    else
        assert_int_equal(show.gallery->event.action, widget->action);
    screen_close(show.screen);
    return true;
}

static void tapping_the_middle_of_a_node_presses_it(void **state)
{
    (void)state;
    for (int number = 0; number < GALLERY_PAGES; number++) {
        for (int locale = LOCALE_EN; locale <= LOCALE_ZH; locale++) {
            struct page page;
            const struct widget *window;
            int pressed = 0;

            build_page(&page, (enum gallery_page)number,
                       (enum phone_locale)locale);
            window = widget_tree_active(&page.tree);
            for (const struct widget *widget = window; widget;
                 widget = widget_after(widget, window)) {
                if (!(widget->flags & WIDGET_CLICKABLE))
                    continue;
                pressed += check_press(widget, (enum gallery_page)number,
                                       (enum phone_locale)locale);
            }
            assert_true(pressed >= 2);
            release_page(&page);
        }
    }
}

static bool lies_within(struct box inner, struct box outer)
{
    return inner.left >= outer.left && inner.top >= outer.top &&
           inner.right <= outer.right && inner.bottom <= outer.bottom;
}

/* Only scrolling widgets have children outside of their bounds. */
static void bounds_are_nested(void **state)
{
    (void)state;
    for (int number = 0; number < GALLERY_PAGES; number++) {
        for (int locale = LOCALE_EN; locale <= LOCALE_ZH; locale++) {
            struct page page;

            build_page(&page, (enum gallery_page)number,
                       (enum phone_locale)locale);
            for (const struct widget *widget = page.tree.newest; widget;
                 widget = widget->made_before) {
                if (widget->parent &&
                    !(widget->parent->flags & WIDGET_SCROLLABLE))
                    assert_true(
                        lies_within(widget->bounds, widget->parent->bounds));
            }
            release_page(&page);
        }
    }
}

/* ---- scrolling ---- */

static const struct box up_the_list = {500, 1500, 500, 900};

/* The last value, in dp. */
static float scrolled(struct show *show)
{
    assert_int_equal(show->gallery->event.kind, APP_SCROLL);
    return show->gallery->event.value;
}

static void list_follows_the_finger_and_flings(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);
    float let_go, on_the_way;

    (void)state;
    assert_true(shows(&show, "Airplane mode"));
    swipe(&show, up_the_list, 200);
    let_go = scrolled(&show);
    assert_in_range(let_go, 210, 219); /* 600 pixels, and 440 of them an inch */
    now += 100 * MILLISECOND;
    assert_false(shows(&show, "Airplane mode"));
    on_the_way = scrolled(&show);
    assert_true(on_the_way > let_go);
    now += 5 * PHONE_SECOND;
    shows(&show, "");
    assert_true(scrolled(&show) > on_the_way);
    screen_close(show.screen);
}

static void resting_finger_does_not_fling(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);
    float let_go;

    (void)state;
    screen_touch(show.screen, SCREEN_DOWN, 500, 1500);
    now += 50 * MILLISECOND;
    screen_touch(show.screen, SCREEN_MOVE, 500, 1000);
    now += 300 * MILLISECOND;
    screen_touch(show.screen, SCREEN_UP, 500, 1000);
    let_go = scrolled(&show);
    now += PHONE_SECOND;
    shows(&show, "");
    assert_true(scrolled(&show) == let_go);
    screen_close(show.screen);
}

static void a_list_stops_at_its_ends(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);

    (void)state;
    for (int i = 0; i < 12; i++) {
        swipe(&show, up_the_list, 50);
        now += 3 * PHONE_SECOND;
    }
    assert_true(shows(&show, "Setting 23"));
    assert_true(show.gallery->event.left == 0);
    for (int i = 0; i < 12; i++) {
        swipe(&show, (struct box){500, 900, 500, 1500}, 50);
        now += 3 * PHONE_SECOND;
    }
    assert_true(shows(&show, "Airplane mode"));
    assert_true(show.gallery->event.value == 0);
    screen_close(show.screen);
}

static void touch_stops_a_fling_without_a_click(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);
    float stopped;

    (void)state;
    swipe(&show, up_the_list, 100);
    now += 30 * MILLISECOND;
    tap(&show, 500, 1000);
    stopped = scrolled(&show);
    now += PHONE_SECOND;
    shows(&show, "");
    assert_true(scrolled(&show) == stopped);
    tap(&show, 500, 1000);
    assert_int_equal(show.gallery->event.kind, APP_CLICK);
    screen_close(show.screen);
}

static void horizontal_list_scrolls_independently(void **state)
{
    struct show show = open_page(GALLERY_SHOP, LOCALE_EN);

    (void)state;
    assert_false(shows(&show, "Vegetarian"));
    assert_true(shows(&show, "$29.00"));
    swipe(&show, (struct box){900, 330, 150, 340}, 100);
    now += 3 * PHONE_SECOND;
    assert_true(shows(&show, "Vegetarian"));
    assert_false(shows(&show, "Open now"));
    assert_true(shows(&show, "$29.00"));
    screen_close(show.screen);
}

static void scroll_offset_survives_a_rebuild(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);
    struct screen_display display;
    struct err err = ERR_INIT;

    (void)state;
    swipe(&show, up_the_list, 200);
    now += 3 * PHONE_SECOND;
    assert_false(shows(&show, "Setting 1\""));
    show.gallery->rows = 30;
    display = screen_display(show.screen);
    display.dark = true;
    assert_true(screen_set_display(show.screen, &display, &err));
    assert_false(shows(&show, "Setting 1\""));
    screen_close(show.screen);
}

/* ---- sliding ---- */

static void a_slider_is_dragged_and_tapped(void **state)
{
    struct show show = open_page(GALLERY_CONTROLS, LOCALE_EN);
    struct page page;
    const struct widget *slider;
    int middle;

    (void)state;
    build_page(&page, GALLERY_CONTROLS, LOCALE_EN);
    slider = page.tree.newest;
    while (slider->kind != &kind_slider)
        slider = slider->made_before;
    middle = (slider->bounds.top + slider->bounds.bottom) / 2;
    tap(&show, 540, middle);
    assert_int_equal(show.gallery->event.kind, APP_CHANGE);
    assert_true(show.gallery->volume > 0.48F && show.gallery->volume < 0.52F);
    swipe(&show, (struct box){540, middle, 1070, middle + 30}, 100);
    assert_true(show.gallery->volume == 1);
    swipe(&show, (struct box){540, middle, 100, middle}, 100);
    assert_true(show.gallery->volume < 0.1F);
    release_page(&page);
    screen_close(show.screen);
}

/* ---- typing ---- */

/* A number of bounds="[1,2][3,4]", and what separates it from the next. */
static int read_side(const char **at)
{
    char *end;
    long side;

    *at += strspn(*at, "[],");
    side = strtol(*at, &end, 10);
    assert_ptr_not_equal(end, *at);
    *at = end;
    return (int)side;
}

/* The middle of what has this id, or this text, in the dump. */
static void middle_of(struct show *show, const char *what, int *x, int *y)
{
    struct buf xml = dump(show);
    const char *at = strstr(buf_cstr(&xml), what);
    struct box box;

    assert_non_null(at);
    at = strstr(at, "bounds=\"") + strlen("bounds=\"");
    box.left = read_side(&at);
    box.top = read_side(&at);
    box.right = read_side(&at);
    box.bottom = read_side(&at);
    *x = (box.left + box.right) / 2;
    *y = (box.top + box.bottom) / 2;
    buf_release(&xml);
}

static void tap_on(struct show *show, const char *what)
{
    int x, y;

    middle_of(show, what, &x, &y);
    tap(show, x, y);
}

/* Tap a key of the keyboard as it is shown at first. */
static void tap_key(struct show *show, const struct phone_keyboard *keyboard,
                    enum phone_locale locale, const char *text)
{
    struct page page;
    struct phone_surroundings around = {.locale = locale,
                                        .theme = &page.theme,
                                        .navigation = NAVIGATION_HEIGHT,
                                        .width = 1080 / 2.75F,
                                        .height = 2400 / 2.75F};
    const struct widget *key;

    build_page(&page, GALLERY_FIELDS, locale);
    keyboard_build(keyboard, &around, page.tree.first, &page.tree);
    widget_tree_arrange(&page.tree);
    key = page.tree.newest;
    while (key && (!key->text || strcmp(key->text, text) != 0))
        key = key->made_before;
    assert_non_null(key);
    tap(show, (key->bounds.left + key->bounds.right) / 2,
        (key->bounds.top + key->bounds.bottom) / 2);
    release_page(&page);
}

static void keyboard_appears_types_and_disappears(void **state)
{
    struct show show = open_page(GALLERY_FIELDS, LOCALE_EN);
    const struct phone_keyboard letters = {.shown = true};
    const struct phone_keyboard symbols = {.shown = true,
                                           .page = KEYBOARD_SYMBOLS};

    (void)state;
    tap_on(&show, ":id/name");
    assert_true(shows(&show, "focused=\"true\""));
    assert_false(shows(&show, KEYBOARD_PACKAGE));
    tap_key(&show, &letters, LOCALE_EN, "h");
    tap_key(&show, &letters, LOCALE_EN, "i");
    tap_key(&show, &letters, LOCALE_EN, "English"); /* the space bar */
    tap_key(&show, &letters, LOCALE_EN, "?123");
    tap_key(&show, &symbols, LOCALE_EN, "5");
    assert_string_equal(show.gallery->name, "hi 5");
    screen_key(show.screen, KEY_DELETE);
    assert_string_equal(show.gallery->name, "hi ");
    screen_key(show.screen, KEY_BACK);
    assert_int_not_equal(show.gallery->event.kind, APP_KEY);
    screen_key(show.screen, KEY_BACK);
    assert_int_equal(show.gallery->event.kind, APP_KEY);
    screen_type(show.screen, "you"); /* the same field has the focus */
    assert_string_equal(show.gallery->name, "hi you");
    screen_key(show.screen, KEY_ENTER);
    assert_int_equal(show.gallery->event.kind, APP_SUBMIT);
    assert_string_equal(show.gallery->last_text, "hi you");
    screen_close(show.screen);
}

static void pinyin_offers_characters(void **state)
{
    struct show show = open_page(GALLERY_FIELDS, LOCALE_ZH);
    struct phone_keyboard keyboard = {.shown = true};

    (void)state;
    tap_on(&show, ":id/name");
    for (const char *letter = "nihao"; *letter; letter++) {
        const char text[] = {*letter, '\0'};

        tap_key(&show, &keyboard, LOCALE_ZH, text);
    }
    assert_string_equal(show.gallery->name, "");
    tap_key(&show, &keyboard, LOCALE_ZH, "拼音");
    assert_string_equal(show.gallery->name, "你好");
    tap_key(&show, &keyboard, LOCALE_ZH, "m");
    tap_key(&show, &keyboard, LOCALE_ZH, "a");
    snprintf(keyboard.pinyin, sizeof(keyboard.pinyin), "ma");
    tap_key(&show, &keyboard, LOCALE_ZH, "麻");
    tap_key(&show, &keyboard, LOCALE_ZH, "，");
    assert_string_equal(show.gallery->name, "你好麻，");
    screen_close(show.screen);
}

static void the_app_is_laid_out_above_the_keyboard(void **state)
{
    struct show show = open_page(GALLERY_LIST, LOCALE_EN);
    int x, low, y;

    (void)state;
    show.gallery->page = GALLERY_SHOP;
    middle_of(&show, "content-desc=\"Account\"", &x, &low);
    tap_on(&show, "Search products");
    middle_of(&show, "content-desc=\"Account\"", &x, &y);
    assert_true(y < low - 600);
    screen_key(show.screen, KEY_BACK);
    middle_of(&show, "content-desc=\"Account\"", &x, &y);
    assert_int_equal(y, low);
    screen_close(show.screen);
}

static void a_tap_places_the_caret(void **state)
{
    struct show show = open_page(GALLERY_FIELDS, LOCALE_EN);
    int x, y;

    (void)state;
    snprintf(show.gallery->name, sizeof(show.gallery->name), "ends");
    middle_of(&show, ":id/name", &x, &y);
    tap(&show, 1000, y);
    screen_type(show.screen, ".");
    tap(&show, 60, y);
    screen_type(show.screen, "It ");
    assert_string_equal(show.gallery->name, "It ends.");
    screen_key(show.screen, KEY_MOVE_END);
    screen_key(show.screen, KEY_LEFT);
    screen_type(show.screen, "é✓");
    screen_key(show.screen, KEY_FORWARD_DELETE);
    assert_string_equal(show.gallery->name, "It endsé✓");
    screen_close(show.screen);
}

static void a_long_press_selects_a_word_to_replace(void **state)
{
    struct show show = open_page(GALLERY_FIELDS, LOCALE_EN);
    int x, y;

    (void)state;
    snprintf(show.gallery->name, sizeof(show.gallery->name),
             "longestwordofall, and more");
    middle_of(&show, ":id/name", &x, &y);
    screen_touch(show.screen, SCREEN_DOWN, 150, y);
    now += PHONE_SECOND;
    shows(&show, "");
    screen_touch(show.screen, SCREEN_UP, 150, y);
    screen_type(show.screen, "this");
    assert_string_equal(show.gallery->name, "this, and more");
    screen_close(show.screen);
}

static void an_area_has_lines_and_a_password_dots(void **state)
{
    struct show show = open_page(GALLERY_FIELDS, LOCALE_EN);

    (void)state;
    tap_on(&show, ":id/notes");
    screen_type(show.screen, "one");
    screen_key(show.screen, KEY_ENTER);
    screen_type(show.screen, "two");
    assert_string_equal(show.gallery->notes, "one\ntwo");
    tap_on(&show, ":id/secret");
    screen_type(show.screen, "pä$");
    assert_string_equal(show.gallery->secret, "pä$");
    assert_true(shows(&show, "text=\"•••\""));
    assert_false(shows(&show, "pä$"));
    screen_close(show.screen);
}

/* ---- displays ---- */

/* The keyboard may be higher than the screen. */
static void every_page_fits_on_any_display(void **state)
{
    static const struct {
        int width, height, density, rotation;
    } cases[] = {
        {1080, 2400, 440, 1},
        {200, 200, 72, 0},
        {200, 300, 1000, 3},
        {1440, 1440, 160, 2},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        for (int page = 0; page < GALLERY_PAGES; page++) {
            struct show show = open_page((enum gallery_page)page, LOCALE_ZH);
            struct screen_display display = screen_display(show.screen);
            struct phone_frame *frame;
            struct err err = ERR_INIT;

            if (page == GALLERY_FIELDS)
                tap_on(&show, ":id/notes");
            display.size = (struct phone_size){cases[i].width, cases[i].height};
            display.density = cases[i].density;
            display.rotation = cases[i].rotation;
            assert_true(screen_set_display(show.screen, &display, &err));
            assert_true(screen_look(show.screen, &frame, &err));
            screen_frame_drop(frame);
            assert_true(shows(&show, GALLERY_PACKAGE));
            screen_close(show.screen);
        }
    }
}

/* ---- windows ---- */

static void a_sheet_is_pulled_down(void **state)
{
    struct show show = open_page(GALLERY_SHEET, LOCALE_EN);

    (void)state;
    assert_true(shows(&show, "Sort by"));
    assert_false(shows(&show, "Search products"));
    swipe(&show, (struct box){540, 1800, 540, 2300}, 200);
    assert_int_equal(show.gallery->event.kind, APP_OUTSIDE);
    show.gallery->event.kind = APP_CLICK;
    tap(&show, 540, 400);
    assert_int_equal(show.gallery->event.kind, APP_OUTSIDE);
    screen_close(show.screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tapping_the_middle_of_a_node_presses_it),
        cmocka_unit_test(bounds_are_nested),
        cmocka_unit_test(list_follows_the_finger_and_flings),
        cmocka_unit_test(resting_finger_does_not_fling),
        cmocka_unit_test(a_list_stops_at_its_ends),
        cmocka_unit_test(touch_stops_a_fling_without_a_click),
        cmocka_unit_test(horizontal_list_scrolls_independently),
        cmocka_unit_test(scroll_offset_survives_a_rebuild),
        cmocka_unit_test(a_slider_is_dragged_and_tapped),
        cmocka_unit_test(keyboard_appears_types_and_disappears),
        cmocka_unit_test(pinyin_offers_characters),
        cmocka_unit_test(the_app_is_laid_out_above_the_keyboard),
        cmocka_unit_test(a_tap_places_the_caret),
        cmocka_unit_test(a_long_press_selects_a_word_to_replace),
        cmocka_unit_test(an_area_has_lines_and_a_password_dots),
        cmocka_unit_test(every_page_fits_on_any_display),
        cmocka_unit_test(a_sheet_is_pulled_down),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
