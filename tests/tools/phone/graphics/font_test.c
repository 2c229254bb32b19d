#include "tools/phone/graphics/font.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tools/phone/graphics/glyph_cache.h"
#include "tools/phone/graphics/paragraph.h"

#define SIDE 256

static const struct phone_font body = {FONT_REGULAR, 40 * 64};

static int open_fonts(void **state)
{
    struct err err = ERR_INIT;
    struct phone_fonts *fonts;

    if (!fonts_open(&fonts, &err)) {
        print_error("%s\n", err.text);
        return -1;
    }
    *state = fonts;
    return 0;
}

static int close_fonts(void **state)
{
    fonts_close(*state);
    return 0;
}

static int width_of(struct phone_fonts *fonts, const char *text)
{
    return fonts_measure(fonts, body, text, strlen(text));
}

/* What a text looks like: how many pixels are dark, and how many coloured. */
struct looks {
    int dark;
    int coloured;
};

static struct looks looks_of(struct phone_fonts *fonts, struct phone_font font,
                             const char *text)
{
    struct picture picture = PICTURE_INIT;
    struct looks looks = {0};
    struct err err = ERR_INIT;
    struct canvas canvas;

    assert_true(picture_resize(&picture, SIDE, SIDE, &err));
    memset(picture.pixels, 0xff, picture.stride * SIDE);
    canvas_init(&canvas, &picture);
    fonts_draw(fonts, font, &canvas, (struct font_place){20, 100}, text,
               strlen(text), 0xff000000);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        const uint8_t *pixel = picture.pixels + i * PICTURE_PIXEL;

        looks.dark += pixel[0] < 128;
        looks.coloured += abs(pixel[0] - pixel[2]) > 32;
    }
    picture_release(&picture);
    return looks;
}

static void a_missing_font_names_its_package(void **state)
{
    struct err err = ERR_INIT;
    struct phone_fonts *fonts;

    (void)state;
    assert_int_equal(setenv(FONTS_VARIABLE, "/nowhere", 1), 0);
    assert_false(fonts_open(&fonts, &err));
    assert_int_equal(unsetenv(FONTS_VARIABLE), 0);
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/nowhere/Roboto-Regular.ttf"));
    assert_non_null(strstr(err.text, "fonts-roboto-unhinted"));
}

#define ROBOTO "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-"

static const char *const font_files[] = {
    ROBOTO "Regular.ttf",
    ROBOTO "Light.ttf",
    ROBOTO "Medium.ttf",
    ROBOTO "Bold.ttf",
    "/usr/share/fonts-droid-fallback/truetype/DroidSansFallback.ttf",
    "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf",
};

static void path_in(const char *folder, const char *file, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s%s", folder, strrchr(file, '/'));
}

static void write_no_font(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs("none", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A folder of fonts, of which one is not a font; remove_folder deletes it. */
static void make_folder(char folder[], const char *broken)
{
    char path[PATH_MAX];

    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < ARRAY_LEN(font_files); i++) {
        path_in(folder, font_files[i], path);
        if (strstr(path, broken))
            write_no_font(path);
        else
            assert_int_equal(symlink(font_files[i], path), 0);
    }
    assert_int_equal(setenv(FONTS_VARIABLE, folder, 1), 0);
}

static void remove_folder(const char *folder)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < ARRAY_LEN(font_files); i++) {
        path_in(folder, font_files[i], path);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(unsetenv(FONTS_VARIABLE), 0);
}

static void damaged_font_is_reported_at_once(void **state)
{
    char folder[] = "/tmp/fonts-XXXXXX";
    struct err err = ERR_INIT;
    struct phone_fonts *fonts;

    (void)state;
    make_folder(folder, "Roboto-Light.ttf");
    assert_false(fonts_open(&fonts, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "Roboto-Light.ttf is not a usable font"));
    remove_folder(folder);
}

/*
 * A font is read when a letter needs it; if that fails, the letter is drawn as
 * missing.
 */
static void damaged_emoji_font_is_skipped(void **state)
{
    char folder[] = "/tmp/fonts-XXXXXX";
    struct err err = ERR_INIT;
    struct phone_fonts *fonts;

    assert_true(looks_of(*state, body, "😀").coloured > 100);
    make_folder(folder, "NotoColorEmoji.ttf");
    assert_true(fonts_open(&fonts, &err));
    assert_int_equal(looks_of(fonts, body, "😀").coloured, 0);
    assert_true(looks_of(fonts, body, "中").dark > 0);
    fonts_close(fonts);
    remove_folder(folder);
}

static void cropped_glyphs_stay_where_they_were(void **state)
{
    (void)state;
    for (int coloured = 0; coloured < 2; coloured++) {
        size_t pixel = coloured ? 4 : 1;
        struct glyph *glyph = glyph_new(7, 5, coloured);

        glyph->left = 10;
        glyph->top = 20;
        glyph->advance = 30;
        glyph->pixels[(1 * 7 + 2) * pixel] = 11; /* in row 1, column 2 */
        glyph->pixels[(3 * 7 + 5) * pixel + pixel - 1] = 12;
        glyph = glyph_crop(glyph);
        assert_int_equal(glyph->width, 4);
        assert_int_equal(glyph->height, 3);
        assert_int_equal(glyph->left, 12);
        assert_int_equal(glyph->top, 19);
        assert_int_equal(glyph->advance, 30);
        assert_int_equal(glyph->pixels[0], 11);
        assert_int_equal(glyph->pixels[12 * pixel - 1], 12);
        free(glyph);
    }
}

