/*
 * Immutable bytes with a reference count. A file's content is such a block: a
 * write creates a new one and replaces the old one, so that a reader never sees
 * half a file, and two trees can share their content.
 *
 * All bytes, including blocks that are still being written, count against one
 * space; its limit bounds the memory that untrusted clients can use, however
 * many old contents they keep open.
 */
#ifndef TOOLS_PHONE_CORE_SHARED_BYTES_H
#define TOOLS_PHONE_CORE_SHARED_BYTES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/* The limit that blocks share. Freed with the last of them. */
struct space;

struct space *space_new(uint64_t limit);
struct space *space_hold(struct space *space);
void space_drop(struct space *space); /* NULL is fine */

uint64_t space_limit(const struct space *space);
uint64_t space_used(struct space *space);

/* Count size bytes outside of any block; false when there is no room. */
MUST_USE bool space_take(struct space *space, uint64_t size);
void space_give(struct space *space, uint64_t size);

struct shared_bytes {
    const uint8_t *data; /* NULL when empty */
    size_t size;
    uint8_t *owned; /* the same bytes, as the pointer to free */
    struct space *space;
    atomic_size_t holders;
};

/* Both are safe from any thread and accept NULL. */
struct shared_bytes *shared_bytes_hold(struct shared_bytes *shared_bytes);
void shared_bytes_drop(struct shared_bytes *shared_bytes);

/* A copy of size bytes with one reference; NULL when there is no room. */
MUST_USE struct shared_bytes *shared_bytes_of(struct space *space,
                                              const void *data, size_t size);

/* A block that is being written. */
struct shared_bytes_writer {
    struct space *space; /* borrowed */
    uint8_t *data;       /* owned */
    size_t size;
    size_t capacity;
};

#define SHARED_BYTES_WRITER_INIT(space_)                                       \
    {                                                                          \
        .space = (space_)                                                      \
    }

/* Discard what was written. */
void shared_bytes_writer_release(struct shared_bytes_writer *writer);

/* False when there is no room; what was written before stays. */
MUST_USE bool shared_bytes_append(struct shared_bytes_writer *writer,
                                  const void *data, size_t size);

/*
 * Reserve room for size more bytes (at least one) and return its address; the
 * caller fills some of it and calls shared_bytes_commit. NULL when there is no
 * room.
 */
MUST_USE uint8_t *shared_bytes_reserve(struct shared_bytes_writer *writer,
                                       size_t size);
void shared_bytes_commit(struct shared_bytes_writer *writer, size_t size);

/* The written bytes, with one reference. The writer is empty afterwards. */
struct shared_bytes *shared_bytes_finish(struct shared_bytes_writer *writer);

#endif
