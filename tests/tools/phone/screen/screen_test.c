#include "tools/phone/screen/screen.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/core/still_clock.h"
#include "tools/phone/apps/app_registry.h"
#include "tools/phone/apps/launcher.h"

#define XML_MAX ((size_t)1 << 20)
#define NINE_O_CLOCK (INT64_C(1736154000) * PHONE_SECOND)

static struct handset handset;
static struct phone_fonts *fonts;
static int64_t now;

static struct app_registry opened_with = {.handset = &handset};

static int open_parts(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    return fonts_open(&fonts, &err) &&
                   handset_init(&handset, &(struct handset_options){0}, &err)
               ? 0
               : -1;
}

static int close_parts(void **state)
{
    (void)state;
    handset_release(&handset);
    fonts_close(fonts);
    return 0;
}

static struct phone_screen *open_screen(enum phone_locale locale, bool dark)
{
    const struct screen_options options = {
        .fonts = fonts,
        .clock = still_clock(&now),
        .app = task_stack_app(app_registry_task_stack(&opened_with)),
        .locale = locale,
        .dark = dark,
        .seed = 7,
    };
    struct err err = ERR_INIT;
    struct phone_screen *screen;

    now = NINE_O_CLOCK;
    assert_true(screen_open(&options, &screen, &err));
    return screen;
}

static struct phone_frame *look(struct phone_screen *screen)
{
    struct err err = ERR_INIT;
    struct phone_frame *frame;

    assert_true(screen_look(screen, &frame, &err));
    return frame;
}

static uint64_t frame_number(struct phone_screen *screen)
{
    struct phone_frame *frame = look(screen);
    uint64_t number = frame->number;

    screen_frame_drop(frame);
    return number;
}

static struct buf dump(struct phone_screen *screen)
{
    struct buf xml = BUF_INIT(XML_MAX);

    screen_dump(screen, false, &xml);
    assert_false(xml.overflow);
    return xml;
}

static bool shows(struct phone_screen *screen, const char *what)
{
    struct buf xml = dump(screen);
    bool found = strstr(buf_cstr(&xml), what) != NULL;

    buf_release(&xml);
    return found;
}

static void tap(struct phone_screen *screen, int x, int y)
{
    screen_touch(screen, SCREEN_DOWN, x, y);
    screen_touch(screen, SCREEN_UP, x, y);
}

/* ---- nodes, read back from the XML ---- */

struct node {
    char text[64];
    struct box bounds;
    bool clickable;
};

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

/* The next node at or behind *at; false when there is none. */
static bool next_node(const char **at, struct node *node)
{
    const char *begin = strstr(*at, "<node ");
    const char *text, *clickable, *bounds;
    size_t length;

    if (!begin)
        return false;
    text = strstr(begin, " text=") + strlen(" text=\"");
    clickable = strstr(begin, " clickable=\"") + strlen(" clickable=\"");
    bounds = strstr(begin, " bounds=\"") + strlen(" bounds=\"");
    length = strcspn(text, "\"");
    length = length < sizeof(node->text) ? length : sizeof(node->text) - 1;
    memcpy(node->text, text, length);
    node->text[length] = '\0';
    node->clickable = *clickable == 't';
    node->bounds.left = read_side(&bounds);
    node->bounds.top = read_side(&bounds);
    node->bounds.right = read_side(&bounds);
    node->bounds.bottom = read_side(&bounds);
    *at = bounds;
    return true;
}

static bool find_node(struct phone_screen *screen, const char *text,
                      struct node *node)
{
    struct buf xml = dump(screen);
    const char *at = buf_cstr(&xml);
    bool found = false;

    while (!found && next_node(&at, node))
        found = !strcmp(node->text, text);
    buf_release(&xml);
    return found;
}

static void tap_node(struct phone_screen *screen, const char *text)
{
    struct node node;

    assert_true(find_node(screen, text, &node));
    tap(screen, (node.bounds.left + node.bounds.right) / 2,
        (node.bounds.top + node.bounds.bottom) / 2);
}

/* ---- tests ---- */

static void an_unchanged_screen_is_not_drawn_again(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    uint64_t first = frame_number(screen);

    (void)state;
    assert_int_equal(frame_number(screen), first);
    now += 59 * PHONE_SECOND;
    assert_int_equal(frame_number(screen), first);
    screen_key(screen, KEY_BACK); /* means nothing here */
    tap(screen, 540, 1300);       /* nor does the wallpaper */
    assert_int_equal(frame_number(screen), first);
    now += PHONE_SECOND;
    assert_int_equal(frame_number(screen), first + 1);
    screen_close(screen);
}

