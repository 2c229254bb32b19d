/* The OCR program, on text drawn as on phones. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "process_provider/pictures/ocr.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone/graphics/font.h"

#define MODELS "/usr/share/tesseract-ocr/5/tessdata" /* of Debian */

#define WIDTH 1080
#define HEIGHT 2400
#define TEXT_SIZE 37 /* 14 sp where the screen is 1080 wide */
#define KEY_SIZE 64
#define STRIP 90

struct world {
    struct phone_fonts *fonts;
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
    const struct phone_font font = {FONT_REGULAR, size * 64};
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

/* The text in a strip around a point. */
static void assert_reads(struct world *world, int x, int y,
                         const char *expected)
{
    const struct box strip = {0, y - STRIP, WIDTH, y + STRIP};
    struct ocr_text reading = OCR_TEXT_INIT;
    struct phrase words = {.text = ""};
    struct err err = ERR_INIT;
    struct box box = {0};

    if (!ocr_read(&world->picture, strip, NULL, DEADLINE_NEVER, NULL, &reading,
                  &err))
        fail_msg("%s", err.text);
    ocr_text_at(&reading, x, y, &words, &box);
    assert_string_equal(words.text, expected);
    assert_true(!*expected || box_holds(box, x, y));
    ocr_text_release(&reading);
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
    struct ocr_text reading = OCR_TEXT_INIT;
    struct err err = ERR_INIT;

    if (!ocr_read_key(&world->picture, x, y, NULL, DEADLINE_NEVER, NULL,
                      &reading, &err))
        fail_msg("%s", err.text);
    assert_int_equal(reading.count, *expected != '\0');
    if (reading.count) {
        assert_string_equal(reading.words[0].text.text, expected);
        assert_true(box_holds(reading.words[0].box, x, y));
    }
    ocr_text_release(&reading);
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

static void empty_screen_has_no_text(void **state)
{
    fill(*state, 0xffffffff);
    assert_reads(*state, 300, 990, "");
}

static void part_is_limited_to_the_picture(void **state)
{
    fill(*state, 0xffffffff);
    draw(*state, 100, 60, "Settings", 0xff202020);
    assert_reads(*state, 150, 50, "Settings");
}

static void a_part_without_pixels_is_refused(void **state)
{
    struct world *world = *state;
    struct ocr_text reading = OCR_TEXT_INIT;
    struct err err = ERR_INIT;

    assert_false(ocr_read(&world->picture,
                          (struct box){0, HEIGHT, WIDTH, HEIGHT + 90}, NULL,
                          DEADLINE_NEVER, NULL, &reading, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(reading.words);
}

static void assert_stops(struct world *world, struct deadline by,
                         const struct cancel *cancel, enum err_code code)
{
    struct ocr_text text = OCR_TEXT_INIT;
    struct err err = ERR_INIT;

    assert_false(ocr_read(&world->picture, (struct box){0, 0, WIDTH, 100}, NULL,
                          by, cancel, &text, &err));
    assert_int_equal(err.code, code);
    assert_null(text.words);
    assert_false(
        ocr_read_key(&world->picture, 120, 990, NULL, by, cancel, &text, &err));
    assert_int_equal(err.code, code);
}

static void passed_deadline_stops_reading(void **state)
{
    fill(*state, 0xffffffff);
    draw(*state, 100, 1000, "K", 0xff202020);
    assert_stops(*state, deadline_in_ms(-1), NULL, ERR_TIMEOUT);
}

static void cancelling_stops_reading(void **state)
{
    struct cancel cancel = CANCEL_INIT;
    struct err err = ERR_INIT;

    fill(*state, 0xffffffff);
    draw(*state, 100, 1000, "K", 0xff202020);
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    assert_stops(*state, DEADLINE_NEVER, &cancel, ERR_CANCELLED);
    cancel_release(&cancel);
}

static void the_version_names_program_and_languages(void **state)
{
    char version[OCR_VERSION_MAX] = "";
    struct err err = ERR_INIT;

    (void)state;
    if (!ocr_version(DEADLINE_NEVER, NULL, version, &err))
        fail_msg("%s", err.text);
    assert_int_equal(strncmp(version, "tesseract ", strlen("tesseract ")), 0);
    assert_non_null(strstr(version, ", eng "));
    assert_non_null(strstr(version, ", chi_sim "));
}

static void copy_model(const char *language, const char *more)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf model = BUF_INIT((size_t)64 << 20);
    struct err err = ERR_INIT;

    buf_printf(&path, MODELS "/%s.traineddata", language);
    if (!file_load(buf_cstr(&path), &model, &err))
        fail_msg("%s", err.text);
    memcpy(model.data + model.length - strlen(more), more, strlen(more));
    buf_clear(&path);
    buf_printf(&path, "models/%s.traineddata", language);
    assert_true(
        file_save(buf_cstr(&path), 0600, model.data, model.length, &err));
    buf_release(&path);
    buf_release(&model);
}

static void another_model_of_the_same_size_is_another_version(void **state)
{
    char first[OCR_VERSION_MAX] = "";
    char second[OCR_VERSION_MAX] = "";
    struct err err = ERR_INIT;

    (void)state;
    if (access(MODELS "/eng.traineddata", R_OK) != 0)
        skip();
    assert_int_equal(scratch_folder_enter(NULL), 0);
    assert_int_equal(mkdir("models", 0700), 0);
    copy_model("eng", "");
    copy_model("chi_sim", "");
    assert_int_equal(setenv("TESSDATA_PREFIX", "models", 1), 0);
    assert_true(ocr_version(DEADLINE_NEVER, NULL, first, &err));
    copy_model("eng", "x");
    assert_true(ocr_version(DEADLINE_NEVER, NULL, second, &err));
    assert_int_equal(unsetenv("TESSDATA_PREFIX"), 0);
    assert_int_equal(scratch_folder_leave(NULL), 0);
    assert_string_not_equal(first, second);
}

/* Reading with a changed environment fails with what to install. */
static void assert_asks_for_packages(struct world *world, const char *variable,
                                     const char *value)
{
    const char *old = getenv(variable);
    char *kept = old ? strdup(old) : NULL;
    struct ocr_text reading = OCR_TEXT_INIT;
    struct err err = ERR_INIT;
    bool done;

    assert_int_equal(setenv(variable, value, 1), 0);
    done = ocr_read(&world->picture, (struct box){0, 0, WIDTH, 100}, NULL,
                    DEADLINE_NEVER, NULL, &reading, &err);
    assert_int_equal(kept ? setenv(variable, kept, 1) : unsetenv(variable), 0);
    free(kept);
    assert_false(done);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "install tesseract-ocr"));
    assert_non_null(strstr(err.text, "tesseract-ocr-chi-sim"));
}

static void cached_text_needs_no_program(void **state)
{
    struct world *world = *state;
    struct ocr_cache *cache;
    const struct box strip = {0, 100, WIDTH, 300};
    struct ocr_text first = OCR_TEXT_INIT;
    struct ocr_text again = OCR_TEXT_INIT;
    struct err err = ERR_INIT;
    char *path = strdup(getenv("PATH"));

    assert_int_equal(scratch_folder_enter(NULL), 0);
    cache = ocr_cache_open("ocr", "1");
    fill(world, 0xffffffff);
    draw(world, 100, 200, "Free delivery", 0xff202020);
    if (!ocr_read(&world->picture, strip, cache, DEADLINE_NEVER, NULL, &first,
                  &err))
        fail_msg("%s", err.text);
    assert_true(first.count > 0);
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    if (!ocr_read(&world->picture, strip, cache, DEADLINE_NEVER, NULL, &again,
                  &err))
        fail_msg("%s", err.text);
    draw(world, 100, 200, "Other", 0xff202020);
    assert_int_equal(again.count, first.count);
    for (size_t i = 0; i < first.count; i++) {
        assert_string_equal(again.words[i].text.text, first.words[i].text.text);
        assert_memory_equal(&again.words[i].box, &first.words[i].box,
                            sizeof(struct box));
    }
    ocr_text_release(&again);
    assert_false(ocr_read(&world->picture, strip, cache, DEADLINE_NEVER, NULL,
                          &again, &err));
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    ocr_text_release(&first);
    ocr_cache_close(cache);
    assert_int_equal(scratch_folder_leave(NULL), 0);
}

static void missing_program_is_reported_with_what_to_install(void **state)
{
    assert_asks_for_packages(*state, "PATH", "/nowhere");
}

static void missing_languages_are_reported_with_what_to_install(void **state)
{
    assert_asks_for_packages(*state, "TESSDATA_PREFIX", "/nowhere");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passed_deadline_stops_reading),
        cmocka_unit_test(cancelling_stops_reading),
        cmocka_unit_test(the_version_names_program_and_languages),
        cmocka_unit_test(another_model_of_the_same_size_is_another_version),
        cmocka_unit_test(english_is_read),
        cmocka_unit_test(chinese_is_read),
        cmocka_unit_test(light_text_on_dark_is_read),
        cmocka_unit_test(grey_text_on_grey_is_read),
        cmocka_unit_test(a_key_is_read_and_a_letter_of_a_word_is_not),
        cmocka_unit_test(empty_screen_has_no_text),
        cmocka_unit_test(part_is_limited_to_the_picture),
        cmocka_unit_test(a_part_without_pixels_is_refused),
        cmocka_unit_test(cached_text_needs_no_program),
        cmocka_unit_test(missing_program_is_reported_with_what_to_install),
        cmocka_unit_test(missing_languages_are_reported_with_what_to_install),
    };

    return cmocka_run_group_tests(tests, open_world, close_world);
}
