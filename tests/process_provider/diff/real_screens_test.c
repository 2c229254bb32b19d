/* Real screenshots, if present; too slow for valgrind. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_png_decoder_agrees_with_libpng),
        cmocka_unit_test(share_of_real_pairs_equals_the_recorded_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