static void released_frame_is_redrawn_equally(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    struct phone_frame *before = look(screen);
    struct phone_frame *after;

    (void)state;
    screen_rest(screen);
    screen_rest(screen);
    after = look(screen);
    assert_ptr_not_equal(before, after);
    assert_memory_equal(before->picture.pixels, after->picture.pixels,
                        after->picture.stride * after->picture.height);
    screen_frame_drop(before);
    screen_frame_drop(after);
    screen_close(screen);
}

static void a_frame_in_use_never_changes(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    struct phone_frame *before = look(screen);
    size_t size = before->picture.stride * before->picture.height;
    uint8_t *copy = malloc(size);
    struct phone_frame *after;

    (void)state;
    assert_non_null(copy);
    memcpy(copy, before->picture.pixels, size);
    tap_node(screen, "Shop");
    after = look(screen);
    assert_ptr_not_equal(before, after);
    assert_memory_equal(before->picture.pixels, copy, size);
    assert_memory_not_equal(after->picture.pixels, copy, size);
    screen_frame_drop(before);
    screen_frame_drop(after);
    free(copy);
    screen_close(screen);
}

static void the_same_inputs_give_the_same_bytes(void **state)
{
    struct phone_screen *screens[2];
    struct phone_frame *frames[2];
    struct buf dumps[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        screens[i] = open_screen(LOCALE_ZH, true);
        tap_node(screens[i], "时钟");
        frames[i] = look(screens[i]);
        dumps[i] = dump(screens[i]);
    }
    assert_memory_equal(frames[0]->picture.pixels, frames[1]->picture.pixels,
                        frames[0]->picture.stride * frames[0]->picture.height);
    assert_string_equal(dumps[0].data, dumps[1].data);
    for (int i = 0; i < 2; i++) {
        screen_frame_drop(frames[i]);
        buf_release(&dumps[i]);
        screen_close(screens[i]);
    }
}

/* Something is drawn where the tree says that something is. */
static bool is_drawn(const struct picture *picture, struct box box)
{
    const uint8_t *first =
        picture_row(picture, (uint32_t)box.top) + box.left * PICTURE_PIXEL;

    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row =
            picture_row(picture, (uint32_t)y) + box.left * PICTURE_PIXEL;

        for (int x = 0; x < box_width(box) * PICTURE_PIXEL;
             x += PICTURE_PIXEL) {
            if (abs(row[x] - first[0]) > 40)
                return true;
        }
    }
    return false;
}

static size_t launchable(void)
{
    struct package_list list = packages_list(&handset.packages);
    size_t count = 0;

    for (size_t i = 0; i < list.count; i++)
        count += list.packages[i].activity[0] && !list.packages[i].hidden;
    package_list_release(&list);
    return count;
}

static void the_tree_and_the_picture_agree(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct phone_screen *screen =
            open_screen(i & 1 ? LOCALE_ZH : LOCALE_EN, i & 2);
        struct phone_frame *frame = look(screen);
        struct buf xml = dump(screen);
        const char *at = buf_cstr(&xml);
        struct node node;
        size_t apps = 0;

        assert_true(next_node(&at, &node));
        assert_int_equal(node.bounds.right, frame->picture.width);
        assert_int_equal(node.bounds.bottom, frame->picture.height);
        while (next_node(&at, &node)) {
            if (node.text[0])
                assert_true(is_drawn(&frame->picture, node.bounds));
            apps += node.clickable;
        }
        assert_int_equal(apps, launchable() + 1); /* and the search field */
        buf_release(&xml);
        screen_frame_drop(frame);
        screen_close(screen);
    }
}

/* BACK closes a window that an app shows at first, and then the app. */
static void open_and_close(struct phone_screen *screen,
                           const struct phone_package *package,
                           enum phone_locale locale)
{
    char shown[256];

    tap_node(screen, package_label(package, locale));
    snprintf(shown, sizeof(shown), "package=\"%s\"", package->name);
    assert_true(shows(screen, shown));
    screen_key(screen, KEY_BACK);
    if (shows(screen, shown))
        screen_key(screen, KEY_BACK);
    assert_true(shows(screen, "package=\"" LAUNCHER_PACKAGE "\""));
}

