/* Each way to type, with texts of each kind, into the launcher's search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"
#include "tools/phone/screen/keyboard.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/screen/system_bars.h"
#include "tools/phone/system/input_methods.h"

#define TAPS_MAX 48
#define COMMAND_MAX 512

/* Where the search's field is. */
#define FIELD "540 2220"

/* Keys without a text, by their icons. */
#define SHIFT "#shift"
#define EMOJI "#emoji"

/* The space bar shows the language, and selects the first word. */
#define SPACE "English"
#define WORD "拼音"

static const struct text {
    const char *shown; /* by a dump */
    const char *base64;
    const char *input; /* for input text; NULL: no key types it */
    enum phone_locale locale;
    const char *taps[TAPS_MAX];
} texts[] = {
    {.shown = "text=\"Tent, size 4\"",
     .base64 = "VGVudCwgc2l6ZSA0",
     .input = "Tent,%ssize%s4",
     .taps = {SHIFT, "T", "e", "n", "t", ",", SPACE, "s", "i", "z", "e", SPACE,
              "?123", "4"}},
    {.shown = "text='a&amp;b \"c\" &apos;d&apos; $5 50% \\;|'",
     .base64 = "YSZiICJjIiAnZCcgJDUgNTAlIFw7fA==",
     .input = "'a&b%s\"c\"%s'\"'d'\"'%s$5%s50%%s\\;|'",
     .taps = {"a",    "?123", "&",    "ABC", "b",    SPACE, "?123", "\"",
              "ABC",  "c",    "?123", "\"",  SPACE,  "'",   "ABC",  "d",
              "?123", "'",    SPACE,  "$",   "5",    SPACE, "5",    "0",
              "=\\<", "%",    SPACE,  "\\",  "?123", ";",   "=\\<", "|"}},
    {.shown = "text=\"你好，世界\"",
     .base64 = "5L2g5aW977yM5LiW55WM",
     .locale = LOCALE_ZH,
     .taps = {"n", "i", "h", "a", "o", WORD, "，", "s", "h", "i", "j", "i", "e",
              WORD}},
    {.shown = "text=\"ok &#128077;&#127881;\"",
     .base64 = "b2sg8J+RjfCfjok=",
     .taps = {"o", "k", SPACE, EMOJI, "👍", "🎉"}},
    {.shown = "text=\"中国 and &#129418;\"",
     .base64 = "5Lit5Zu9IGFuZCDwn6aK",
     .locale = LOCALE_ZH,
     .taps = {"z", "h", "o", "n", "g", "g", "u", "o", WORD, "中", SPACE, "a",
              "n", "d", SPACE, EMOJI, "🦊"}},
};

/* The field has the focus, and is empty. */
static void begin(struct system_phone *phone, enum phone_locale locale)
{
    system_phone_run(phone, "input keyevent HOME", 0);
    system_phone_run(phone,
                     locale == LOCALE_ZH
                         ? "settings put system system_locales zh-CN"
                         : "settings put system system_locales en-US",
                     0);
    system_phone_run(phone, "input tap " FIELD, 0);
    assert_true(system_phone_shows(phone, "focused=\"true\""));
}

static void type_by_input(struct system_phone *phone, const struct text *text)
{
    char command[COMMAND_MAX];

    snprintf(command, sizeof(command), "input text %s", text->input);
    system_phone_run(phone, command, 0);
}

/* As on phones, which have no key for it. */
static void fail_by_input(struct system_phone *phone, const struct text *text)
{
    char command[COMMAND_MAX];

    snprintf(command, sizeof(command), "input text \"$(echo %s | base64 -d)\"",
             text->base64);
    system_phone_run(phone, command, 255);
    assert_non_null(
        strstr(buf_cstr(&phone->sides[SH_ERRORS]), "NullPointerException"));
    assert_false(system_phone_shows(phone, text->shown));
}

static void type_by_broadcast(struct system_phone *phone,
                              const struct text *text)
{
    char command[COMMAND_MAX];

    system_phone_run(phone, "ime set " INPUT_METHODS_ADB, 0);
    snprintf(command, sizeof(command),
             "am broadcast -a ADB_INPUT_B64 --es msg %s", text->base64);
    system_phone_run(phone, command, 0);
}

/* ---- tapping ---- */

static bool is_key(const struct widget *key, const char *name)
{
    if (*name == '#')
        return key->look.icon && key->look.icon == icon_find(name + 1);
    return key->text && !strcmp(key->text, name);
}

/* Tap a key, and update the keyboard, which may have changed. */
static void tap_key(struct system_phone *phone, struct phone_keyboard *keyboard,
                    enum phone_locale locale, const char *name)
{
    struct screen_display display = screen_display(phone->context.screen);
    const float scale = (float)display.density / 160;
    struct phone_theme theme;
    struct phone_surroundings around = {
        .locale = locale,
        .theme = &theme,
        .navigation = NAVIGATION_HEIGHT,
        .width = (float)display.size.width / scale,
        .height = (float)display.size.height / scale};
    struct widget_tree tree;
    const struct widget *key;
    char command[COMMAND_MAX];

    theme_init(&theme, THEME_HUE, false);
    widget_tree_init(
        &tree, phone->fonts, &theme,
        (struct widget_size){display.size.width, display.size.height},
        display.density);
    keyboard_build(keyboard, &around, widget_window(&tree, "field"), &tree);
    widget_tree_arrange(&tree);
    for (key = tree.newest; key && !is_key(key, name);)
        key = key->made_before;
    if (!key)
        fail_msg("there is no key %s", name);
    snprintf(command, sizeof(command), "input tap %d %d",
             (key->bounds.left + key->bounds.right) / 2,
             (key->bounds.top + key->bounds.bottom) / 2);
    (void)keyboard_press(keyboard, key, locale);
    widget_tree_release(&tree);
    system_phone_run(phone, command, 0);
}

static void type_by_taps(struct system_phone *phone, const struct text *text)
{
    struct phone_keyboard keyboard = {.shown = true};

    for (const char *const *name = text->taps; *name; name++)
        tap_key(phone, &keyboard, text->locale, *name);
}

/* ---- the table ---- */

static void every_text_arrives_by_every_method(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        void (*const ways[])(struct system_phone *, const struct text *) = {
            texts[i].input ? type_by_input : fail_by_input,
            type_by_broadcast,
            type_by_taps,
        };

        for (size_t way = 0; way < ARRAY_LEN(ways); way++) {
            system_phone_set_up(state);
            input_methods_install_adb(
                &((struct system_phone *)*state)->handset);
            system_phone_run(*state, "ime enable " INPUT_METHODS_ADB, 0);
            begin(*state, texts[i].locale);
            ways[way](*state, &texts[i]);
            if (ways[way] != fail_by_input &&
                !system_phone_shows(*state, texts[i].shown))
                fail_msg("%s did not arrive by way %zu", texts[i].shown, way);
            system_phone_tear_down(state);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_arrives_by_every_method),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
