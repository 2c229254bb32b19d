/*
 * Bytes that grow up to a limit. Whatever a peer sizes goes through here.
 *
 * The overflow flag is sticky: append freely, look once at the end. What did
 * not fit is dropped whole, so data never holds half of an append.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

struct buf {
    char *data;    /* owned; a NUL follows what is used */
    size_t length; /* bytes used, without that NUL */
    size_t capacity;
    size_t limit; /* length never exceeds it */
    bool overflow;
};

/* An empty buffer that holds at most limit_ bytes. */
#define BUF_INIT(limit_)                                                       \
    {                                                                          \
        .limit = (limit_)                                                      \
    }

/* Free the bytes and be empty again, with the same limit. */
void buf_release(struct buf *buf);

/* Forget the bytes and the overflow, keep the memory. */
void buf_clear(struct buf *buf);

/* Forget the overflow and all but the first length bytes. */
void buf_truncate(struct buf *buf, size_t length);

void buf_append(struct buf *buf, const void *data, size_t length);
void buf_text(struct buf *buf, const char *text);
void buf_byte(struct buf *buf, char byte);
void buf_u32le(struct buf *buf, uint32_t value);
PRINTF_LIKE(2, 3) void buf_printf(struct buf *buf, const char *fmt, ...);

/*
 * Make room for length more bytes and return where they go; the caller fills
 * some and says how many with buf_commit. NULL (and overflow) beyond the limit.
 */
MUST_USE char *buf_reserve(struct buf *buf, size_t length);
void buf_commit(struct buf *buf, size_t length);

/* Drop length bytes from the front. */
void buf_consume(struct buf *buf, size_t length);

/* The bytes as text; "" while nothing was ever appended. */
const char *buf_cstr(const struct buf *buf);

#endif
