#include "runner/classify/door_output.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

static const char png_start[] = "\x89PNG\r\n\x1a\n";
static const char png_start_pty[] = "\x89PNG\r\r\n\x1a\r\n";
static const char tree_end[] = "</hierarchy>";

/* Kept while a beginning is searched for: it may be cut in two. */
#define TAIL 16

void door_output_init(struct door_output *output)
{
    *output = (struct door_output){.data = BUF_INIT(DOOR_CAPTURE_MAX)};
}

void door_output_release(struct door_output *output)
{
    buf_release(&output->data);
}

void door_output_expect(struct door_output *output,
                        const struct door_item *item)
{
    if (output->count < DOOR_EXPECTED_MAX)
        output->expected[output->count++] =
            (struct door_expected){item->kind, item->format, item->capture};
}

void door_captures_add(struct door_captures *captures,
                       const struct door_expected *expected, struct buf *data)
{
    if (captures->count == captures->capacity) {
        captures->capacity = captures->capacity ? 2 * captures->capacity : 4;
        captures->items = mem_resize(captures->items, captures->capacity,
                                     sizeof(captures->items[0]));
    }
    captures->items[captures->count++] = (struct door_capture){
        .kind = expected->kind,
        .format = expected->format,
        .capture = expected->capture,
        .data = *data,
    };
    *data = (struct buf)BUF_INIT(DOOR_CAPTURE_MAX);
}

/* ---- beginnings ---- */

static const char *find(const struct buf *data, const char *text)
{
    return data->length ? memmem(data->data, data->length, text, strlen(text))
                        : NULL;
}

static const char *earlier(const char *a, const char *b)
{
    if (!a || !b)
        return a ? a : b;
    return a < b ? a : b;
}

/* Where the expected one begins; NULL: not yet. */
static const char *start_of(const struct buf *data, enum door_format format)
{
    switch (format) {
    case DOOR_PNG:
        return earlier(find(data, png_start), find(data, png_start_pty));
    case DOOR_XML:
        return earlier(find(data, "<?xml"), find(data, "<hierarchy"));
    case DOOR_JPEG:
        return find(data, "\xff\xd8\xff");
    case DOOR_PIXELS:
    case DOOR_FRAMEBUFFER:
        break;
    }
    return data->length ? data->data : NULL;
}

/* ---- ends ---- */

static size_t png_end(const struct buf *data)
{
    size_t at = strlen(png_start);

    if (data->length < at || memcmp(data->data, png_start, at) != 0)
        return 0; /* a terminal's: known at the end only */
    while (data->length - at >= 12) {
        const uint8_t *chunk = (const uint8_t *)data->data + at;
        size_t length = get_u32be(chunk);

        if (length > DOOR_CAPTURE_MAX || data->length - at - 12 < length)
            return 0;
        at += 12 + length;
        if (!memcmp(chunk + 4, "IEND", 4))
            return at;
    }
    return 0;
}

static size_t tree_length(struct door_output *output)
{
    struct buf *data = &output->data;
    size_t from = output->scanned > sizeof(tree_end)
                      ? output->scanned - sizeof(tree_end)
                      : 0;
    const char *end = memmem(data->data + from, data->length - from, tree_end,
                             strlen(tree_end));

    output->scanned = data->length;
    return end ? (size_t)(end - data->data) + strlen(tree_end) : 0;
}

/* Version 2 has one number more than version 1. */
static size_t framebuffer_length(const struct buf *data)
{
    const uint8_t *header = (const uint8_t *)data->data;
    size_t size = 0;
    size_t whole = 0;

    if (data->length >= 56 && get_u32le(header) == 2) {
        size = get_u32le(header + 12);
        whole = 56 + size;
    } else if (data->length >= 52 && get_u32le(header) == 1) {
        size = get_u32le(header + 8);
        whole = 52 + size;
    }
    return whole && data->length >= whole ? whole : 0;
}

/* How long the one that data begins with is; 0: it is not complete. */
static size_t length_of(struct door_output *output)
{
    switch (output->expected[0].format) {
    case DOOR_PNG:
        return png_end(&output->data);
    case DOOR_XML:
        return tree_length(output);
    case DOOR_FRAMEBUFFER:
        return framebuffer_length(&output->data);
    case DOOR_JPEG:
    case DOOR_PIXELS:
        break; /* they end with the output */
    }
    return 0;
}

/* ---- the output ---- */

static void forget_first(struct door_output *output)
{
    output->count--;
    memmove(output->expected, output->expected + 1,
            output->count * sizeof(output->expected[0]));
    output->found = false;
    output->scanned = 0;
}

static void take_first(struct door_output *output, size_t length,
                       struct door_captures *captures)
{
    struct buf rest = BUF_INIT(DOOR_CAPTURE_MAX);

    buf_append(&rest, output->data.data + length, output->data.length - length);
    buf_truncate(&output->data, length);
    door_captures_add(captures, &output->expected[0], &output->data);
    output->data = rest;
    forget_first(output);
}

/* Is there a complete one? It is then taken. */
static bool take_next(struct door_output *output,
                      struct door_captures *captures)
{
    struct buf *data = &output->data;
    const char *start;
    size_t length;

    if (!output->count)
        return false;
    if (!output->found) {
        start = start_of(data, output->expected[0].format);
        if (!start && data->length > TAIL)
            buf_consume(data, data->length - TAIL);
        if (!start)
            return false;
        buf_consume(data, (size_t)(start - data->data));
        output->found = true;
    }
    length = length_of(output);
    if (length)
        take_first(output, length, captures);
    return length > 0;
}

void door_output_add(struct door_output *output, const char *bytes,
                     size_t length, struct door_captures *captures)
{
    if (!output->count)
        return;
    buf_append(&output->data, bytes, length);
    if (output->data.overflow) { /* far too large: given up */
        buf_release(&output->data);
        output->count = 0;
        return;
    }
    while (take_next(output, captures))
        ;
    if (!output->count)
        buf_release(&output->data);
}

/* ---- the end ---- */

/* Undo what a terminal does: CR LF was LF. */
static void remove_returns(struct buf *data)
{
    size_t length = 0;

    for (size_t i = 0; i < data->length; i++) {
        if (data->data[i] == '\r' && i + 1 < data->length &&
            data->data[i + 1] == '\n')
            continue;
        data->data[length++] = data->data[i];
    }
    buf_truncate(data, length);
}

static bool is_damaged(const struct buf *data)
{
    size_t length = strlen(png_start_pty);

    return data->length >= length && !memcmp(data->data, png_start_pty, length);
}

void door_output_end(struct door_output *output, struct door_captures *captures)
{
    struct buf *data = &output->data;
    size_t length;

    if (!output->count || !output->found)
        return;
    if (output->expected[0].format == DOOR_PNG) {
        if (!is_damaged(data))
            return;
        remove_returns(data);
        length = png_end(data);
        if (length)
            take_first(output, length, captures);
    } else if (output->expected[0].format != DOOR_FRAMEBUFFER) {
        take_first(output, data->length, captures);
    }
}
