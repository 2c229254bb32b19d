#include "tools/phone/screen/keyboard.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "base/utf8.h"
#include "tools/phone/screen/pinyin.h"
#include "tools/phone/widgets/widget_kinds.h"

/* Sizes in dp. */
#define BAR_HEIGHT 44.0F
#define KEY_HEIGHT 46.0F
#define KEY_HEIGHT_LOW 34.0F /* on a landscape screen */
#define ROW_GAP 9.0F
#define KEY_GAP 6.0F
#define MARGIN 5.0F
#define ROWS 4

#define CANDIDATES_MAX 8

enum keyboard_action {
    PRESS_CHARACTER = 1, /* plus the text's index */
    PRESS_SPACE,
    PRESS_CANDIDATE, /* plus a number */
    PRESS_SHIFT,
    PRESS_PAGE, /* plus the page */
    PRESS_LANGUAGE,
    PRESS_ERASE,
    PRESS_ENTER,
    PRESS_HIDE,
    PRESS_NOTHING, /* between the keys */
};

void keyboard_show(struct phone_keyboard *keyboard)
{
    keyboard->shown = true;
}

void keyboard_hide(struct phone_keyboard *keyboard)
{
    bool latin = keyboard->latin;

    *keyboard = (struct phone_keyboard){.latin = latin};
}

static float key_height(const struct phone_surroundings *around)
{
    return around->width > around->height ? KEY_HEIGHT_LOW : KEY_HEIGHT;
}

float keyboard_height(const struct phone_keyboard *keyboard,
                      const struct phone_surroundings *around)
{
    if (!keyboard->shown)
        return 0;
    return BAR_HEIGHT + ROWS * (key_height(around) + ROW_GAP) +
           around->navigation;
}

/* Are letters typed as pinyin? */
static bool is_pinyin(const struct phone_keyboard *keyboard,
                      enum phone_locale locale)
{
    return locale == LOCALE_ZH && !keyboard->latin;
}

/* ---- building ---- */

struct keyboard_build {
    const struct phone_keyboard *keyboard;
    const struct phone_surroundings *around;
    const struct phone_theme *theme;
    const struct widget *field;
};

/* A key as wide as weight normal keys. */
static struct widget *add_key(struct widget *row,
                              const struct widget_kind *kind, float weight,
                              int action, int64_t argument)
{
    struct widget *key = widget_new(row, kind);
    const struct phone_theme *theme = key->theme;

    key->layout =
        (struct widget_layout){.weight = weight, .height = WIDGET_FILL};
    key->look = (struct widget_look){
        .background = theme->dark ? theme->surface_container_highest
                                  : theme->surface_container_lowest,
        .ink = theme->on_surface,
        .radius = 7,
        .text_size = 22,
        .text_align = PARAGRAPH_CENTER,
    };
    widget_set_action(key, action, argument);
    return key;
}

static struct widget *add_character(struct widget *row, const char *text)
{
    struct widget *key = add_key(row, &kind_text, 1, PRESS_CHARACTER, 0);

    widget_set_text(key, text);
    return key;
}

/* A key that types nothing: less prominent, with a label or an icon. */
static struct widget *add_control(struct widget *row, const char *text,
                                  const struct phone_icon *icon, float weight,
                                  int action)
{
    struct widget *key =
        add_key(row, icon ? &kind_icon : &kind_text, weight, action, 0);

    key->look.background = key->theme->secondary.container;
    key->look.ink = key->theme->secondary.on_container;
    key->look.text_size = 16;
    key->look.icon = icon;
    key->layout.padding = (struct widget_edges){0, 11, 0, 11};
    if (text)
        widget_set_text(key, text);
    return key;
}

static struct widget *add_row(const struct keyboard_build *build,
                              struct widget *column, float inset)
{
    struct widget *row = widget_new(column, &kind_row);

    row->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = key_height(build->around),
        .gap = KEY_GAP,
        .padding = {inset, 0, inset, 0},
    };
    return row;
}

static void add_characters(const struct keyboard_build *build,
                           struct widget *row, const char *characters)
{
    bool upper = build->keyboard->shift;
    size_t left = strlen(characters);