static void empty_glyph_is_cropped_to_nothing(void **state)
{
    struct glyph *glyph = glyph_crop(glyph_new(7, 5, false));

    (void)state;
    assert_int_equal(glyph->width * glyph->height, 0);
    free(glyph);
}

static void widths_add_up(void **state)
{
    static const char *const texts[] = {"A", "WiFi", "中文", "a中b", "😀"};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        char twice[64];
        int once = width_of(*state, texts[i]);

        snprintf(twice, sizeof(twice), "%s%s", texts[i], texts[i]);
        assert_true(once > 0);
        assert_in_range(width_of(*state, twice), 2 * once - 2, 2 * once);
    }
    assert_int_equal(width_of(*state, ""), 0);
}

static void chinese_is_as_wide_as_the_font_is_high(void **state)
{
    assert_in_range(width_of(*state, "中"), 39, 41);
    assert_in_range(width_of(*state, "设置"), 79, 81);
}

static void missing_glyphs_come_from_other_fonts(void **state)
{
    struct looks latin = looks_of(*state, body, "R");
    struct looks chinese = looks_of(*state, body, "时");
    struct looks emoji = looks_of(*state, body, "😀");

    assert_true(latin.dark > 100 && latin.coloured == 0);
    assert_true(chinese.dark > 100 && chinese.coloured == 0);
    assert_true(emoji.coloured > 500);
    /* A sign that is text by default, and emoji on request. */
    assert_true(looks_of(*state, body, "☀️").coloured > 200);
}

static void heavier_weights_are_darker(void **state)
{
    static const enum font_weight order[] = {FONT_LIGHT, FONT_REGULAR,
                                             FONT_MEDIUM, FONT_BOLD};
    static const char *const texts[] = {"Hamburg", "汉字"};

    for (size_t t = 0; t < ARRAY_LEN(texts); t++) {
        for (size_t i = 1 + t; i < ARRAY_LEN(order); i++) {
            struct phone_font lighter = {order[i - 1], body.size};
            struct phone_font heavier = {order[i], body.size};

            assert_true(looks_of(*state, lighter, texts[t]).dark <
                        looks_of(*state, heavier, texts[t]).dark);
        }
    }
}

static void combining_characters_have_no_width(void **state)
{
    static const char sun[] = "☀️!";
    struct font_step step = fonts_step(*state, body, sun, strlen(sun));

    assert_int_equal(step.bytes, strlen(sun) - 1);
    assert_int_equal(step.character, 0x2600);
}

static void invalid_utf8_is_measured_byte_by_byte(void **state)
{
    struct font_step step = fonts_step(*state, body, "\xe4\xb8", 2);

    assert_int_equal(step.bytes, 1);
    assert_int_equal(step.character, 0xfffd);
    assert_true(width_of(*state, "\xff\xfe") > 0);
}

/* More letters than it keeps, each drawn again later. */
static void full_cache_gives_the_same_glyphs(void **state)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    int before = looks_of(*state, body, "Q").dark;

    for (int size = 100; size < 160; size++) {
        struct phone_font font = {FONT_REGULAR, size * 64};

        fonts_measure(*state, font, letters, strlen(letters));
    }
    assert_int_equal(looks_of(*state, body, "Q").dark, before);
}

/* ---- paragraphs ---- */

static struct paragraph_size measured(struct phone_fonts *fonts,
                                      const char *text, int width,
                                      int lines_max)
{
    const struct paragraph paragraph = {fonts, body, text, width, lines_max};

    return paragraph_measure(&paragraph);
}

static void lines_break_at_allowed_positions(void **state)
{
    static const struct {
        const char *text;
        int width;
        int lines_max;
        int lines;
    } cases[] = {
        {"", 100, 0, 0},
        {"word", 1000, 0, 1},
        {"two words", 120, 0, 2},
        {"two words ", 1000, 0, 1},
        {"a\nb\nc", 1000, 0, 3},
        {"\n\n", 1000, 0, 3},
        {"unbreakable", 60, 0, 5},
        {"中文中文中文", 90, 0, 3},
        {"中文，", 81, 0, 2},
        {"W", 1, 0, 1},
        {"two words and more", 120, 2, 2},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct paragraph_size size =
            measured(*state, cases[i].text, cases[i].width, cases[i].lines_max);

        assert_int_equal(size.lines, cases[i].lines);
        if (cases[i].width > 41)
            assert_true(size.width <= cases[i].width);
    }
}

static void omitted_text_is_shown_as_an_ellipsis(void **state)
{
    int whole = width_of(*state, "Calculator");
    struct paragraph_size cut = measured(*state, "Calculator", whole - 1, 1);
    struct paragraph_size same = measured(*state, "Calculator", whole, 1);

    assert_int_equal(same.width, whole);
    assert_int_equal(cut.lines, 1);
    assert_true(cut.width < whole && cut.width > whole / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_font_names_its_package),
        cmocka_unit_test(damaged_font_is_reported_at_once),
        cmocka_unit_test(damaged_emoji_font_is_skipped),
        cmocka_unit_test(cropped_glyphs_stay_where_they_were),
        cmocka_unit_test(empty_glyph_is_cropped_to_nothing),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(chinese_is_as_wide_as_the_font_is_high),
        cmocka_unit_test(missing_glyphs_come_from_other_fonts),
        cmocka_unit_test(heavier_weights_are_darker),
        cmocka_unit_test(combining_characters_have_no_width),
        cmocka_unit_test(invalid_utf8_is_measured_byte_by_byte),
        cmocka_unit_test(full_cache_gives_the_same_glyphs),
        cmocka_unit_test(lines_break_at_allowed_positions),
        cmocka_unit_test(omitted_text_is_shown_as_an_ellipsis),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
