#include "judge/rules/image_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "base/picture/picture_scale.h"
#include "base/picture/picture_transform.h"
#include "judge/rules/rules_judge.h"
#include "tests/judge/episode_maker.h"
#include "tests/tools/cli/command_run.h"

#define WIDTH 160
#define HEIGHT 120

/* Smooth waves with noise, in grey or in colour. */
static void paint(struct picture *picture, int noise, bool colour)
{
    struct err err;
    unsigned seed = 7;

    assert_true(picture_resize(picture, WIDTH, HEIGHT, &err));
    for (uint32_t y = 0; y < HEIGHT; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < WIDTH; x++, pixel += PICTURE_PIXEL) {
            double wave = 110 + 80 * sin(x / 9.0) * cos(y / 7.0) + x / 4.0;

            for (int c = 0; c < 3; c++) {
                double tone = colour ? wave + 12 * c : wave;

                if (c == 0 || colour)
                    seed = seed * 1103515245U + 12345U;
                tone += noise * ((double)(seed >> 16 & 0xff) / 255 - 0.5);
                pixel[c] = (uint8_t)fmin(fmax(tone, 0), 255);
            }
            pixel[3] = 255;
        }
    }
}

static struct likeness compare(const struct picture *picture,
                               const struct picture *reference,
                               const char *transform)
{
    struct likeness likeness = {0, 0};
    struct err err;

    if (!image_compare(picture, reference, transform, &likeness, &err))
        fail_msg("%s", err.text);
    return likeness;
}

/* ---- transforms ---- */

static void each_transform_is_applied_to_the_reference(void **state)
{
    static const struct {
        const char *transform;
        int quarters;
        bool flip;
        enum flip how;
    } cases[] = {
        {NULL, 0, false, FLIP_SIDES},
        {"rotate 90", 1, false, FLIP_SIDES},
        {"rotate 180", 2, false, FLIP_SIDES},
        {"rotate 270", 3, false, FLIP_SIDES},
        {"flip", 0, true, FLIP_SIDES},
        {"flip ends", 0, true, FLIP_ENDS},
    };
    struct picture reference = PICTURE_INIT;

    (void)state;
    paint(&reference, 60, true);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct picture made = PICTURE_INIT;
        struct likeness likeness;
        struct err err;

        assert_true(
            cases[i].flip
                ? picture_flip(&reference, cases[i].how, &made, &err)
                : picture_rotate(&reference, cases[i].quarters, &made, &err));
        likeness = compare(&made, &reference, cases[i].transform);
        assert_true(likeness.ssim == 1);
        assert_true(isinf(likeness.psnr));
        if (i > 0)
            assert_true(compare(&made, &reference, NULL).ssim < 0.9);
        picture_release(&made);
    }
    picture_release(&reference);
}

static void crop_is_compared_with_that_part(void **state)
{
    struct picture reference = PICTURE_INIT;
    struct picture part = PICTURE_INIT;
    struct likeness likeness;
    struct err err;

    (void)state;
    paint(&reference, 60, true);
    assert_true(
        picture_crop(&reference, (struct box){20, 10, 90, 70}, &part, &err));
    assert_true(compare(&part, &reference, "crop 20,10,90,70").ssim == 1);
    assert_true(compare(&part, &reference, "crop 21,10,91,70").ssim < 0.9);
    assert_false(
        image_compare(&part, &reference, "crop 1,2,3", &likeness, &err));
    assert_false(image_compare(&part, &reference, "melt", &likeness, &err));
    picture_release(&reference);
    picture_release(&part);
}

static void other_sizes_are_scaled(void **state)
{
    struct picture reference = PICTURE_INIT;
    struct picture small = PICTURE_INIT;
    struct err err;

    (void)state;
    paint(&reference, 0, true);
    assert_true(picture_scale(&reference, WIDTH / 2, HEIGHT / 2, &small, &err));
    assert_true(compare(&small, &reference, NULL).ssim > 0.999);
    picture_release(&reference);
    picture_release(&small);
}

static void thresholds_are_those_of_the_task(void **state)
{
    static const struct {
        struct task_image image;
        bool alike;
    } cases[] = {
        {{.ssim = 0.9, .psnr = -1}, true},  {{.ssim = 0.96, .psnr = -1}, false},
        {{.ssim = -1, .psnr = 30}, true},   {{.ssim = -1, .psnr = 31}, false},
        {{.ssim = 0.9, .psnr = 31}, false},
    };
    const struct likeness likeness = {0.95, 30};
    const struct likeness unknown = {NAN, 30};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(image_is_alike(&cases[i].image, &likeness),
                         cases[i].alike);
    assert_false(image_is_alike(&cases[0].image, &unknown));
}

/* ---- compared with ImageMagick ---- */

static double ask_magick(const char *folder, const char *script)
{
    struct command_run run = {0};
    char command[1024];
    double figure;

    snprintf(command, sizeof(command), "cd %s; { %s; } 2>&1", folder, script);
    command_run(&run, NULL, command);
    figure = strtod(buf_cstr(&run.out), NULL);
    command_run_release(&run);
    return figure;
}

/* Version 6 has no SSIM, but the terms of its formula. */
static const char psnr_script[] =
    "compare -alpha off -metric PSNR a.png b.png null:";
