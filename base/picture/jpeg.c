#include "base/picture/jpeg.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h> /* jpeglib.h needs it */

#include <jpeglib.h>

#include <jerror.h>

/*
 * A progressive JPEG is decoded again for each scan, and a small file may
 * contain thousands of them. Usual files have about ten.
 */
#define SCANS_MAX 64

/* The memory for the coefficients of a progressive JPEG. */
#define MEMORY_MAX ((long)512 << 20)

/* The size of one write. */
#define PIECE ((size_t)64 << 10)

/* The target for libjpeg's longjmp, and the reason. */
struct jpeg_error {
    struct jpeg_error_mgr manager; /* first: libjpeg passes a pointer to it */
    jmp_buf escape;
    enum err_code code;
    char why[JMSG_LENGTH_MAX];
};

static _Noreturn void give_up(j_common_ptr jpeg, enum err_code code,
                              const char *why)
{
    struct jpeg_error *trouble = (struct jpeg_error *)jpeg->err;

    trouble->code = code;
    snprintf(trouble->why, sizeof(trouble->why), "%s", why);
    longjmp(trouble->escape, 1);
}

static void on_error(j_common_ptr jpeg)
{
    bool memory = jpeg->err->msg_code == JERR_OUT_OF_MEMORY ||
                  jpeg->err->msg_code == JERR_NO_BACKING_STORE;
    char why[JMSG_LENGTH_MAX];

    jpeg->err->format_message(jpeg, why);
    give_up(jpeg, memory ? ERR_LIMIT : ERR_INVALID,
            memory ? "takes too much memory" : why);
}

/* A warning means damage that libjpeg would conceal. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0)
        on_error(jpeg);
}

static struct jpeg_error_mgr *trouble_init(struct jpeg_error *trouble)
{
    jpeg_std_error(&trouble->manager);
    trouble->manager.error_exit = on_error;
    trouble->manager.emit_message = on_message;
    return &trouble->manager;
}

/* ---- reading ---- */

struct jpeg_reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_progress_mgr progress;
    struct jpeg_error trouble;
    const uint8_t *bytes;
    size_t length;
    struct picture *picture;
};

/* Called from time to time while a scan is read. */
static void on_progress(j_common_ptr common)
{
    j_decompress_ptr jpeg = (j_decompress_ptr)common;

    if (jpeg->input_scan_number > SCANS_MAX)
        give_up(common, ERR_LIMIT, "has too many scans");
}

/* Everything before the pixels, which are requested as RGBA. */
static void read_header(struct jpeg_reader *reader)
{
    j_decompress_ptr jpeg = &reader->jpeg;

    jpeg_create_decompress(jpeg);
    jpeg->mem->max_memory_to_use = MEMORY_MAX;
    reader->progress.progress_monitor = on_progress;
    jpeg->progress = &reader->progress;
    jpeg_mem_src(jpeg, reader->bytes, reader->length);
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->jpeg_color_space == JCS_CMYK ||
        jpeg->jpeg_color_space == JCS_YCCK)
        give_up((j_common_ptr)jpeg, ERR_UNSUPPORTED,
                "is CMYK, which is not supported");
    jpeg->out_color_space = JCS_EXT_RGBA;
}

static void read_pixels(struct jpeg_reader *reader)
{
    j_decompress_ptr jpeg = &reader->jpeg;

    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = picture_row(reader->picture, jpeg->output_scanline);

        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
}

/*
 * Do one step; false, with the reason in trouble, when libjpeg fails. The
 * target of longjmp, so no local variable of ours is used after it.
 */
static bool read_step(struct jpeg_reader *reader,
                      void (*step)(struct jpeg_reader *))
{
    if (setjmp(reader->trouble.escape))
        return false;
    step(reader);
    return true;
}

static bool read_all(struct jpeg_reader *reader, struct err *err)
{
    const struct jpeg_error *trouble = &reader->trouble;

    if (!read_step(reader, read_header))
        return err_set(err, trouble->code, "%s", trouble->why);
    if (!picture_resize(reader->picture, reader->jpeg.image_width,
                        reader->jpeg.image_height, err))
        return false;
    return read_step(reader, read_pixels) ||
           err_set(err, trouble->code, "%s", trouble->why);
}

bool jpeg_decode(const void *bytes, size_t length, struct picture *picture,
                 struct err *err)
{
    struct jpeg_reader reader = {
        .bytes = bytes, .length = length, .picture = picture};
    bool done;

    reader.jpeg.err = trouble_init(&reader.trouble);
    done = read_all(&reader, err);
    jpeg_destroy_decompress(&reader.jpeg);
    if (done)
        return true;
    picture->width = 0;
    picture->height = 0;
    return err_wrap(err, "JPEG");
}

/* ---- writing ---- */

struct jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr destination;
    struct jpeg_error trouble;
    const struct picture *picture;
    int quality;
    struct buf *output;
};

/* Let libjpeg write directly into the output buffer. */
static void make_room(j_compress_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;
    char *room = buf_reserve(writer->output, PIECE);

    if (!room)
        give_up((j_common_ptr)jpeg, ERR_LIMIT, "larger than its limit");
    writer->destination.next_output_byte = (JOCTET *)room;
    writer->destination.free_in_buffer = PIECE;
}

static boolean on_full(j_compress_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;

    /* The whole piece is used, whatever free_in_buffer is. */
    buf_commit(writer->output, PIECE);
    make_room(jpeg);
    return TRUE;
}

static void on_end(j_compress_ptr jpeg)
{
    struct jpeg_writer *writer = jpeg->client_data;

    buf_commit(writer->output, PIECE - writer->destination.free_in_buffer);
}

static void write_all(struct jpeg_writer *writer)
{
    const struct picture *picture = writer->picture;
    j_compress_ptr jpeg = &writer->jpeg;

    jpeg_create_compress(jpeg);
    jpeg->client_data = writer;
    writer->destination = (struct jpeg_destination_mgr){
        .init_destination = make_room,
        .empty_output_buffer = on_full,
        .term_destination = on_end,
    };
    jpeg->dest = &writer->destination;
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = PICTURE_PIXEL;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, writer->quality, TRUE);
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = picture_row(picture, jpeg->next_scanline);

        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

static bool write_step(struct jpeg_writer *writer)
{
    if (setjmp(writer->trouble.escape))
        return false;
    write_all(writer);
    return true;
}

bool jpeg_encode(const struct picture *picture, int quality, struct buf *jpeg,
                 struct err *err)
{
    struct jpeg_writer writer = {
        .picture = picture, .quality = quality, .output = jpeg};
    size_t before = jpeg->length;
    bool done;

    assert(picture->width && picture->height);
    writer.jpeg.err = trouble_init(&writer.trouble);
    done = write_step(&writer);
    jpeg_destroy_compress(&writer.jpeg);
    if (done)
        return true;
    buf_truncate(jpeg, before);
    return err_set(err, writer.trouble.code, "JPEG: %s", writer.trouble.why);
}
