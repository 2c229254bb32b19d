/* The program that reads, on text that is drawn as phones draw it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "process_provider/reading.h"
#include "tools/phone/font.h"

#define WIDTH 1080
#define HEIGHT 2400
#define TEXT_SIZE 37 /* 14 sp where the screen is 1080 wide */
#define KEY_SIZE 64
#define STRIP 90

struct world {
    struct fonts *fonts;
    struct picture picture;
};

static int open_world(void **state)
{
    static struct world world;
    struct err err = ERR_INIT;

    *state = &world;
    if (fonts_open(&world.fonts, &err) &&
        picture_resize(&world.picture, WIDTH, HEIGHT, &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static int close_world(void **state)
{
    struct world *world = *state;

    fonts_close(world->fonts);
    picture_release(&world->picture);
    return 0;
}

static void fill(struct world *world, uint32_t color)
{
    const struct box whole = {0, 0, WIDTH, HEIGHT};
    struct canvas canvas;

    canvas_init(&canvas, &world->picture);
    canvas_fill(&canvas, whole, color);
}

static void draw_sized(struct world *world, int size, int x, int y,
                       const char *text, uint32_t color)
{
    const struct font font = {FONT_REGULAR, size * 64};
    struct canvas canvas;

    canvas_init(&canvas, &world->picture);
    fonts_draw(world->fonts, font, &canvas, (struct font_place){x, y}, text,
               strlen(text), color);
}

static void draw(struct world *world, int x, int y, const char *text,
                 uint32_t color)
{
    draw_sized(world, TEXT_SIZE, x, y, text, color);
}

/* What is read in a strip around a point. */
static void assert_reads(struct world *world, int x, int y,
                         const char *expected)
{
    const struct box strip = {0, y - STRIP, WIDTH, y + STRIP};
    struct reading reading = READING_INIT;
    struct phrase words = {.text = ""};
    struct err err = ERR_INIT;
    struct box box = {0};

    if (!reading_make(&world->picture, strip, &reading, &err))
        fail_msg("%s", err.text);
    reading_at(&reading, x, y, &words, &box);
    assert_string_equal(words.text, expected);
    assert_true(!*expected || box_holds(box, x, y));
    reading_release(&reading);
}

static void english_is_read(void **state)
{
    fill(*state, 0xffffffff);
    draw(*state, 100, 1000, "Watch video on YouTube", 0xff202020);
    draw(*state, 800, 1000, "Share", 0xff202020);
    assert_reads(*state, 300, 990, "Watch video on YouTube");
    assert_reads(*state, 840, 990, "Share");
    assert_reads(*state, 650, 990, "");
}

static void chinese_is_read(void **state)
{
    fill(*state, 0xffffffff);
    draw(*state, 100, 1000, "打开系统设置", 0xff202020);
    draw(*state, 800, 1000, "取消", 0xff202020);
    assert_reads(*state, 150, 990, "打开系统设置");
    assert_reads(*state, 840, 990, "取消");
}

static void light_text_on_dark_is_read(void **state)
{
    fill(*state, 0xff202020);
    draw(*state, 100, 1000, "Create new event", 0xffffffff);
    draw(*state, 800, 1000, "设置", 0xffffffff);
    assert_reads(*state, 300, 990, "Create new event");
    assert_reads(*state, 840, 990, "设置");
}

static void grey_text_on_grey_is_read(void **state)
{
    fill(*state, 0xff424242);
    draw(*state, 100, 1000, "28", 0xff7a7a7a);
    draw(*state, 300, 1000, "29", 0xff7a7a7a);
    draw(*state, 500, 1000, "30", 0xffffffff);
    assert_reads(*state, 320, 990, "29");
    assert_reads(*state, 520, 990, "30");
}

static void assert_key(struct world *world, int x, int y, const char *expected)
{
    struct reading reading = READING_INIT;
    struct err err = ERR_INIT;

    if (!reading_make_key(&world->picture, x, y, &reading, &err))
        fail_msg("%s", err.text);
    assert_int_equal(reading.count, *expected != '\0');
    if (reading.count) {
        assert_string_equal(reading.words[0].text.text, expected);
        assert_true(box_holds(reading.words[0].box, x, y));
    }
    reading_release(&reading);
}

static void a_key_is_read_and_a_letter_of_a_word_is_not(void **state)
{
    fill(*state, 0xff202020);
    draw_sized(*state, KEY_SIZE, 500, 1000, "g", 0xffffffff);
    draw_sized(*state, KEY_SIZE, 600, 1000, "h", 0xffffffff);
    draw_sized(*state, KEY_SIZE / 2, 640, 955, "6", 0xffffffff);
    draw(*state, 100, 1200, "Watch", 0xffffffff);
    assert_key(*state, 514, 990, "g");
    assert_key(*state, 613, 990, "h");
    assert_key(*state, 165, 1190, "");
    assert_key(*state, 900, 1700, "");
}

static void nothing_is_read_off_an_empty_screen(void **state)
{
    fill(*state, 0xffffffff);
    assert_reads(*state, 300, 990, "");
}

static void a_part_reaches_no_further_than_the_picture(void **state)
{
    fill(*state, 0xffffffff);
    draw(*state, 100, 60, "Settings", 0xff202020);
    assert_reads(*state, 150, 50, "Settings");
}

static void a_part_without_pixels_is_refused(void **state)
{
    struct world *world = *state;
    struct reading reading = READING_INIT;
    struct err err = ERR_INIT;

    assert_false(reading_make(&world->picture,
                              (struct box){0, HEIGHT, WIDTH, HEIGHT + 90},
                              &reading, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(reading.words);
}

/* Reading, with a variable of the environment changed, says what to install. */
static void assert_asks_for_packages(struct world *world, const char *variable,
                                     const char *value)
{
    const char *old = getenv(variable);
    char *kept = old ? strdup(old) : NULL;
    struct reading reading = READING_INIT;
    struct err err = ERR_INIT;
    bool done;

    assert_int_equal(setenv(variable, value, 1), 0);
    done = reading_make(&world->picture, (struct box){0, 0, WIDTH, 100},
                        &reading, &err);
    assert_int_equal(kept ? setenv(variable, kept, 1) : unsetenv(variable), 0);
    free(kept);
    assert_false(done);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "install tesseract-ocr"));
    assert_non_null(strstr(err.text, "tesseract-ocr-chi-sim"));
}

static void without_the_program_it_says_what_to_install(void **state)
{
    assert_asks_for_packages(*state, "PATH", "/nowhere");
}

static void without_its_languages_it_says_what_to_install(void **state)
{
    assert_asks_for_packages(*state, "TESSDATA_PREFIX", "/nowhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(english_is_read),
        cmocka_unit_test(chinese_is_read),
        cmocka_unit_test(light_text_on_dark_is_read),
        cmocka_unit_test(grey_text_on_grey_is_read),
        cmocka_unit_test(a_key_is_read_and_a_letter_of_a_word_is_not),
        cmocka_unit_test(nothing_is_read_off_an_empty_screen),
        cmocka_unit_test(a_part_reaches_no_further_than_the_picture),
        cmocka_unit_test(a_part_without_pixels_is_refused),
        cmocka_unit_test(without_the_program_it_says_what_to_install),
        cmocka_unit_test(without_its_languages_it_says_what_to_install),
    };

    return cmocka_run_group_tests(tests, open_world, close_world);
}