static void every_app_opens_and_closes_again(void **state)
{
    struct package_list list = packages_list(&handset.packages);

    (void)state;
    for (int locale = LOCALE_EN; locale <= LOCALE_ZH; locale++) {
        struct phone_screen *screen =
            open_screen((enum phone_locale)locale, false);

        for (size_t i = 0; i < list.count; i++) {
            if (list.packages[i].activity[0] && !list.packages[i].hidden)
                open_and_close(screen, &list.packages[i],
                               (enum phone_locale)locale);
        }
        screen_close(screen);
    }
    package_list_release(&list);
}

static void app_is_left_by_back_home_and_gestures(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);

    (void)state;
    for (int way = 0; way < 4; way++) {
        tap_node(screen, "Calculator");
        assert_true(shows(screen, "digit_7"));
        switch (way) {
        case 0:
            screen_key(screen, KEY_BACK);
            break;
        case 1:
            screen_key(screen, KEY_HOME);
            break;
        case 2: /* a swipe up from the bottom */
            screen_touch(screen, SCREEN_DOWN, 540, 2395);
            screen_touch(screen, SCREEN_MOVE, 540, 2000);
            screen_touch(screen, SCREEN_UP, 540, 1500);
            break;
        default: /* one from the right */
            screen_touch(screen, SCREEN_DOWN, 1078, 1200);
            screen_touch(screen, SCREEN_UP, 700, 1210);
        }
        assert_false(shows(screen, "digit_7"));
    }
    screen_close(screen);
}

static void moved_finger_does_not_click(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    uint64_t first = frame_number(screen);
    struct node node;

    (void)state;
    assert_true(find_node(screen, "Clock", &node));
    screen_touch(screen, SCREEN_DOWN, node.bounds.left + 20,
                 node.bounds.top + 20);
    assert_int_equal(frame_number(screen), first + 1); /* it shows */
    screen_touch(screen, SCREEN_MOVE, node.bounds.left + 20,
                 node.bounds.bottom + 200);
    screen_touch(screen, SCREEN_UP, node.bounds.left + 20,
                 node.bounds.top + 20);
    assert_false(shows(screen, "package=\"com.android.deskclock\""));
    screen_close(screen);
}

static void long_press_happens_before_the_finger_is_lifted(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    struct node node;

    (void)state;
    assert_true(find_node(screen, "Clock", &node));
    screen_touch(screen, SCREEN_DOWN, node.bounds.left + 5,
                 node.bounds.top + 5);
    now += PHONE_SECOND / 10;
    assert_false(shows(screen, "package=\"com.android.deskclock\""));
    now += PHONE_SECOND / 2;
    assert_true(shows(screen, "package=\"com.android.deskclock\""));
    screen_touch(screen, SCREEN_UP, node.bounds.left + 5, node.bounds.top + 5);
    assert_true(shows(screen, "package=\"com.android.deskclock\""));
    screen_close(screen);
}

static void typing_finds_apps(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    struct node node;

    (void)state;
    screen_type(screen, "no field");
    assert_true(find_node(screen, "Settings", &node));
    tap_node(screen, "Search apps");
    assert_true(shows(screen, "focused=\"true\""));
    screen_type(screen, "se");
    screen_key(screen, KEY_A + 't' - 'a');
    assert_true(find_node(screen, "set", &node));
    assert_true(find_node(screen, "Settings", &node));
    assert_false(find_node(screen, "Shop", &node));
    screen_type(screen, "é\"<&");
    assert_true(shows(screen, "text='seté\"&lt;&amp;'"));
    assert_true(find_node(screen, "No apps found", &node));
    for (int i = 0; i < 4; i++)
        screen_key(screen, KEY_DELETE);
    assert_true(find_node(screen, "Settings", &node));
    screen_key(screen, KEY_BACK); /* the keyboard goes */
    assert_false(find_node(screen, "Shop", &node));
    screen_key(screen, KEY_BACK);
    assert_true(find_node(screen, "Shop", &node));
    screen_close(screen);
}

static void home_ends_a_search_and_its_typing(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);

    (void)state;
    tap_node(screen, "Search apps");
    assert_true(screen_shows_keyboard(screen));
    screen_key(screen, KEY_HOME);
    assert_false(screen_shows_keyboard(screen));
    assert_true(shows(screen, "search_box"));
    assert_false(shows(screen, "focused=\"true\""));
    screen_close(screen);
}

