/*
 * A growing byte buffer with a limit. All data whose size a peer controls is
 * stored in one.
 *
 * The overflow flag is sticky: append freely, check it once at the end. An
 * append that does not fit is dropped completely, never in part.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

struct buf {
    char *data;    /* owned; NUL-terminated */
    size_t length; /* without that NUL */
    size_t capacity;
    size_t limit; /* length never exceeds it */
    bool overflow;
};

/* An empty buffer for at most limit_ bytes. */
#define BUF_INIT(limit_)                                                       \
    {                                                                          \
        .limit = (limit_)                                                      \
    }

/* Free the memory; the buffer is then empty, with the same limit. */
void buf_release(struct buf *buf);

/* Remove the content and the overflow flag, keep the memory. */
void buf_clear(struct buf *buf);

/* Clear the overflow flag and keep only the first length bytes. */
void buf_truncate(struct buf *buf, size_t length);

void buf_append(struct buf *buf, const void *data, size_t length);
void buf_text(struct buf *buf, const char *text);
void buf_byte(struct buf *buf, char byte);
void buf_u32le(struct buf *buf, uint32_t value);
PRINTF_LIKE(2, 3) void buf_printf(struct buf *buf, const char *fmt, ...);

/*
 * Reserve room for length more bytes and return its address; the caller fills
 * it and calls buf_commit with the number of bytes used. NULL (and overflow)
 * beyond the limit.
 */
MUST_USE char *buf_reserve(struct buf *buf, size_t length);
void buf_commit(struct buf *buf, size_t length);

/* Remove length bytes from the front. */
void buf_consume(struct buf *buf, size_t length);

/* The content as a string; "" if nothing was ever appended. */
const char *buf_cstr(const struct buf *buf);

#endif
