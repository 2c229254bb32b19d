#include "adb/services/screenshot.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "adb/services/framebuffer.h"
#include "adb/services/shell.h"
#include "base/bytes.h"
#include "base/clean_text.h"
#include "base/macros.h"
#include "base/picture/png.h"
#include "base/picture/screencap.h"

/* A PNG starts with its signature and ends with the empty last chunk. */
static const char png_begin[8] = "\x89PNG\r\n\x1a\n";
static const char png_end[12] = "\0\0\0\0IEND\xae\x42\x60\x82";

#define PNG_HEAD 24               /* up to the height in its first chunk */
#define HEAD_MIN PNG_HEAD         /* that a raw capture has, too */
#define SLACK ((size_t)64 * 1024) /* headers, or what is no picture */
#define PIECE ((size_t)4 * 1024)  /* less than SLACK */

void screenshot_release(struct screenshot *screenshot)
{
    buf_release(&screenshot->bytes);
    buf_release(&screenshot->packed);
    picture_release(&screenshot->picture);
}

/* After these errors no other method is tried. */
static bool is_final(enum err_code code)
{
    return code == ERR_LOST || code == ERR_TIMEOUT || code == ERR_CANCELLED ||
           code == ERR_UNAUTHORIZED || code == ERR_NOT_FOUND ||
           code == ERR_UNREACHABLE || code == ERR_IO;
}

/*
 * The output is an error message instead of a picture: report its first line.
 */
static bool fail_with_words(const char *words, size_t length, struct err *err)
{
    const char *end = memchr(words, '\n', length);
    char line[100];

    clean_text_copy(line, sizeof(line), words,
                    end ? (size_t)(end - words) : length);
    return err_set(err, ERR_UNSUPPORTED, "%s", *line ? line : "no picture");
}

/* The sides that a PNG announces in its first chunk. False: it has none. */
static bool png_sides(const uint8_t *head, size_t length, uint32_t *width,
                      uint32_t *height)
{
    if (length < PNG_HEAD || memcmp(head, png_begin, 8) != 0 ||
        memcmp(head + 12, "IHDR", 4) != 0)
        return false;
    *width = get_u32be(head + 16);
    *height = get_u32be(head + 20);
    return true;
}

static bool check_png(struct screenshot *screenshot, struct err *err)
{
    const struct buf *bytes = &screenshot->bytes;
    uint32_t width, height;

    if (bytes->length < sizeof(png_begin) ||
        memcmp(bytes->data, png_begin, sizeof(png_begin)) != 0)
        return fail_with_words(buf_cstr(bytes), bytes->length, err);
    if (bytes->length < sizeof(png_begin) + sizeof(png_end) ||
        memcmp(bytes->data + bytes->length - sizeof(png_end), png_end,
               sizeof(png_end)) != 0)
        return err_set(err, ERR_REMOTE, "the PNG is truncated");
    return !png_sides((const uint8_t *)bytes->data, bytes->length, &width,
                      &height) ||
           picture_check(width, height, err);
}

bool screenshot_decode(struct screenshot *screenshot, struct err *err)
{
    return screenshot->way != SCREENSHOT_PNG ||
           png_decode(buf_cstr(&screenshot->bytes), screenshot->bytes.length,
                      &screenshot->picture, err);
}

/* Short output is an error message rather than a picture. */
static bool decode_raw(struct screenshot *screenshot, struct err *err)
{
    const struct buf *bytes = &screenshot->bytes;

    if (bytes->length < 1000 && !memchr(buf_cstr(bytes), '\0', bytes->length))
        return fail_with_words(buf_cstr(bytes), bytes->length, err);
    return screencap_decode(bytes->data, bytes->length, &screenshot->picture,
                            err);
}

#define GZIP_MIN 18  /* a header of ten bytes, a trailer of eight */
#define GZIP_ONLY 16 /* for inflateInit2: gzip, not zlib */

/*
 * As many bytes as a picture that begins so can have: its frame and a little
 * more. 0: it does not begin as one that can be used.
 */
static size_t limit_of(const uint8_t *head, size_t length)
{
    size_t pixel = PICTURE_PIXEL;
    uint32_t width, height;
    size_t frame;
    struct err ignored;

    if (length < HEAD_MIN)
        return 0;
    if (memcmp(head, png_begin, sizeof(png_begin)) != 0) {
        width = get_u32le(head);
        height = get_u32le(head + 4);
        pixel = pixel_size(get_u32le(head + 8));
    } else if (!png_sides(head, length, &width, &height)) {
        return 0;
    }
    if (!pixel || !picture_check(width, height, &ignored))
        return 0;
    frame = (size_t)width * height * pixel;
    return frame + frame / 64 + SLACK;
}

/*
 * The same for a raw picture that is compressed, from its compressed beginning.
 */
