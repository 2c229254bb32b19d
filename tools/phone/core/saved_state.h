/*
 * The phone's state as bytes: each part appends its state when it is saved, and
 * reads it when it is loaded. The bytes to load are untrusted.
 *
 * Reading past the end, or a refused value, breaks the saved state: from then
 * on it returns zeros, so that a part reads everything and checks once.
 *
 * A snapshot is read twice. The first pass, the trial, only checks; the second
 * takes over the values, and can then fail only for lack of memory. So a bad
 * snapshot changes nothing.
 */
#ifndef TOOLS_PHONE_CORE_SAVED_STATE_H
#define TOOLS_PHONE_CORE_SAVED_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"

/* ---- saving ---- */

void saved_state_put_bool(struct buf *out, bool truth);
void saved_state_put_u32(struct buf *out, uint32_t number);
void saved_state_put_u64(struct buf *out, uint64_t number);
void saved_state_put_i64(struct buf *out, int64_t number);
void saved_state_put_bytes(struct buf *out, const void *data, size_t size);
void saved_state_put_text(struct buf *out, const char *text);

/* ---- loading ---- */

struct saved_state {
    const uint8_t *data; /* borrowed: the unread bytes */
    size_t left;
    bool trial;
    bool broken;
};

/* Refuse the remaining bytes. Always false. */
bool saved_state_break(struct saved_state *saved_state);

bool saved_state_bool(struct saved_state *saved_state);
uint32_t saved_state_u32(struct saved_state *saved_state);
uint64_t saved_state_u64(struct saved_state *saved_state);

/* Read a number from low to high; low if it is out of range. */
int64_t saved_state_i64(struct saved_state *saved_state, int64_t low,
                        int64_t high);

/* Read a count of at most that size; 0 if it is larger. */
size_t saved_state_count(struct saved_state *saved_state, size_t most);

/* Read at most that many bytes, borrowed; empty if they are missing. */
struct saved_state_bytes {
    const uint8_t *data;
    size_t size;
};
struct saved_state_bytes saved_state_bytes(struct saved_state *saved_state,
                                           size_t most);

/*
 * Read a text into a field of size bytes; "" if it does not fit or has a NUL.
 */
void saved_state_text(struct saved_state *saved_state, char *text, size_t size);

/* The same as a new text of at most that many bytes. The caller frees it. */
MUST_USE char *saved_state_new_text(struct saved_state *saved_state,
                                    size_t most);

#endif
