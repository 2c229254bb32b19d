/* Real screenshots, if present; too slow for valgrind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "base/picture/png_fast.h"
#include "base/picture/png_libpng.h"
#include "process_provider/diff/screendiff.h"
#include "tests/support/fixtures.h"

/* Use only some of them, unless PROCTOR_FULL is set. */
static size_t step(void)
{
    return getenv("PROCTOR_FULL") ? 1 : 8;
}

static void assert_quick_agrees(const struct buf *png, const char *path)
{
    struct picture quick = PICTURE_INIT;
    struct picture reference = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(png_libpng_decode(png->data, png->length, &reference, &err));
    if (!png_fast_decode(png->data, png->length, &quick) ||
        memcmp(quick.pixels, reference.pixels, quick.stride * quick.height) !=
            0)
        fail_msg("%s", path);
    picture_release(&quick);
    picture_release(&reference);
}

static void fast_png_decoder_agrees_with_libpng(void **state)
{
    struct fixtures fixtures;

    (void)state;
    if (!fixtures_find(&fixtures, ".png"))
        skip();
    for (size_t i = 0; i < fixtures.count; i += step()) {
        struct buf png = BUF_INIT(PICTURE_FILE_MAX);
        struct err err = ERR_INIT;

        assert_true(file_load(fixtures.paths[i], &png, &err));
        /* Some of them are JPEG files. */
        if (png.data[0] != '\xff')
            assert_quick_agrees(&png, fixtures.paths[i]);
        buf_release(&png);
    }
    fixtures_release(&fixtures);
}

/* One line of pairs.tsv: two files and the measured share. */
struct measured {
    char before[512];
    char after[512];
    double share;
};

/* Cut off and return the next field of a line. */
static const char *next_field(char **line)
{
    const char *field = strsep(line, "\t");

    return field ? field : "";
}

static bool parse_line(char *line, struct measured *measured)
{
    const char *share;
    char *end;

    snprintf(measured->before, sizeof(measured->before), "%s/%s",
             FIXTURES_FOLDER, next_field(&line));
    snprintf(measured->after, sizeof(measured->after), "%s/%s", FIXTURES_FOLDER,
             next_field(&line));
    next_field(&line);
    share = next_field(&line);
    measured->share = strtod(share, &end);
    return end != share;
}

/* It was measured on every third pixel, with this tolerance. */
#define MEASURED_TOLERANCE 8
#define MEASURED_CLOSE 0.002

static void share_of_real_pairs_equals_the_recorded_one(void **state)
{
    const struct screendiff_options options = {.tolerance = MEASURED_TOLERANCE};
    FILE *file = fopen(FIXTURES_FOLDER "/pairs.tsv", "r");
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct screendiff diff;
    struct measured measured;
    struct err err = ERR_INIT;
    char line[2048];

    (void)state;
    if (!file)
        skip();
    for (size_t i = 0; fgets(line, sizeof(line), file); i++) {
        if (i % step() || !parse_line(line, &measured))
            continue;
        assert_true(picture_file_load(measured.before, &before, &err));
        assert_true(picture_file_load(measured.after, &after, &err));
        screendiff_find(&diff, &before, &after, &options);
        if (fabs(diff.share - measured.share) > MEASURED_CLOSE)
            fail_msg("%s: %f, measured %f", measured.after, diff.share,
                     measured.share);
    }
    fclose(file);
    picture_release(&before);
    picture_release(&after);
}

/* ---- movement ---- */

/* All pairs of real screens whose content moved, by their trees or to the eye.
 */
static const struct {
    const char *first;
    const char *second;
    int dy; /* from the first to the second */
} movements[] = {
    {"__qs_1.png", "__qs_2.png", -3},
    {"__qs_1.png", "__qs_discovery_scrolled.png", 19},
    {"__qs_1.png", "__quick_settings_bottom.png", 18},
    {"__qs_2.png", "__qs_discovery_scrolled.png", 22},
    {"__qs_2.png", "__quick_settings_bottom.png", 21},
    {"__qs_discovery_scrolled.png", "__quick_settings_bottom.png", -1},
    /* A row was removed above. */
    {"liked-songs/3.png", "liked-songs/5.png", -128},
};

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path);

    return length >= strlen(ending) &&
           !strcmp(path + length - strlen(ending), ending);
}

static int movement_of(const char *first, const char *second)
{
    for (size_t i = 0; i < ARRAY_LEN(movements); i++) {
        if (ends_with(first, movements[i].first) &&
            ends_with(second, movements[i].second))
            return movements[i].dy;
        if (ends_with(first, movements[i].second) &&
            ends_with(second, movements[i].first))
            return -movements[i].dy;
    }
    return 0;
}

static void check_movement(const char *first, const struct picture *before,
                           const char *second, const struct picture *after)
{
    const struct screendiff_options options = {.tolerance = MEASURED_TOLERANCE};
    struct screendiff diff;
    int dy;

    screendiff_find(&diff, before, after, &options);
    dy = diff.moved ? diff.movement.dy : 0;
    if (dy != movement_of(first, second) || (diff.moved && diff.movement.dx))
        fail_msg("%s to %s: moved %d, %d", first, second,
                 diff.moved ? diff.movement.dx : 0, dy);
}

/* Sizes are kept: decoding every picture again for every other takes long. */
struct picture_size {
    uint32_t width, height;
};

static void load(const char *path, struct picture *picture)
{
    struct err err = ERR_INIT;

    if (!picture_file_load(path, picture, &err))
        fail_msg("%s", err.text);
}

static struct picture_size *load_sizes(const struct fixtures *fixtures)
{
    struct picture_size *sizes = mem_new(fixtures->count, sizeof(*sizes));
    struct picture picture = PICTURE_INIT;

    for (size_t i = 0; i < fixtures->count; i++) {
        load(fixtures->paths[i], &picture);
        sizes[i] = (struct picture_size){picture.width, picture.height};
    }
    picture_release(&picture);
    return sizes;
}

/* Compare a screen with up to near screens behind it, and back. */
static unsigned check_screen(const struct fixtures *fixtures,
                             const struct picture_size *sizes, size_t i,
                             size_t near)
{
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    const char *first = fixtures->paths[i];
    unsigned pairs = 0;

    load(first, &before);
    for (size_t k = i + 1; k < fixtures->count && k - i <= near; k++) {
        if (memcmp(&sizes[i], &sizes[k], sizeof(*sizes)) != 0)
            continue;
        load(fixtures->paths[k], &after);
        check_movement(first, &before, fixtures->paths[k], &after);
        check_movement(fixtures->paths[k], &after, first, &before);
        pairs += 2;
    }
    picture_release(&before);
    picture_release(&after);
    return pairs;
}

/*
 * Any two screens of one size, or, unless PROCTOR_FULL is set, those that are
 * next to each other in a folder.
 */
static void only_content_that_moved_is_called_moved(void **state)
{
    const size_t near = getenv("PROCTOR_FULL") ? SIZE_MAX : 1;
    struct fixtures fixtures;
    struct picture_size *sizes;
    unsigned pairs = 0;

    (void)state;
    if (!fixtures_find(&fixtures, ".png"))
        skip();
    sizes = load_sizes(&fixtures);
    for (size_t i = 0; i < fixtures.count; i++)
        pairs += check_screen(&fixtures, sizes, i, near);
    print_message("%u pairs of screens\n", pairs);
    free(sizes);
    fixtures_release(&fixtures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_png_decoder_agrees_with_libpng),
        cmocka_unit_test(share_of_real_pairs_equals_the_recorded_one),
        cmocka_unit_test(only_content_that_moved_is_called_moved),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