    while (left) {
        size_t bytes = utf8_first(characters, left);
        char text[8];

        snprintf(text, sizeof(text), "%.*s", (int)bytes, characters);
        if (upper && bytes == 1)
            text[0] = (char)toupper((unsigned char)text[0]);
        add_character(row, text);
        characters += bytes;
        left -= bytes;
    }
}

/* ---- rows ---- */

static void add_third_row(const struct keyboard_build *build,
                          struct widget *column, const char *characters)
{
    const struct phone_keyboard *keyboard = build->keyboard;
    struct widget *row = add_row(build, column, 0);
    struct widget *first;

    if (keyboard->page == KEYBOARD_LETTERS) {
        first = add_control(row, NULL, icon_find("shift"), 1.5F, PRESS_SHIFT);
        if (keyboard->shift)
            first->look.ink = first->theme->primary.base;
    } else {
        bool more = keyboard->page == KEYBOARD_SYMBOLS;

        first =
            add_control(row, more ? "=\\<" : "?123", NULL, 1.5F, PRESS_PAGE);
        first->argument = more ? KEYBOARD_MORE : KEYBOARD_SYMBOLS;
    }
    add_characters(build, row, characters);
    add_control(row, NULL, icon_find("backspace"), 1.5F, PRESS_ERASE);
}

static void add_enter(const struct keyboard_build *build, struct widget *row)
{
    bool lines = build->field->flags & WIDGET_LINES;
    struct widget *key = add_control(
        row, NULL, icon_find(lines ? "enter" : "search"), 1.5F, PRESS_ENTER);

    key->look.background = build->theme->primary.base;
    key->look.ink = build->theme->primary.on;
    key->look.radius = 24;
}

static void add_last_row(const struct keyboard_build *build,
                         struct widget *column)
{
    const struct phone_keyboard *keyboard = build->keyboard;
    bool letters = keyboard->page == KEYBOARD_LETTERS;
    bool chinese = build->around->locale == LOCALE_ZH;
    bool pinyin = is_pinyin(keyboard, build->around->locale);
    struct widget *row = add_row(build, column, 0);
    struct widget *page =
        add_control(row, letters ? "?123" : "ABC", NULL, 1.5F, PRESS_PAGE);
    struct widget *space;

    page->argument = letters ? KEYBOARD_SYMBOLS : KEYBOARD_LETTERS;
    add_character(row, pinyin ? "，" : ",");
    if (chinese)
        add_control(row, pinyin ? "中" : "英", NULL, 1, PRESS_LANGUAGE);
    space = add_key(row, &kind_text, chinese ? 4 : 5, PRESS_SPACE, 0);
    space->look.text_size = 13;
    space->look.ink = build->theme->on_surface_variant;
    widget_set_text(space, pinyin ? "拼音" : "English");
    add_character(row, pinyin ? "。" : ".");
    add_enter(build, row);
}

static void add_rows(const struct keyboard_build *build, struct widget *column)
{
    static const char *const pages[][3] = {
        [KEYBOARD_LETTERS] = {"qwertyuiop", "asdfghjkl", "zxcvbnm"},
        [KEYBOARD_SYMBOLS] = {"1234567890", "@#$_&-+()/", "*\"':;!?"},
        [KEYBOARD_MORE] = {"~`|•√π÷×§∆", "£¢€¥^°={}\\", "%©®™✓[]"},
        [KEYBOARD_EMOJI] = {"😀😂😊😍😎🤔😭😡👍👎",
                            "🙏👏💪🔥🎉🎁🌹🐱🐶🦊",
                            "🍕🍜🍰🍎🚗🏠📷"},
    };
    const char *const *rows = pages[build->keyboard->page];
    bool short_row = build->keyboard->page == KEYBOARD_LETTERS;
    float key = (build->around->width - 2 * MARGIN) / 10;

    add_characters(build, add_row(build, column, 0), rows[0]);
    add_characters(build, add_row(build, column, short_row ? key / 2 : 0),
                   rows[1]);
    add_third_row(build, column, rows[2]);
    add_last_row(build, column);
}

/* ---- the bar above the keys ---- */

