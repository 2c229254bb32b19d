#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

void buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf)BUF_INIT(buf->limit);
}

void buf_clear(struct buf *buf)
{
    buf_truncate(buf, 0);
}

void buf_truncate(struct buf *buf, size_t length)
{
    assert(length <= buf->length);
    buf->length = length;
    buf->overflow = false;
    if (buf->data)
        buf->data[length] = '\0';
}

/* The maximum size of the buffer: no object is larger than that. */
static size_t most(const struct buf *buf)
{
    return buf->limit < PTRDIFF_MAX ? buf->limit : PTRDIFF_MAX - 1;
}

/* Double the memory, but not beyond the limit. */
static void grow_to(struct buf *buf, size_t needed)
{
    size_t capacity = buf->capacity ? buf->capacity : 64;

    while (capacity < needed)
        capacity *= 2;
    if (capacity > most(buf) + 1)
        capacity = most(buf) + 1;
    buf->data = mem_resize(buf->data, capacity, 1);
    buf->capacity = capacity;
    buf->data[buf->length] = '\0';
}

char *buf_reserve(struct buf *buf, size_t length)
{
    /* The limit may have been lowered below the current length. */
    if (buf->overflow || buf->length > most(buf) ||
        length > most(buf) - buf->length) {
        buf->overflow = true;
        return NULL;
    }
    if (buf->length + length + 1 > buf->capacity)
        grow_to(buf, buf->length + length + 1);
    return buf->data + buf->length;
}

void buf_commit(struct buf *buf, size_t length)
{
    assert(length < buf->capacity - buf->length);
    buf->length += length;
    buf->data[buf->length] = '\0';
}

void buf_append(struct buf *buf, const void *data, size_t length)
{
    char *room = buf_reserve(buf, length);

    if (!room)
        return;
    if (length)
        memcpy(room, data, length);
    buf_commit(buf, length);
}

void buf_text(struct buf *buf, const char *text)
{
    buf_append(buf, text, strlen(text));
}

void buf_byte(struct buf *buf, char byte)
{
    buf_append(buf, &byte, 1);
}

void buf_u32le(struct buf *buf, uint32_t value)
{
    uint8_t bytes[4];

    put_u32le(bytes, value);
    buf_append(buf, bytes, sizeof(bytes));
}

void buf_printf(struct buf *buf, const char *fmt, ...)
{
    va_list args;
    char *room;
    int length;

    va_start(args, fmt);
    length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    assert(length >= 0);
    room = buf_reserve(buf, (size_t)length);
    if (!room)
        return;
    va_start(args, fmt);
    vsnprintf(room, (size_t)length + 1, fmt, args);
    va_end(args);
    buf_commit(buf, (size_t)length);
}

void buf_consume(struct buf *buf, size_t length)
{
    assert(length <= buf->length);
    if (!length)
        return;
    buf->length -= length;
    memmove(buf->data, buf->data + length, buf->length);
    buf->data[buf->length] = '\0';
}

const char *buf_cstr(const struct buf *buf)
{
    return buf->data ? buf->data : "";
}