static const char ssim_script[] =
    "B='-alpha off -colorspace Gray -morphology Convolve Gaussian:5x1.5'; "
    "M='-compose Multiply -composite'; "
    "convert '(' a.png $B ')' '(' b.png $B ')' '(' a.png a.png $M $B ')' "
    "'(' b.png b.png $M $B ')' '(' a.png b.png $M $B ')' -fx "
    "'((2*u*v+0.0001)*(2*(u[4]-u*v)+0.0009))/((u*u+v*v+0.0001)*"
    "(u[2]-u*u+u[3]-v*v+0.0009))' -shave 5x5 -format '%[fx:mean]' info:";

static void psnr_and_ssim_equal_imagemagick(void **state)
{
    static const int noises[] = {4, 20, 60, 150};
    char folder[] = "/tmp/image-check-XXXXXX";
    struct picture clean = PICTURE_INIT;
    struct picture noisy = PICTURE_INIT;
    char a[64];
    char b[64];
    struct err err;

    (void)state;
    if (access("/usr/bin/compare", X_OK) != 0)
        skip();
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof(a), "%s/a.png", folder);
    snprintf(b, sizeof(b), "%s/b.png", folder);
    for (size_t i = 0; i < ARRAY_LEN(noises); i++) {
        struct likeness ours;
        double theirs;

        /* PSNR uses colours, SSIM brightness. */
        paint(&clean, 0, true);
        paint(&noisy, noises[i], true);
        assert_true(picture_file_save(a, &clean, &err));
        assert_true(picture_file_save(b, &noisy, &err));
        ours = compare(&noisy, &clean, NULL);
        theirs = ask_magick(folder, psnr_script);
        if (fabs(ours.psnr - theirs) > 0.01)
            fail_msg("PSNR %.3f, and ImageMagick says %.3f", ours.psnr, theirs);
        paint(&clean, 0, false);
        paint(&noisy, noises[i], false);
        assert_true(picture_file_save(a, &clean, &err));
        assert_true(picture_file_save(b, &noisy, &err));
        ours = compare(&noisy, &clean, NULL);
        theirs = ask_magick(folder, ssim_script);
        if (fabs(ours.ssim - theirs) > 0.001)
            fail_msg("SSIM %.4f, and ImageMagick says %.4f", ours.ssim, theirs);
    }
    unlink(a);
    unlink(b);
    rmdir(folder);
    picture_release(&clean);
    picture_release(&noisy);
}

/* ---- in an episode ---- */

#define END "title: Done\n"
#define TASK                                                                   \
    "\"images\":[{\"reference\":\"wanted.png\",\"transform\":\"flip\","        \
    "\"ssim\":0.9},{\"file\":\"/sdcard/out.png\",\"reference\":"               \
    "\"wanted.png\",\"psnr\":40}]"

static void save(const struct episode_maker *maker, const char *name,
                 const struct buf *png)
{
    char path[256];
    struct err err;

    snprintf(path, sizeof(path), "%s/%s", maker->folder, name);
    if (!file_save(path, 0666, png->data, png->length, &err))
        fail_msg("%s", err.text);
}

static void judge(const struct episode_maker *maker, struct verdict *verdict)
{
    struct episode_evidence evidence;
    struct err err;

    if (!episode_evidence_open(maker->folder, PROCESS_OFFLINE, NULL, &evidence,
                               &err))
        fail_msg("%s", err.text);
    *verdict = (struct verdict)VERDICT_INIT;
    assert_true(rules_judge(&evidence, verdict, &err));
    episode_evidence_release(&evidence);
}

static void image_checks_count_as_needs(void **state)
{
    struct buf png = BUF_INIT(1 << 16);
    struct episode_maker maker;
    struct verdict verdict;
    char path[256];

    (void)state;
    episode_begin(&maker, TASK);
    episode_evidence(&maker, "file:/sdcard/out.png", "files/0000");
    episode_complete(&maker, END);
    judge(&maker, &verdict);
    assert_int_equal(verdict.outcome, OUTCOME_UNSCORED);
    verdict_release(&verdict);

    episode_picture(END, &png);
    save(&maker, "wanted.png", &png);
    snprintf(path, sizeof(path), "%s/files", maker.folder);
    assert_int_equal(mkdir(path, 0777), 0);
    save(&maker, "files/0000", &png);
    judge(&maker, &verdict);
    assert_int_equal(verdict.outcome, OUTCOME_SUCCESS);
    assert_int_equal(verdict.met, 2);
    assert_non_null(strstr(verdict.needs[0].say, "the last screen looks like"));
    verdict_release(&verdict);

    buf_clear(&png);
    episode_picture("title: Other\n", &png);
    save(&maker, "files/0000", &png);
    judge(&maker, &verdict);
    assert_int_equal(verdict.outcome, OUTCOME_FAILURE);
    assert_int_equal(verdict.met, 1);
    verdict_release(&verdict);
    buf_release(&png);
    episode_remove(&maker);
}

static void evidence_cannot_name_another_folder(void **state)
{
    struct episode_maker maker;
    struct verdict verdict;

    (void)state;
    episode_begin(&maker, TASK);
    episode_evidence(&maker, "file:/sdcard/out.png", "files/../../secret");
    episode_complete(&maker, END);
    judge(&maker, &verdict);
    assert_non_null(strstr(verdict.needs[1].why, "was not recorded"));
    verdict_release(&verdict);
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_transform_is_applied_to_the_reference),
        cmocka_unit_test(crop_is_compared_with_that_part),
        cmocka_unit_test(other_sizes_are_scaled),
        cmocka_unit_test(thresholds_are_those_of_the_task),
        cmocka_unit_test(psnr_and_ssim_equal_imagemagick),
        cmocka_unit_test(image_checks_count_as_needs),
        cmocka_unit_test(evidence_cannot_name_another_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
