/*
 * The body of a request: JSON with pictures, which are never copied. They are
 * encoded as base64 while they are sent, piece by piece.
 */
#ifndef RUNNER_MODELS_REQUEST_BODY_H
#define RUNNER_MODELS_REQUEST_BODY_H

#include <stddef.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/sha256.h"

/* Limit of the text: prompts and earlier replies. */
#define REQUEST_BODY_TEXT_MAX ((size_t)64 << 20)

struct request_body_piece {
    const void *picture; /* borrowed; NULL: text */
    size_t from;         /* of text: its offset in body.text */
    size_t length;       /* in bytes, of a picture before base64 */
};

struct request_body {
    struct buf text; /* all text, without pictures */
    struct request_body_piece *pieces;
    size_t count;
    size_t capacity;
};

#define REQUEST_BODY_INIT                                                      \
    {                                                                          \
        .text = BUF_INIT(REQUEST_BODY_TEXT_MAX)                                \
    }

void request_body_release(struct request_body *body);

/* Number of bytes to send; text.overflow is set if the text is too long. */
size_t request_body_size(const struct request_body *body);

/* Append raw JSON; printf for short values such as numbers. */
void request_body_json(struct request_body *body, const char *json);
PRINTF_LIKE(2, 3)
void request_body_printf(struct request_body *body, const char *fmt, ...);

/* Append a JSON string with its quotes; invalid UTF-8 is repaired. */
void request_body_string(struct request_body *body, const char *text);

/* The same in several pieces. */
void request_body_string_open(struct request_body *body);
void request_body_string_text(struct request_body *body, const char *text);
void request_body_string_close(struct request_body *body);

/* Append a picture as base64, within a string. The picture is borrowed. */
void request_body_picture(struct request_body *body, const void *picture,
                          size_t length);

/* The position in a body that is read. */
struct request_body_reader {
    const struct request_body *body;
    size_t piece;
    size_t at; /* in the encoded piece */
};

/* Copy up to size bytes to `to`; returns how many. 0: the end. */
size_t request_body_read(struct request_body_reader *reader, char *to,
                         size_t size);

/* Append the body to text, with "…" in place of pictures. */
void request_body_show(const struct request_body *body, struct buf *text);

/* A hash of all of it, pictures included. */
void request_body_hash(const struct request_body *body,
                       char hex[SHA256_HEX_SIZE]);

#endif
