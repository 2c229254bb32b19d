/*
 * Screenshots: comparing two against memcmp and memcpy of a frame, and PNG and
 * JPEG against the common libraries for them.
 */
#include <stdio.h> /* jpeglib.h needs it */
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"
#include "base/picture/png_libpng.h"
#include "process_provider/diff/changed_regions.h"
#include "process_provider/diff/changed_tiles.h"
#include "process_provider/diff/ssim.h"
#include "tools/benchmark/harness/harness.h"
#include "tools/benchmark/loads/screen_maker.h"

#define ROUNDS 21
#define TOLERANCE 8
#define QUALITY 85

/* More than any cache holds. */
#define ELSEWHERE ((size_t)128 << 20)

enum row_id {
    MEMCPY,
    MEMCMP,
    SAME,
    RECTANGLES,
    THRESHOLD,
    SQUARES,
    LIKENESS,
    PNG_READ_LIBPNG,
    PNG_READ,
    PNG_WRITE_LIBPNG,
    PNG_WRITE_COMPACT,
    PNG_WRITE_QUICK,
    JPEG_WRITE_BARE,
    JPEG_WRITE,
    ROW_COUNT
};

struct bench {
    struct picture before;
    struct picture same;
    struct picture after; /* a sheet has opened over an eighth of it */
    struct picture scratch;
    struct unmasked_area areas;
    struct buf png; /* of before, as libpng has it by default */
    struct buf output;
    char *elsewhere; /* owned */
};

static size_t size_of(const struct picture *picture)
{
    return picture->stride * picture->height;
}

/* ---- comparing ---- */

static bool copy_frame(struct bench *bench, struct err *err)
{
    (void)err;
    memcpy(bench->scratch.pixels, bench->before.pixels,
           size_of(&bench->before));
    return true;
}

/* The result must be used, or the compiler leaves it out. */
static bool compare_frame(struct bench *bench, struct err *err)
{
    if (!memcmp(bench->before.pixels, bench->same.pixels,
                size_of(&bench->before)))
        return true;
    return err_set(err, ERR_INVALID, "equal frames differ");
}

static bool find_changes(const struct bench *bench, const struct picture *after,
                         uint8_t tolerance, bool squares, struct err *err)
{
    struct changed_tiles changes;
    struct changed_regions regions;

    changed_tiles_init(&changes, &bench->before, after, &bench->areas,
                       tolerance, squares);
    changed_regions_find(&regions, &changes);
    changed_tiles_release(&changes);
    return (regions.count > 0) == (after != &bench->same) ||
           err_set(err, ERR_INVALID, "a wrong answer");
}

static bool find_none(struct bench *bench, struct err *err)
{
    return find_changes(bench, &bench->same, 0, false, err);
}

static bool find_rectangles(struct bench *bench, struct err *err)
{
    return find_changes(bench, &bench->after, 0, false, err);
}

static bool find_squares(struct bench *bench, struct err *err)
{
    return find_changes(bench, &bench->after, 0, true, err);
}

static bool find_beyond(struct bench *bench, struct err *err)
{
    return find_changes(bench, &bench->after, TOLERANCE, false, err);
}

static bool find_likeness(struct bench *bench, struct err *err)
{
    double result = ssim(&bench->before, &bench->after, &bench->areas);

    return (result > 0 && result < 1) ||
           err_set(err, ERR_INVALID, "a wrong answer");
}

/* ---- PNG ---- */

static bool read_png_by_libpng(struct bench *bench, struct err *err)
{
    return png_libpng_decode(bench->png.data, bench->png.length,
                             &bench->scratch, err);
}

static bool read_png(struct bench *bench, struct err *err)
{
    return png_decode(bench->png.data, bench->png.length, &bench->scratch, err);
}

static void append(png_structp png, png_bytep bytes, size_t length)
{
    buf_append(png_get_io_ptr(png), bytes, length);
}

/* As most programs use it: level 6, the filters chosen row by row. */
static bool write_png_by_libpng(struct bench *bench, struct err *err)
{
    const struct picture *picture = &bench->before;
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    (void)err;
    buf_clear(&bench->output);
    png_set_write_fn(png, &bench->output, append, NULL);
    png_set_IHDR(png, info, picture->width, picture->height, 8,
                 PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture_row(picture, y));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

static bool write_png_compact(struct bench *bench, struct err *err)
{
    buf_clear(&bench->output);
    return png_encode(&bench->before, PNG_COMPACT, &bench->output, err);
}

static bool write_png_quick(struct bench *bench, struct err *err)
{
    buf_clear(&bench->output);
    return png_encode(&bench->before, PNG_FAST, &bench->output, err);
}

/* ---- JPEG ---- */

static bool write_jpeg_bare(struct bench *bench, struct err *err)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long length = 0;

    (void)err;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &length);
    jpeg.image_width = bench->before.width;
    jpeg.image_height = bench->before.height;
    jpeg.input_components = PICTURE_PIXEL;
    jpeg.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, QUALITY, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = picture_row(&bench->before, jpeg.next_scanline);

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    free(bytes);
    return true;
}

static bool write_jpeg(struct bench *bench, struct err *err)
{
    buf_clear(&bench->output);
    return jpeg_encode(&bench->before, QUALITY, &bench->output, err);
}

/* Frames come from elsewhere: let none be in the cache already. */
static bool forget(struct bench *bench, struct err *err)
{
    (void)err;
    memset(bench->elsewhere, bench->elsewhere[0] + 1, ELSEWHERE);
    return true;
}

/* CPU time counts: nothing waits here, but the machine may be busy. */
#define ROW(id_, name_, once_)                                                 \
    {                                                                          \
        .id = (id_), .name = (name_), .once = (once_), .repeats = 1,           \
        .prepare = forget, .cpu_us = harness_own_cpu_us                        \
    }

