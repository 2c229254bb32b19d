#include "tools/phone/core/saved_state.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* ---- saving ---- */

void saved_state_put_bool(struct buf *out, bool truth)
{
    buf_byte(out, truth ? 1 : 0);
}

void saved_state_put_u32(struct buf *out, uint32_t number)
{
    buf_u32le(out, number);
}

void saved_state_put_u64(struct buf *out, uint64_t number)
{
    uint8_t bytes[8];

    put_u64le(bytes, number);
    buf_append(out, bytes, sizeof(bytes));
}

void saved_state_put_i64(struct buf *out, int64_t number)
{
    saved_state_put_u64(out, (uint64_t)number);
}

void saved_state_put_bytes(struct buf *out, const void *data, size_t size)
{
    saved_state_put_u64(out, size);
    if (size)
        buf_append(out, data, size);
}

void saved_state_put_text(struct buf *out, const char *text)
{
    saved_state_put_bytes(out, text, strlen(text));
}

/* ---- loading ---- */

bool saved_state_break(struct saved_state *saved_state)
{
    saved_state->broken = true;
    saved_state->left = 0;
    return false;
}

/* The next size bytes; NULL, and broken, if they are missing. */
static const uint8_t *take(struct saved_state *saved_state, size_t size)
{
    const uint8_t *data = saved_state->data;

    if (saved_state->broken || size > saved_state->left) {
        saved_state_break(saved_state);
        return NULL;
    }
    saved_state->data += size;
    saved_state->left -= size;
    return data;
}

bool saved_state_bool(struct saved_state *saved_state)
{
    const uint8_t *byte = take(saved_state, 1);

    if (byte && *byte > 1)
        return saved_state_break(saved_state);
    return byte && *byte;
}

uint32_t saved_state_u32(struct saved_state *saved_state)
{
    const uint8_t *bytes = take(saved_state, 4);

    return bytes ? get_u32le(bytes) : 0;
}

uint64_t saved_state_u64(struct saved_state *saved_state)
{
    const uint8_t *bytes = take(saved_state, 8);

    return bytes ? get_u64le(bytes) : 0;
}

int64_t saved_state_i64(struct saved_state *saved_state, int64_t low,
                        int64_t high)
{
    int64_t number = (int64_t)saved_state_u64(saved_state);

    if (!saved_state->broken && number >= low && number <= high)
        return number;
    saved_state_break(saved_state);
    return low;
}

size_t saved_state_count(struct saved_state *saved_state, size_t most)
{
    uint64_t number = saved_state_u64(saved_state);

    if (number <= most)
        return (size_t)number;
    saved_state_break(saved_state);
    return 0;
}

struct saved_state_bytes saved_state_bytes(struct saved_state *saved_state,
                                           size_t most)
{
    size_t size = saved_state_count(saved_state, most);
    const uint8_t *data = take(saved_state, size);

    return data ? (struct saved_state_bytes){data, size}
                : (struct saved_state_bytes){.size = 0};
}

/* Are the bytes a valid C string once a NUL is appended? */
static struct saved_state_bytes text_bytes(struct saved_state *saved_state,
                                           size_t most)
{
    struct saved_state_bytes bytes = saved_state_bytes(saved_state, most);

    if (!bytes.size || !memchr(bytes.data, '\0', bytes.size))
        return bytes;
    saved_state_break(saved_state);
    return (struct saved_state_bytes){.size = 0};
}

void saved_state_text(struct saved_state *saved_state, char *text, size_t size)
{
    struct saved_state_bytes bytes = text_bytes(saved_state, size - 1);

    if (bytes.size)
        memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
}

char *saved_state_new_text(struct saved_state *saved_state, size_t most)
{
    struct saved_state_bytes bytes = text_bytes(saved_state, most);

    return bytes.size ? mem_dup_n((const char *)bytes.data, bytes.size)
                      : mem_dup("");
}
