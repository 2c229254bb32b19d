/*
 * The phone's state as bytes: what each part of it appends when it is saved,
 * and reads again when it is loaded.
 *
 * Bytes to load may come from anywhere. Reading past the end, or anything that
 * is refused, breaks the parcel: from then on it gives zeros, so that a part
 * reads all it wants and looks once.
 *
 * A snapshot is read twice. On the first time, the trial, a part only checks;
 * on the second it takes over what it read, and cannot fail any more but for
 * memory. So a bad snapshot changes nothing.
 */
#ifndef PHONE_PARCEL_H
#define PHONE_PARCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"

/* ---- saving ---- */

void parcel_put_bool(struct buf *out, bool truth);
void parcel_put_u32(struct buf *out, uint32_t number);
void parcel_put_u64(struct buf *out, uint64_t number);
void parcel_put_i64(struct buf *out, int64_t number);
void parcel_put_bytes(struct buf *out, const void *data, size_t size);
void parcel_put_text(struct buf *out, const char *text);

/* ---- loading ---- */

struct parcel {
    const uint8_t *data; /* borrowed: what is still to be read */
    size_t left;
    bool trial;
    bool broken;
};

/* Refuse the rest. Always false. */
bool parcel_break(struct parcel *parcel);

bool parcel_bool(struct parcel *parcel);
uint32_t parcel_u32(struct parcel *parcel);
uint64_t parcel_u64(struct parcel *parcel);

/* A number from low to high; low where it is not. */
int64_t parcel_i64(struct parcel *parcel, int64_t low, int64_t high);

/* A count that is at most so large, 0 where it is not. */
size_t parcel_count(struct parcel *parcel, size_t most);

/* At most so many bytes, borrowed; empty where they are not there. */
struct parcel_bytes {
    const uint8_t *data;
    size_t size;
};
struct parcel_bytes parcel_bytes(struct parcel *parcel, size_t most);

/* A text into a field of size bytes; "" where it does not fit or has a NUL. */
void parcel_text(struct parcel *parcel, char *text, size_t size);

/* The same as a new text, of at most so many bytes. The caller frees it. */
MUST_USE char *parcel_new_text(struct parcel *parcel, size_t most);

#endif