static const struct measure measures[ROW_COUNT] = {
    [MEMCPY] = ROW("memcpy", "memcpy of a frame", copy_frame),
    [MEMCMP] = ROW("memcmp", "memcmp of two equal frames", compare_frame),
    [SAME] = ROW("same", "nothing changed", find_none),
    [RECTANGLES] = ROW("rectangles", "rectangles", find_rectangles),
    [THRESHOLD] = ROW("threshold", "with a tolerance", find_beyond),
    [SQUARES] = ROW("psnr", "rectangles and PSNR", find_squares),
    [LIKENESS] = ROW("ssim", "SSIM, 11 x 11 Gaussian", find_likeness),
    [PNG_READ_LIBPNG] = ROW("png_read_libpng", "libpng", read_png_by_libpng),
    [PNG_READ] = ROW("png_read", "proctor", read_png),
    [PNG_WRITE_LIBPNG] =
        ROW("png_write_libpng", "libpng, as it comes", write_png_by_libpng),
    [PNG_WRITE_COMPACT] =
        ROW("png_write_compact", "proctor, compact", write_png_compact),
    [PNG_WRITE_QUICK] =
        ROW("png_write_quick", "proctor, quick", write_png_quick),
    [JPEG_WRITE_BARE] =
        ROW("jpeg_write_bare", "libjpeg-turbo", write_jpeg_bare),
    [JPEG_WRITE] = ROW("jpeg_write", "proctor", write_jpeg),
};

/* Speed that is bought with size does not count. */
static bool check_sizes(struct bench *bench, struct err *err)
{
    if (!write_png_compact(bench, err))
        return false;
    if (bench->output.length > bench->png.length)
        return err_set(err, ERR_INVALID,
                       "a compact PNG of %zu bytes, %zu by "
                       "libpng",
                       bench->output.length, bench->png.length);
    return true;
}

static bool set_up(struct bench *bench, struct err *err)
{
    bench->elsewhere = mem_new(ELSEWHERE, 1);
    bench->png = (struct buf)BUF_INIT(PICTURE_BYTES_MAX);
    bench->output = (struct buf)BUF_INIT(PICTURE_BYTES_MAX);
    if (!screen_make(&bench->before, false, err) ||
        !screen_make(&bench->same, false, err) ||
        !screen_make(&bench->after, true, err) ||
        !screen_make(&bench->scratch, false, err) ||
        !write_png_by_libpng(bench, err))
        return false;
    buf_append(&bench->png, bench->output.data, bench->output.length);
    unmasked_area_init(&bench->areas, bench->before.width, bench->before.height,
                       NULL, 0);
    return check_sizes(bench, err);
}

static void tear_down(struct bench *bench)
{
    picture_release(&bench->before);
    picture_release(&bench->same);
    picture_release(&bench->after);
    picture_release(&bench->scratch);
    unmasked_area_release(&bench->areas);
    buf_release(&bench->png);
    buf_release(&bench->output);
    free(bench->elsewhere);
}

/* ---- results ---- */

static bool print(const struct bench_row *rows,
                  const struct bench_output *bench_output, struct err *err)
{
    const struct bench_group groups[] = {
        {"two frames of 1080x2400, an eighth changed", &rows[MEMCMP],
         LIKENESS - MEMCMP + 1, NULL},
        {"one frame", &rows[MEMCPY], 1, NULL},
        {"PNG to pixels", &rows[PNG_READ_LIBPNG], 2, NULL},
        {"pixels to PNG", &rows[PNG_WRITE_LIBPNG], 3, NULL},
        {"pixels to JPEG, quality 85", &rows[JPEG_WRITE_BARE], 2, NULL},
    };
    const struct goal goals[] = {
        {"memcmp over nothing changed", &rows[MEMCMP], &rows[SAME], .cpu = true,
         .kind = GOAL_AT_LEAST, .wanted = 0.9},
        {"memcmp over rectangles", &rows[MEMCMP], &rows[RECTANGLES],
         .cpu = true, .kind = GOAL_AT_LEAST, .wanted = 0.9},
        {"memcmp over rectangles with a tolerance", &rows[MEMCMP],
         &rows[THRESHOLD], .cpu = true, .kind = GOAL_AT_LEAST, .wanted = 0.85},
        {"memcmp over rectangles and PSNR", &rows[MEMCMP], &rows[SQUARES],
         .cpu = true, .kind = GOAL_AT_LEAST, .wanted = 0.8},
        {"SSIM over memcpy", &rows[LIKENESS], &rows[MEMCPY], .cpu = true,
         .kind = GOAL_AT_MOST, .wanted = 30},
        {"libpng over reading PNG", &rows[PNG_READ_LIBPNG], &rows[PNG_READ],
         .cpu = true, .kind = GOAL_AT_LEAST, .wanted = 3},
        {"libpng over a compact PNG, no larger", &rows[PNG_WRITE_LIBPNG],
         &rows[PNG_WRITE_COMPACT], .cpu = true, .kind = GOAL_AT_LEAST,
         .wanted = 3},
        {"JPEG over libjpeg-turbo", &rows[JPEG_WRITE], &rows[JPEG_WRITE_BARE],
         .cpu = true, .kind = GOAL_AT_MOST, .wanted = 1.05},
    };

    return bench_output_print(bench_output, groups, ARRAY_LEN(groups), goals,
                              ARRAY_LEN(goals), err);
}

const struct harness benchmark = {
    .name = "pictures",
    .measures = measures,
    .count = ROW_COUNT,
    .rounds = ROUNDS,
    .bench_size = sizeof(struct bench),
    .set_up = set_up,
    .tear_down = tear_down,
    .print = print,
};
