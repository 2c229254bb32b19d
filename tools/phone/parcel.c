#include "tools/phone/parcel.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* ---- saving ---- */

void parcel_put_bool(struct buf *out, bool truth)
{
    buf_byte(out, truth ? 1 : 0);
}

void parcel_put_u32(struct buf *out, uint32_t number)
{
    buf_u32le(out, number);
}

void parcel_put_u64(struct buf *out, uint64_t number)
{
    uint8_t bytes[8];

    put_u64le(bytes, number);
    buf_append(out, bytes, sizeof(bytes));
}

void parcel_put_i64(struct buf *out, int64_t number)
{
    parcel_put_u64(out, (uint64_t)number);
}

void parcel_put_bytes(struct buf *out, const void *data, size_t size)
{
    parcel_put_u64(out, size);
    if (size)
        buf_append(out, data, size);
}

void parcel_put_text(struct buf *out, const char *text)
{
    parcel_put_bytes(out, text, strlen(text));
}

/* ---- loading ---- */

bool parcel_break(struct parcel *parcel)
{
    parcel->broken = true;
    parcel->left = 0;
    return false;
}

/* The next size bytes; NULL, and broken, when they are not there. */
static const uint8_t *take(struct parcel *parcel, size_t size)
{
    const uint8_t *data = parcel->data;

    if (parcel->broken || size > parcel->left) {
        parcel_break(parcel);
        return NULL;
    }
    parcel->data += size;
    parcel->left -= size;
    return data;
}

bool parcel_bool(struct parcel *parcel)
{
    const uint8_t *byte = take(parcel, 1);

    if (byte && *byte > 1)
        return parcel_break(parcel);
    return byte && *byte;
}

uint32_t parcel_u32(struct parcel *parcel)
{
    const uint8_t *bytes = take(parcel, 4);

    return bytes ? get_u32le(bytes) : 0;
}

uint64_t parcel_u64(struct parcel *parcel)
{
    const uint8_t *bytes = take(parcel, 8);

    return bytes ? get_u64le(bytes) : 0;
}

int64_t parcel_i64(struct parcel *parcel, int64_t low, int64_t high)
{
    int64_t number = (int64_t)parcel_u64(parcel);

    if (!parcel->broken && number >= low && number <= high)
        return number;
    parcel_break(parcel);
    return low;
}

size_t parcel_count(struct parcel *parcel, size_t most)
{
    uint64_t number = parcel_u64(parcel);

    if (number <= most)
        return (size_t)number;
    parcel_break(parcel);
    return 0;
}

struct parcel_bytes parcel_bytes(struct parcel *parcel, size_t most)
{
    size_t size = parcel_count(parcel, most);
    const uint8_t *data = take(parcel, size);

    return data ? (struct parcel_bytes){data, size}
                : (struct parcel_bytes){.size = 0};
}

/* Bytes that are a C text, once a NUL is put behind them. */
static struct parcel_bytes text_bytes(struct parcel *parcel, size_t most)
{
    struct parcel_bytes bytes = parcel_bytes(parcel, most);

    if (!bytes.size || !memchr(bytes.data, '\0', bytes.size))
        return bytes;
    parcel_break(parcel);
    return (struct parcel_bytes){.size = 0};
}

void parcel_text(struct parcel *parcel, char *text, size_t size)
{
    struct parcel_bytes bytes = text_bytes(parcel, size - 1);

    if (bytes.size)
        memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
}

char *parcel_new_text(struct parcel *parcel, size_t most)
{
    struct parcel_bytes bytes = text_bytes(parcel, most);

    return bytes.size ? mem_dup_n((const char *)bytes.data, bytes.size)
                      : mem_dup("");
}