static void add_candidates(const struct keyboard_build *build,
                           struct widget *bar)
{
    struct pinyin_word words[CANDIDATES_MAX];
    const char *letters = build->keyboard->pinyin;
    size_t count = pinyin_find(letters, words, CANDIDATES_MAX);
    struct widget *typed = widget_new(bar, &kind_text);

    widget_set_text(typed, letters);
    typed->look.text_size = 14;
    typed->look.ink = build->theme->primary.base;
    for (size_t i = 0; i < count; i++) {
        struct widget *word = widget_new(bar, &kind_text);

        widget_set_text(word, words[i].text);
        widget_set_action(word, PRESS_CANDIDATE, (int64_t)i);
        word->look.text_size = 19;
        word->look.ink = build->theme->on_surface;
        word->look.radius = 8;
        word->layout.padding = (struct widget_edges){8, 0, 8, 0};
        word->layout.height = WIDGET_FILL;
    }
}

/* A key for emoji, or back to letters. */
static void open_emoji(const struct keyboard_build *build, struct widget *tool)
{
    bool shown = build->keyboard->page == KEYBOARD_EMOJI;

    widget_set_action(tool, PRESS_PAGE,
                      shown ? KEYBOARD_LETTERS : KEYBOARD_EMOJI);
    if (shown)
        tool->look.ink = build->theme->primary.base;
}

static void add_tools(const struct keyboard_build *build, struct widget *bar)
{
    static const char *const names[] = {"keyboard_hide", "emoji", "mic",
                                        "gear"};

    bar->layout.across = WIDGET_SPREAD;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct widget *tool = widget_new(bar, &kind_icon);

        tool->look.icon = icon_find(names[i]);
        tool->look.ink = build->theme->on_surface_variant;
        tool->look.radius = 18;
        tool->layout.width = 36;
        tool->layout.height = 36;
        tool->layout.padding = (struct widget_edges){7, 7, 7, 7};
        widget_set_action(tool, i ? PRESS_NOTHING : PRESS_HIDE, 0);
        if (!strcmp(names[i], "emoji"))
            open_emoji(build, tool);
    }
}

static void add_bar(const struct keyboard_build *build, struct widget *column)
{
    struct widget *bar = widget_new(column, &kind_row);

    bar->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = BAR_HEIGHT - ROW_GAP,
        .gap = 4,
        .padding = {8, 0, 8, 0},
        .down = WIDGET_CENTER,
    };
    bar->flags |= WIDGET_CLIPS;
    if (build->keyboard->pinyin[0])
        add_candidates(build, bar);
    else
        add_tools(build, bar);
}

void keyboard_build(const struct phone_keyboard *keyboard,
                    const struct phone_surroundings *around,
                    const struct widget *field, struct widget_tree *tree)
{
    const struct keyboard_build build = {keyboard, around, around->theme,
                                         field};
    struct widget *window = widget_window(tree, KEYBOARD_PACKAGE);
    struct widget *column = widget_new(window, &kind_column);

    window->flags |= WIDGET_PASSIVE | WIDGET_SHEET;
    window->layout.height = keyboard_height(keyboard, around);
    window->look.background = around->theme->surface_container;
    widget_set_action(column, PRESS_NOTHING, 0);
    column->flags &= ~(unsigned)WIDGET_FOCUSABLE;
    column->layout = (struct widget_layout){
        .width = WIDGET_FILL,
        .height = WIDGET_FILL,
        .gap = ROW_GAP,
        .padding = {MARGIN, 2, MARGIN, around->navigation},
    };
    add_bar(&build, column);
    add_rows(&build, column);
}

/* ---- taps ---- */

static struct keyboard_stroke stroke_text(const char *text)
{
    struct keyboard_stroke stroke = {.effect = KEYBOARD_TEXT};

    snprintf(stroke.text, sizeof(stroke.text), "%s", text);
    return stroke;
}

/* Type a word in place of the pinyin letters it was chosen for. */
static struct keyboard_stroke choose(struct phone_keyboard *keyboard,
                                     size_t number)
{
    struct pinyin_word words[CANDIDATES_MAX];
    size_t count = pinyin_find(keyboard->pinyin, words, CANDIDATES_MAX);
    struct keyboard_stroke stroke;

    if (number >= count) {
        stroke = stroke_text(keyboard->pinyin);
        keyboard->pinyin[0] = '\0';
        return stroke;
    }
    stroke = stroke_text(words[number].text);
    memmove(keyboard->pinyin, keyboard->pinyin + words[number].letters,
            strlen(keyboard->pinyin + words[number].letters) + 1);
    return stroke;
}