/* The page stays as it is; only the next one leaves it. */
static void back_and_escape_hide_the_keyboard_first(void **state)
{
    static const int keys[] = {KEY_BACK, KEY_ESCAPE};
    struct node node;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        struct phone_screen *screen = open_screen(LOCALE_EN, false);

        tap_node(screen, "Search apps");
        screen_type(screen, "set");
        assert_true(screen_shows_keyboard(screen));
        screen_key(screen, keys[i]);
        assert_false(screen_shows_keyboard(screen));
        assert_true(find_node(screen, "set", &node));
        screen_key(screen, keys[i]);
        assert_false(find_node(screen, "set", &node));
        screen_close(screen);
    }
}

static void text_beyond_the_limit_is_dropped(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);

    (void)state;
    tap_node(screen, "Search apps");
    for (int i = 0; i < 1000; i++)
        screen_type(screen, "Long text, 长文本, ");
    screen_frame_drop(look(screen));
    screen_close(screen);
}

static void any_display_is_laid_out(void **state)
{
    static const struct {
        int width, height, density, rotation;
    } cases[] = {
        {1080, 2400, 440, 1}, {720, 1280, 320, 0},   {480, 800, 240, 3},
        {1440, 3120, 560, 2}, {200, 200, 72, 0},     {200, 200, 1000, 1},
        {3840, 2160, 160, 0}, {1080, 2400, 1000, 0},
    };
    struct phone_screen *screen = open_screen(LOCALE_EN, false);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen_display display = screen_display(screen);
        struct phone_frame *frame;
        struct err err = ERR_INIT;
        bool turned = cases[i].rotation % 2;

        display.size = (struct phone_size){cases[i].width, cases[i].height};
        display.density = cases[i].density;
        display.rotation = cases[i].rotation;
        assert_true(screen_set_display(screen, &display, &err));
        frame = look(screen);
        assert_int_equal(frame->picture.width,
                         turned ? cases[i].height : cases[i].width);
        screen_frame_drop(frame);
        assert_true(shows(screen, "<hierarchy rotation=\""));
    }
    screen_close(screen);
}

static void impossible_displays_are_refused(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    struct screen_display display = screen_display(screen);
    struct err err = ERR_INIT;

    (void)state;
    display.size.width = SCREEN_SIDE_MAX + 1;
    assert_false(screen_set_display(screen, &display, &err));
    assert_int_equal(err.code, ERR_INVALID);
    display = screen_display(screen);
    display.density = 0;
    assert_false(screen_set_display(screen, &display, &err));
    assert_int_equal(screen_display(screen).density, 440);
    screen_close(screen);
}

static void *use(void *context)
{
    struct phone_screen *screen = context;

    for (int i = 0; i < 20; i++) {
        tap(screen, 100 + i * 40, 500);
        screen_frame_drop(look(screen));
        screen_key(screen, KEY_HOME);
    }
    return NULL;
}

static void several_threads_may_use_it(void **state)
{
    struct phone_screen *screen = open_screen(LOCALE_EN, false);
    pthread_t threads[3];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use, screen), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    screen_close(screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unchanged_screen_is_not_drawn_again),
        cmocka_unit_test(released_frame_is_redrawn_equally),
        cmocka_unit_test(a_frame_in_use_never_changes),
        cmocka_unit_test(the_same_inputs_give_the_same_bytes),
        cmocka_unit_test(the_tree_and_the_picture_agree),
        cmocka_unit_test(every_app_opens_and_closes_again),
        cmocka_unit_test(app_is_left_by_back_home_and_gestures),
        cmocka_unit_test(moved_finger_does_not_click),
        cmocka_unit_test(long_press_happens_before_the_finger_is_lifted),
        cmocka_unit_test(typing_finds_apps),
        cmocka_unit_test(home_ends_a_search_and_its_typing),
        cmocka_unit_test(back_and_escape_hide_the_keyboard_first),
        cmocka_unit_test(text_beyond_the_limit_is_dropped),
        cmocka_unit_test(any_display_is_laid_out),
        cmocka_unit_test(impossible_displays_are_refused),
        cmocka_unit_test(several_threads_may_use_it),
    };

    return cmocka_run_group_tests(tests, open_parts, close_parts);
}
