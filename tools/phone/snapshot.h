/*
 * Everything the phone is, in one piece: saved, and loaded again.
 *
 * The state is made of parts, each of which can append itself to a buffer and
 * read itself from a parcel (tools/phone/parcel.h). Adding a part is a line in
 * a table. In bytes:
 *
 *     "PROCTOR PHONE\n"   version u32   parts u64   { name  bytes } ...   crc
 * u32
 *
 * The version changes with every part. The checksum finds damage; what is
 * hostile is found by the parts, each of which checks what it reads. Nobody
 * should act on the phone meanwhile: what changes while it is saved may be
 * there half.
 */
#ifndef PHONE_SNAPSHOT_H
#define PHONE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/parcel.h"
#include "tools/phone/virtual_clock.h"

/* More is never written, and never read. */
#define SNAPSHOT_MAX ((size_t)768 << 20)

struct snapshot_part {
    const char *name;
    void (*save)(void *part, struct buf *out);
    void (*load)(void *part, struct parcel *in);
    void *part; /* borrowed */
};

/* Of parts whose functions are called TYPE_save and TYPE_load. */
#define SNAPSHOT_PART(type)                                                    \
    static void save_##type(void *part, struct buf *out)                       \
    {                                                                          \
        type##_save(part, out);                                                \
    }                                                                          \
    static void load_##type(void *part, struct parcel *in)                     \
    {                                                                          \
        type##_load(part, in);                                                 \
    }

struct snapshot_state {
    struct virtual_clock *clock; /* stands still meanwhile */
    const struct snapshot_part *parts;
    size_t count;
};

/* Append it. Fails with ERR_LIMIT when it is too much. */
MUST_USE bool snapshot_save(const struct snapshot_state *state, struct buf *out,
                            struct err *err);

/*
 * Be what was saved. Fails with ERR_INVALID for what is no snapshot of this
 * version or is damaged, and with ERR_LIMIT where its files do not fit beside
 * those that are there; everything is then as it was.
 */
MUST_USE bool snapshot_load(const struct snapshot_state *state,
                            const void *data, size_t size, struct err *err);

/* The same with a file of the owner's. */
MUST_USE bool snapshot_save_file(const struct snapshot_state *state,
                                 const char *path, struct err *err);
MUST_USE bool snapshot_load_file(const struct snapshot_state *state,
                                 const char *path, struct err *err);

#endif