/* In pinyin, a letter waits until a word is chosen. */
static struct keyboard_stroke press_character(struct phone_keyboard *keyboard,
                                              const char *text,
                                              enum phone_locale locale)
{
    size_t length = strlen(keyboard->pinyin);

    keyboard->shift = false;
    if (!is_pinyin(keyboard, locale) || text[0] < 'a' || text[0] > 'z')
        return stroke_text(text);
    if (length < KEYBOARD_PINYIN_MAX) {
        keyboard->pinyin[length] = text[0];
        keyboard->pinyin[length + 1] = '\0';
    }
    return (struct keyboard_stroke){.effect = KEYBOARD_NOTHING};
}

static struct keyboard_stroke press_space(struct phone_keyboard *keyboard)
{
    return keyboard->pinyin[0] ? choose(keyboard, 0) : stroke_text(" ");
}

static struct keyboard_stroke press_erase(struct phone_keyboard *keyboard)
{
    size_t length = strlen(keyboard->pinyin);

    if (!length)
        return (struct keyboard_stroke){.effect = KEYBOARD_ERASE};
    keyboard->pinyin[length - 1] = '\0';
    return (struct keyboard_stroke){.effect = KEYBOARD_NOTHING};
}

/* Type the pending pinyin letters unchanged. */
static struct keyboard_stroke press_enter(struct phone_keyboard *keyboard)
{
    struct keyboard_stroke stroke = {.effect = KEYBOARD_ENTER};

    if (keyboard->pinyin[0]) {
        stroke = stroke_text(keyboard->pinyin);
        keyboard->pinyin[0] = '\0';
    }
    return stroke;
}

struct keyboard_stroke keyboard_press(struct phone_keyboard *keyboard,
                                      const struct widget *key,
                                      enum phone_locale locale)
{
    switch ((enum keyboard_action)key->action) {
    case PRESS_CHARACTER:
        return press_character(keyboard, key->text, locale);
    case PRESS_SPACE:
        return press_space(keyboard);
    case PRESS_CANDIDATE:
        return choose(keyboard, (size_t)key->argument);
    case PRESS_ERASE:
        return press_erase(keyboard);
    case PRESS_ENTER:
        return press_enter(keyboard);
    case PRESS_SHIFT:
        keyboard->shift = !keyboard->shift;
        break;
    case PRESS_PAGE:
        keyboard->page = (enum keyboard_page)key->argument;
        break;
    case PRESS_LANGUAGE:
        keyboard->latin = !keyboard->latin;
        keyboard->pinyin[0] = '\0';
        break;
    case PRESS_HIDE:
        keyboard_hide(keyboard);
        break;
    case PRESS_NOTHING:
        break;
    }
    return (struct keyboard_stroke){.effect = KEYBOARD_NOTHING};
}

/* ---- snapshots ---- */

void keyboard_save(const struct phone_keyboard *keyboard, struct buf *out)
{
    saved_state_put_bool(out, keyboard->shown);
    saved_state_put_i64(out, keyboard->page);
    saved_state_put_bool(out, keyboard->shift);
    saved_state_put_bool(out, keyboard->latin);
    saved_state_put_text(out, keyboard->pinyin);
}

void keyboard_load(struct phone_keyboard *keyboard, struct saved_state *in)
{
    keyboard->shown = saved_state_bool(in);
    keyboard->page = (enum keyboard_page)saved_state_i64(in, KEYBOARD_LETTERS,
                                                         KEYBOARD_EMOJI);
    keyboard->shift = saved_state_bool(in);
    keyboard->latin = saved_state_bool(in);
    saved_state_text(in, keyboard->pinyin, sizeof(keyboard->pinyin));
    if (keyboard
            ->pinyin[strspn(keyboard->pinyin, "abcdefghijklmnopqrstuvwxyz")])
        saved_state_break(in);
}
