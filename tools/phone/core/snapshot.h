/*
 * Snapshots: the whole state of the phone, saved and loaded again.
 *
 * The state consists of parts; each can append itself to a buffer and read
 * itself from a saved state (tools/phone/core/saved_state.h). Adding a part is
 * one line in a table. The format:
 *
 *     "PROCTOR PHONE\n"  version u32  parts u64  { name bytes } ...  crc u32
 *
 * The version changes with every change of a part. The checksum detects
 * damage; each part checks the untrusted values that it reads. The phone must
 * be idle meanwhile: a change while it is saved may be saved in part.
 */
#ifndef TOOLS_PHONE_CORE_SNAPSHOT_H
#define TOOLS_PHONE_CORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/core/virtual_clock.h"

/* The largest snapshot that is written or read. */
#define SNAPSHOT_MAX ((size_t)768 << 20)

struct snapshot_part {
    const char *name;
    void (*save)(void *part, struct buf *out);
    void (*load)(void *part, struct saved_state *in);
    void *part; /* borrowed */
};

/* For parts with the functions TYPE_save and TYPE_load. */
#define SNAPSHOT_PART(type)                                                    \
    static void save_##type(void *part, struct buf *out)                       \
    {                                                                          \
        type##_save(part, out);                                                \
    }                                                                          \
    static void load_##type(void *part, struct saved_state *in)                \
    {                                                                          \
        type##_load(part, in);                                                 \
    }

struct snapshot_state {
    struct virtual_clock *clock; /* does not change meanwhile */
    const struct snapshot_part *parts;
    size_t count;
};

/* Append the snapshot. Fails with ERR_LIMIT when it is too large. */
MUST_USE bool snapshot_save(const struct snapshot_state *state, struct buf *out,
                            struct err *err);

/*
 * Replace the state by a saved one. Fails with ERR_INVALID for data that is
 * damaged or of another version, and with ERR_LIMIT when its files do not fit
 * beside the current ones. On failure nothing is changed.
 */
MUST_USE bool snapshot_load(const struct snapshot_state *state,
                            const void *data, size_t size, struct err *err);

/*
 * Replace the state by that of another phone of this process. As nothing of it
 * is untrusted, it is read once. Fails with ERR_LIMIT as both above; the state
 * is then of no more use.
 */
MUST_USE bool snapshot_copy(const struct snapshot_state *state,
                            const struct snapshot_state *from, struct err *err);

/* Save and load by a file that only the user can read. */
MUST_USE bool snapshot_save_file(const struct snapshot_state *state,
                                 const char *path, struct err *err);
MUST_USE bool snapshot_load_file(const struct snapshot_state *state,
                                 const char *path, struct err *err);

#endif
