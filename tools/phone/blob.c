#include "tools/phone/blob.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define CAPACITY_MIN 256U

struct space {
    atomic_size_t holders; /* the owner, and every blob */
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

struct blob *blob_hold(struct blob *blob)
{
    if (blob)
        atomic_fetch_add(&blob->holders, 1);
    return blob;
}

void blob_drop(struct blob *blob)
{
    if (!blob || atomic_fetch_sub(&blob->holders, 1) > 1)
        return;
    space_give(blob->space, blob->size);
    space_drop(blob->space);
    free(blob->owned);
    free(blob);
}

struct blob *blob_of(struct space *space, const void *data, size_t size)
{
    struct blob_writer writer = BLOB_WRITER_INIT(space);

    if (!blob_append(&writer, data, size))
        return NULL;
    return blob_finish(&writer);
}

void blob_writer_release(struct blob_writer *writer)
{
    space_give(writer->space, writer->capacity);
    free(writer->data);
    *writer = (struct blob_writer)BLOB_WRITER_INIT(writer->space);
}

/* Have exactly that capacity. */
static bool resize(struct blob_writer *writer, size_t capacity)
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

uint8_t *blob_reserve(struct blob_writer *writer, size_t size)
{
    size_t needed = writer->size + size;
    size_t ample = writer->capacity + writer->capacity / 2 + CAPACITY_MIN;

    assert(size);
    if (needed < size)
        return NULL;
    /* Where there is no room to grow in advance, there may be for this. */
    if (needed > writer->capacity &&
        !(ample > needed && resize(writer, ample)) && !resize(writer, needed))
        return NULL;
    return writer->data + writer->size;
}

void blob_commit(struct blob_writer *writer, size_t size)
{
    assert(size <= writer->capacity - writer->size);
    writer->size += size;
}

bool blob_append(struct blob_writer *writer, const void *data, size_t size)
{
    uint8_t *to;

    if (!size)
        return true;
    to = blob_reserve(writer, size);
    if (!to)
        return false;
    memcpy(to, data, size);
    blob_commit(writer, size);
    return true;
}

/* Give back what was reserved and not used. */
static void trim(struct blob_writer *writer)
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

struct blob *blob_finish(struct blob_writer *writer)
{
    struct blob *blob = mem_new(1, sizeof(*blob));

    trim(writer);
    blob->data = writer->data;
    blob->size = writer->size;
    blob->owned = writer->data;
    blob->space = space_hold(writer->space);
    atomic_init(&blob->holders, 1);
    *writer = (struct blob_writer)BLOB_WRITER_INIT(writer->space);
    return blob;
}
