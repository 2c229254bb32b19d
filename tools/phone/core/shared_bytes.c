#include "tools/phone/core/shared_bytes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CAPACITY_MIN 256U

struct space {
    atomic_size_t holders; /* references: the owner, and every block */
    atomic_uint_fast64_t used;
    uint64_t limit;
};

struct space *space_new(uint64_t limit)
{
    struct space *space = mem_new(1, sizeof(*space));

    atomic_init(&space->holders, 1);
    space->limit = limit;
    return space;
}

struct space *space_hold(struct space *space)
{
    atomic_fetch_add(&space->holders, 1);
    return space;
}

void space_drop(struct space *space)
{
    if (space && atomic_fetch_sub(&space->holders, 1) == 1)
        free(space);
}

uint64_t space_limit(const struct space *space)
{
    return space->limit;
}

uint64_t space_used(struct space *space)
{
    return atomic_load(&space->used);
}

bool space_take(struct space *space, uint64_t size)
{
    uint_fast64_t used = atomic_load(&space->used);

    do {
        if (size > space->limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&space->used, &used, used + size));
    return true;
}

void space_give(struct space *space, uint64_t size)
{
    atomic_fetch_sub(&space->used, size);
}

struct shared_bytes *shared_bytes_hold(struct shared_bytes *shared_bytes)
{
    if (shared_bytes)
        atomic_fetch_add(&shared_bytes->holders, 1);
    return shared_bytes;
}

void shared_bytes_drop(struct shared_bytes *shared_bytes)
{
    if (!shared_bytes || atomic_fetch_sub(&shared_bytes->holders, 1) > 1)
        return;
    space_give(shared_bytes->space, shared_bytes->size);
    space_drop(shared_bytes->space);
    free(shared_bytes->owned);
    free(shared_bytes);
}

struct shared_bytes *shared_bytes_of(struct space *space, const void *data,
                                     size_t size)
{
    struct shared_bytes_writer writer = SHARED_BYTES_WRITER_INIT(space);

    if (!shared_bytes_append(&writer, data, size))
        return NULL;
    return shared_bytes_finish(&writer);
}

void shared_bytes_writer_release(struct shared_bytes_writer *writer)
{
    space_give(writer->space, writer->capacity);
    free(writer->data);
    *writer =
        (struct shared_bytes_writer)SHARED_BYTES_WRITER_INIT(writer->space);
}

/* Resize to exactly that capacity. */
static bool resize(struct shared_bytes_writer *writer, size_t capacity)
{
    size_t more = capacity - writer->capacity;
    uint8_t *data;

    if (!space_take(writer->space, more))
        return false;
    data = realloc(writer->data, capacity);
    if (!data) {
        space_give(writer->space, more);
        return false;
    }
    writer->data = data;
    writer->capacity = capacity;
    return true;
}

uint8_t *shared_bytes_reserve(struct shared_bytes_writer *writer, size_t size)
{
    size_t needed = writer->size + size;
    size_t ample = writer->capacity + writer->capacity / 2 + CAPACITY_MIN;

    assert(size);
    if (needed < size)
        return NULL;
    /*
     * There may be room for the exact size though not for growing in advance.
     */
    if (needed > writer->capacity &&
        !(ample > needed && resize(writer, ample)) && !resize(writer, needed))
        return NULL;
    return writer->data + writer->size;
}

void shared_bytes_commit(struct shared_bytes_writer *writer, size_t size)
{
    assert(size <= writer->capacity - writer->size);
    writer->size += size;
}

bool shared_bytes_append(struct shared_bytes_writer *writer, const void *data,
                         size_t size)
{
    uint8_t *to;

    if (!size)
        return true;
    to = shared_bytes_reserve(writer, size);
    if (!to)
        return false;
    memcpy(to, data, size);
    shared_bytes_commit(writer, size);
    return true;
}

/* Return what was reserved and not used. */
static void trim(struct shared_bytes_writer *writer)
{
    uint8_t *data;

    space_give(writer->space, writer->capacity - writer->size);
    writer->capacity = writer->size;
    if (!writer->size) {
        free(writer->data);
        writer->data = NULL;
        return;
    }
    data = realloc(writer->data, writer->size);
    if (data)
        writer->data = data;
}

struct shared_bytes *shared_bytes_finish(struct shared_bytes_writer *writer)
{
    struct shared_bytes *shared_bytes = mem_new(1, sizeof(*shared_bytes));

    trim(writer);
    shared_bytes->data = writer->data;
    shared_bytes->size = writer->size;
    shared_bytes->owned = writer->data;
    shared_bytes->space = space_hold(writer->space);
    atomic_init(&shared_bytes->holders, 1);
    *writer =
        (struct shared_bytes_writer)SHARED_BYTES_WRITER_INIT(writer->space);
    return shared_bytes;
}