static size_t packed_limit_of(const struct buf *packed)
{
    uint8_t head[HEAD_MIN];
    z_stream inflater = {
        .next_in = (Bytef *)packed->data,
        .avail_in = (uInt)(packed->length < SLACK ? packed->length : SLACK),
        .next_out = head,
        .avail_out = sizeof(head),
    };

    if (inflateInit2(&inflater, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return 0;
    (void)inflate(&inflater, Z_SYNC_FLUSH);
    inflateEnd(&inflater);
    return limit_of(head, sizeof(head) - inflater.avail_out);
}

/* Is this gzip data? Its last four bytes are the uncompressed size. */
bool screenshot_unpack(struct screenshot *screenshot, struct err *err)
{
    const struct buf *packed = &screenshot->packed;
    struct libdeflate_decompressor *inflater;
    enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
    size_t limit, size, got = 0;
    char *to;

    if (packed->length < GZIP_MIN || memcmp(packed->data, "\x1f\x8b", 2) != 0)
        return fail_with_words(buf_cstr(packed), packed->length, err);
    size = get_u32le((const uint8_t *)packed->data + packed->length - 4);
    buf_clear(&screenshot->bytes);
    limit = packed_limit_of(packed);
    screenshot->bytes.limit = limit ? limit : SLACK;
    to = buf_reserve(&screenshot->bytes, size);
    if (!to)
        return err_set(err, ERR_LIMIT, "a screen of %zu bytes", size);
    inflater = libdeflate_alloc_decompressor();
    if (inflater)
        result = libdeflate_gzip_decompress(inflater, packed->data,
                                            packed->length, to, size, &got);
    libdeflate_free_decompressor(inflater);
    if (result != LIBDEFLATE_SUCCESS || got != size)
        return err_set(err, ERR_REMOTE, "the compressed picture is damaged");
    buf_commit(&screenshot->bytes, size);
    return decode_raw(screenshot, err);
}

/* Append what comes until there is enough, or the end; *got is then 0. */
static bool read_until(struct stream *stream, size_t enough, struct deadline by,
                       struct buf *bytes, size_t *got, struct err *err)
{
    for (*got = 1; *got && bytes->length < enough; buf_commit(bytes, *got)) {
        char *room = buf_reserve(bytes, PIECE);

        if (!room || !stream_read(stream, room, PIECE, by, got, err))
            return false;
    }
    return true;
}

/* The largest possible size of a picture with this beginning; 0: no picture. */
typedef size_t limit_fn(const struct buf *bytes);

static size_t plain_limit_of(const struct buf *bytes)
{
    return limit_of((const uint8_t *)buf_cstr(bytes), bytes->length);
}

/*
 * Read a picture to its end, with memory for what its first bytes announce and
 * no more, whatever the device sends. Of what is no picture only the beginning
 * is read: an error message is short.
 */
static bool read_picture(struct stream *stream, size_t head,
                         limit_fn *find_limit, struct deadline by,
                         struct buf *bytes, struct err *err)
{
    size_t limit;
    size_t got;

    buf_clear(bytes);
    bytes->limit = PICTURE_BYTES_MAX + SLACK;
    if (!read_until(stream, head, by, bytes, &got, err))
        return false;
    limit = find_limit(bytes);
    if (!got)
        return true;
    if (!limit)
        return read_until(stream, SLACK, by, bytes, &got, err);
    bytes->limit = limit;
    return stream_read_all(stream, by, bytes, err);
}

typedef bool check_fn(struct screenshot *screenshot, struct err *err);

static bool run_in_exec(struct device *device, const char *command,
                        check_fn *check, struct deadline by,
                        struct screenshot *screenshot, struct err *err)
{
    struct stream *stream = NULL;
    bool done = shell_exec_open(device, command, by, &stream, err) &&
                read_picture(stream, HEAD_MIN, plain_limit_of, by,
                             &screenshot->bytes, err);

    stream_close(stream);
    return done && check(screenshot, err);
}

/* The output of a command in a shell, and its exit status. */
struct shell_picture {
    struct buf *bytes;
    struct buf errors;
    bool sized; /* the limit of bytes is that of the picture */
    bool ended;
    int status;
};

/* Append as much as has room. */
static void append_part(struct buf *bytes, const char *data, size_t length)
{
    size_t room = bytes->limit - bytes->length;

    buf_append(bytes, data, length < room ? length : room);
}

/* Its first bytes say how many the picture has. More than that is cut off. */
static void add_output(struct shell_picture *output, const char *data,
                       size_t length)
{
    struct buf *bytes = output->bytes;
    size_t first = 0;

    if (!output->sized) {
        first = HEAD_MIN - bytes->length;
        first = first < length ? first : length;
        append_part(bytes, data, first);
        output->sized = bytes->length == HEAD_MIN;
        if (output->sized)
            bytes->limit = plain_limit_of(bytes);
        if (!bytes->limit)
            bytes->limit = SLACK;
    }
    append_part(bytes, data + first, length - first);
}

static void add_event(struct shell_picture *output,
                      const struct shell_event *event)
{
    switch (event->kind) {
    case SHELL_OUT:
        add_output(output, event->data, event->length);
        break;
    case SHELL_ERRORS:
        append_part(&output->errors, event->data, event->length);
        break;
    case SHELL_EXIT:
        output->ended = true;
        output->status = event->status;
        break;
    }
}

/* Read until the command ends, or has printed more than a picture can have. */
static bool read_shell(struct device *device, const char *command,
                       struct deadline by, struct shell_picture *output,
                       struct err *err)
{
    const struct shell_options options = {.command = command, .status = true};
    struct shell *shell = NULL;
    struct shell_event event;
    bool done = shell_open(device, &options, by, &shell, err);

    while (done && !output->ended &&
           output->bytes->length < output->bytes->limit) {
        done = shell_next(shell, by, &event, err);
        if (done)
            add_event(output, &event);
    }
    shell_close(shell);
    return done;
}

static bool run_in_shell(struct device *device, const char *command,
                         check_fn *check, struct deadline by,
                         struct screenshot *screenshot, struct err *err)
{
    struct shell_picture output = {.bytes = &screenshot->bytes,
                                   .errors = BUF_INIT(SLACK)};
    bool done;

    buf_clear(&screenshot->bytes);
    screenshot->bytes.limit = SLACK;
    done = read_shell(device, command, by, &output, err);
    if (done && output.status != 0)
        done = fail_with_words(buf_cstr(&output.errors), output.errors.length,
                               err);
    else
        done = done && check(screenshot, err);
    buf_release(&output.errors);
    return done;
}

static bool run_screencap(struct device *device, const char *command,
                          check_fn *check, struct deadline by,
                          struct screenshot *screenshot, struct err *err)
{
    if (run_in_exec(device, command, check, by, screenshot, err))
        return true;
    if (is_final(err->code) || !device_has(device, FEATURE_SHELL_V2))
        return false;
    return run_in_shell(device, command, check, by, screenshot, err);
}

static bool take_png(struct device *device, struct deadline by,
                     struct screenshot *screenshot, struct err *err)
{
    return run_screencap(device, "screencap -p", check_png, by, screenshot,
                         err);
}

static bool take_raw(struct device *device, struct deadline by,
                     struct screenshot *screenshot, struct err *err)
{
    return run_screencap(device, "screencap", decode_raw, by, screenshot, err);
}

/* Only by exec:; if that fails, another method is used. */
bool screenshot_fetch_packed(struct device *device, struct deadline by,
                             struct screenshot *screenshot, struct err *err)
{
    struct stream *stream = NULL;
    bool done =
        shell_exec_open(device, "screencap | gzip -1", by, &stream, err) &&
        read_picture(stream, PIECE, packed_limit_of, by, &screenshot->packed,
                     err);

    stream_close(stream);
    return done;
}

static bool take_gzip(struct device *device, struct deadline by,
                      struct screenshot *screenshot, struct err *err)
{
    return screenshot_fetch_packed(device, by, screenshot, err) &&
           screenshot_unpack(screenshot, err);
}

static bool take_framebuffer(struct device *device, struct deadline by,
                             struct screenshot *screenshot, struct err *err)
{
    screenshot->bytes.limit = PICTURE_BYTES_MAX + SLACK;
    return framebuffer_read(device, by, &screenshot->bytes,
                            &screenshot->picture, err);
}

static const struct {
    enum screenshot_way way;
    const char *name;
    bool (*take)(struct device *device, struct deadline by,
                 struct screenshot *screenshot, struct err *err);
} ways[] = {
    {SCREENSHOT_PNG, "screencap -p", take_png},
    {SCREENSHOT_RAW, "screencap", take_raw},
    {SCREENSHOT_FRAMEBUFFER, "framebuffer:", take_framebuffer},
    {SCREENSHOT_GZIP, "screencap | gzip", take_gzip},
};

/* Add a method and its result to the list; truncated if too long. */
static void note_tried(char *tried, size_t size, const char *name,
                       const char *why)
{
    size_t length = strlen(tried);

    snprintf(tried + length, size - length, "%s%s (%.60s)", length ? ", " : "",
             name, why);
}

bool screenshot_take(struct device *device, enum screenshot_way way,
                     struct deadline by, struct screenshot *screenshot,
                     struct err *err)
{
    char tried[sizeof(err->text)] = "";

    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        if (way != SCREENSHOT_ANY && way != ways[i].way)
            continue;
        if (ways[i].take(device, by, screenshot, err)) {
            screenshot->way = ways[i].way;
            return true;
        }
        if (is_final(err->code))
            return err_wrap(err, "%s", ways[i].name);
        note_tried(tried, sizeof(tried), ways[i].name, err->text);
    }
    return err_set(err, ERR_UNSUPPORTED,
                   "the device gives no screenshot; tried %s", tried);
}
