#include "adb/screenshot.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

#include "adb/framebuffer.h"
#include "adb/shell.h"
#include "base/bytes.h"
#include "base/macros.h"
#include "base/screencap.h"
#include "base/text.h"

/* What a PNG begins and ends with: its signature, and the empty last chunk. */
static const char png_begin[8] = "\x89PNG\r\n\x1a\n";
static const char png_end[12] = "\0\0\0\0IEND\xae\x42\x60\x82";

void screenshot_release(struct screenshot *screenshot)
{
    buf_release(&screenshot->bytes);
    buf_release(&screenshot->packed);
    picture_release(&screenshot->picture);
}

/* After these it makes no sense to try another way. */
static bool is_final(enum err_code code)
{
    return code == ERR_LOST || code == ERR_TIMEOUT || code == ERR_CANCELLED ||
           code == ERR_UNAUTHORIZED || code == ERR_NOT_FOUND ||
           code == ERR_UNREACHABLE || code == ERR_IO;
}

/* A device that cannot do it says so in words: pass their first line on. */
static bool fail_with_words(const char *words, size_t length, struct err *err)
{
    const char *end = memchr(words, '\n', length);
    char line[100];

    text_copy_clean(line, sizeof(line), words,
                    end ? (size_t)(end - words) : length);
    return err_set(err, ERR_UNSUPPORTED, "%s", *line ? line : "no picture");
}

static bool check_png(struct screenshot *screenshot, struct err *err)
{
    const struct buf *bytes = &screenshot->bytes;

    if (bytes->length < sizeof(png_begin) ||
        memcmp(bytes->data, png_begin, sizeof(png_begin)) != 0)
        return fail_with_words(buf_cstr(bytes), bytes->length, err);
    if (bytes->length < sizeof(png_begin) + sizeof(png_end) ||
        memcmp(bytes->data + bytes->length - sizeof(png_end), png_end,
               sizeof(png_end)) != 0)
        return err_set(err, ERR_REMOTE, "the PNG is cut short");
    return true;
}

/* Short output is rather an excuse than a screen. */
static bool decode_raw(struct screenshot *screenshot, struct err *err)
{
    const struct buf *bytes = &screenshot->bytes;

    if (bytes->length < 1000 && !memchr(buf_cstr(bytes), '\0', bytes->length))
        return fail_with_words(buf_cstr(bytes), bytes->length, err);
    return screencap_decode(bytes->data, bytes->length, &screenshot->picture,
                            err);
}

#define GZIP_MIN 18 /* a head of ten bytes, a foot of eight */

/* What was packed by gzip; its last four bytes are its size before that. */
bool screenshot_unpack(struct screenshot *screenshot, struct err *err)
{
    const struct buf *packed = &screenshot->packed;
    struct libdeflate_decompressor *inflater;
    enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
    size_t size, got = 0;
    char *to;

    if (packed->length < GZIP_MIN || memcmp(packed->data, "\x1f\x8b", 2) != 0)
        return fail_with_words(buf_cstr(packed), packed->length, err);
    size = get_u32le((const uint8_t *)packed->data + packed->length - 4);
    buf_clear(&screenshot->bytes);
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

typedef bool check_fn(struct screenshot *screenshot, struct err *err);

static bool run_in_exec(struct device *device, const char *command,
                        check_fn *check, struct deadline by,
                        struct screenshot *screenshot, struct err *err)
{
    buf_clear(&screenshot->bytes);
    return shell_exec(device, command, by, &screenshot->bytes, err) &&
           check(screenshot, err);
}

static bool run_in_shell(struct device *device, const char *command,
                         check_fn *check, struct deadline by,
                         struct screenshot *screenshot, struct err *err)
{
    struct shell_result result;
    bool done;

    if (!shell_run(device, command, screenshot->bytes.limit, by, &result, err))
        return false;
    if (result.status != 0) {
        done = fail_with_words(buf_cstr(&result.errors), result.errors.length,
                               err);
    } else {
        buf_release(&screenshot->bytes);
        screenshot->bytes = result.out;
        result.out = (struct buf)BUF_INIT(0);
        done = check(screenshot, err);
    }
    shell_result_release(&result);
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

/* Where no binary-clean exec: is, the other ways serve. */
bool screenshot_fetch_packed(struct device *device, struct deadline by,
                             struct screenshot *screenshot, struct err *err)
{
    buf_clear(&screenshot->packed);
    return shell_exec(device, "screencap | gzip -1", by, &screenshot->packed,
                      err);
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

/* Add to the list what was tried and how it went; what is too long is cut. */
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
