/*
 * The body of a request: JSON with pictures in it, which are never copied.
 * They become base64 only while they are sent, a few letters at a time.
 */
#ifndef RUNNER_BODY_H
#define RUNNER_BODY_H

#include <stddef.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/sha256.h"

/* What stands beside pictures: prompts, and what was said before. */
#define BODY_TEXT_MAX ((size_t)64 << 20)

struct body_piece {
    const void *picture; /* borrowed; NULL: text */
    size_t from;         /* of text: where it begins in body.text */
    size_t length;       /* in bytes, of a picture before base64 */
};

struct body {
    struct buf text; /* all of it, without pictures */
    struct body_piece *pieces;
    size_t count;
    size_t capacity;
};

#define BODY_INIT                                                              \
    {                                                                          \
        .text = BUF_INIT(BODY_TEXT_MAX)                                        \
    }

void body_release(struct body *body);

/* Bytes as they will be sent; what does not fit is told by text.overflow. */
size_t body_size(const struct body *body);

/* Append JSON as it is; printf for what is short, such as numbers. */
void body_json(struct body *body, const char *json);
PRINTF_LIKE(2, 3) void body_printf(struct body *body, const char *fmt, ...);

/* Append a JSON string, with its quotes; what is no UTF-8 is repaired. */
void body_string(struct body *body, const char *text);

/* The same, of several pieces. */
void body_string_open(struct body *body);
void body_string_text(struct body *body, const char *text);
void body_string_close(struct body *body);

/* Append a picture's letters, within a string. The picture is borrowed. */
void body_picture(struct body *body, const void *picture, size_t length);

/* How far a body has been read. */
struct body_reader {
    const struct body *body;
    size_t piece;
    size_t at; /* in the piece, as it is sent */
};

/* Put up to size bytes at to; returns how many. 0: that was all. */
size_t body_read(struct body_reader *reader, char *to, size_t size);

/* Append the body to text, with "…" in place of pictures. */
void body_show(const struct body *body, struct buf *text);

/* A name for all of it, pictures included. */
void body_hash(const struct body *body, char hex[SHA256_HEX_SIZE]);

#endif
