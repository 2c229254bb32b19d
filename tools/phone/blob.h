/*
 * Bytes that never change, held by whoever still reads them.
 *
 * A file's content is a blob: writing makes a new one and puts it in the old
 * one's place, so a reader never sees half a file, and two trees can share all
 * their bytes. Every byte, of finished blobs and of those under way, counts
 * against one space; what hostile clients can make the phone hold is bounded
 * by its limit, however many of them hold on to old contents.
 */
#ifndef PHONE_BLOB_H
#define PHONE_BLOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/* The room that blobs share. Lives as long as the last of them. */
struct space;

struct space *space_new(uint64_t limit);
struct space *space_hold(struct space *space);
void space_drop(struct space *space); /* NULL is fine */

uint64_t space_limit(const struct space *space);
uint64_t space_used(struct space *space);

/* Count size bytes that are no blob's; false when there is no room. */
MUST_USE bool space_take(struct space *space, uint64_t size);
void space_give(struct space *space, uint64_t size);

struct blob {
    const uint8_t *data; /* NULL when empty */
    size_t size;
    uint8_t *owned; /* the same bytes, to be freed */
    struct space *space;
    atomic_size_t holders;
};

/* Both are safe from any thread; NULL is fine for both. */
struct blob *blob_hold(struct blob *blob);
void blob_drop(struct blob *blob);

/* A copy of size bytes, held once; NULL when there is no room for it. */
MUST_USE struct blob *blob_of(struct space *space, const void *data,
                              size_t size);

/* A blob in the making. */
struct blob_writer {
    struct space *space; /* borrowed */
    uint8_t *data;       /* owned */
    size_t size;
    size_t capacity;
};

#define BLOB_WRITER_INIT(space_)                                               \
    {                                                                          \
        .space = (space_)                                                      \
    }

/* Free what was written and be empty again. */
void blob_writer_release(struct blob_writer *writer);

/* False when there is no room for it; what was written before stays. */
MUST_USE bool blob_append(struct blob_writer *writer, const void *data,
                          size_t size);

/*
 * Make room for size more bytes (at least one) and return where they go; the
 * caller fills some and says how many with blob_commit. NULL when there is no
 * room.
 */
MUST_USE uint8_t *blob_reserve(struct blob_writer *writer, size_t size);
void blob_commit(struct blob_writer *writer, size_t size);

/* What was written, held once. The writer is empty afterwards. */
struct blob *blob_finish(struct blob_writer *writer);

#endif
