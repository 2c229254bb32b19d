#include "tools/phone/core/snapshot.h"

#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/file.h"

#define MAGIC "PROCTOR PHONE\n"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)
#define VERSION 4U
#define CHECKSUM_SIZE 4
#define NAME_SIZE 32

static uint32_t checksum(const void *data, size_t size)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, size);
}

/* ---- saving ---- */

/* Append a part after its size, which is filled in afterwards. */
static void save_part(const struct snapshot_part *part, struct buf *out)
{
    size_t at;

    saved_state_put_text(out, part->name);
    at = out->length;
    saved_state_put_u64(out, 0);
    part->save(part->part, out);
    if (!out->overflow)
        put_u64le((uint8_t *)out->data + at, out->length - at - 8);
}

static void save_parts(const struct snapshot_state *state, struct buf *out)
{
    saved_state_put_u64(out, state->count);
    virtual_clock_hold(state->clock);
    for (size_t i = 0; i < state->count; i++)
        save_part(&state->parts[i], out);
    virtual_clock_let_go(state->clock);
}

static bool check_size(const struct buf *out, struct err *err)
{
    return !out->overflow ||
           err_set(err, ERR_LIMIT, "the snapshot is larger than %zu MB",
                   out->limit >> 20);
}

bool snapshot_save(const struct snapshot_state *state, struct buf *out,
                   struct err *err)
{
    size_t start = out->length;

    buf_text(out, MAGIC);
    saved_state_put_u32(out, VERSION);
    save_parts(state, out);
    if (!out->overflow)
        saved_state_put_u32(out,
                            checksum(out->data + start, out->length - start));
    return check_size(out, err);
}

/* ---- loading ---- */

static bool refuse(const char *why, struct err *err)
{
    return err_set(err, ERR_INVALID, "%s", why);
}

/* The bytes between the version and the checksum. */
static bool open_parcel(const void *data, size_t size, struct saved_state *in,
                        struct err *err)
{
    const uint8_t *bytes = data;
    size_t body;

    if (size < MAGIC_SIZE + 4 + CHECKSUM_SIZE ||
        memcmp(bytes, MAGIC, MAGIC_SIZE) != 0)
        return refuse("this is no snapshot of a phone", err);
    body = size - CHECKSUM_SIZE;
    if (get_u32le(bytes + MAGIC_SIZE) != VERSION)
        return refuse("this snapshot is of another version", err);
    if (get_u32le(bytes + body) != checksum(bytes, body))
        return refuse("this snapshot is damaged", err);
    *in = (struct saved_state){.data = bytes + MAGIC_SIZE + 4,
                               .left = body - MAGIC_SIZE - 4};
    return true;
}

static bool load_part(const struct snapshot_part *part, bool trial,
                      struct saved_state *in, struct err *err)
{
    char name[NAME_SIZE];
    struct saved_state_bytes bytes;
    struct saved_state inner;

    saved_state_text(in, name, sizeof(name));
    bytes = saved_state_bytes(in, in->left);
    if (in->broken || strcmp(name, part->name) != 0)
        return refuse("this snapshot has other parts", err);
    inner = (struct saved_state){
        .data = bytes.data, .left = bytes.size, .trial = trial};
    part->load(part->part, &inner);
    if (!inner.broken && !inner.left)
        return true;
    if (trial)
        return err_set(err, ERR_INVALID,
                       "the snapshot is damaged: its %s are invalid",
                       part->name);
    return err_set(err, ERR_LIMIT, "no room for the snapshot's %s", part->name);
}

static bool load_parts(const struct snapshot_state *state,
                       struct saved_state in, bool trial, struct err *err)
{
    if (saved_state_count(&in, state->count) != state->count)
        return refuse("this snapshot has other parts", err);
    for (size_t i = 0; i < state->count; i++) {
        if (!load_part(&state->parts[i], trial, &in, err))
            return false;
    }
    return !in.left || refuse("this snapshot does not end", err);
}

bool snapshot_load(const struct snapshot_state *state, const void *data,
                   size_t size, struct err *err)
{
    struct saved_state in;
    bool done;

    if (!open_parcel(data, size, &in, err))
        return false;
    virtual_clock_hold(state->clock);
    done =
        load_parts(state, in, true, err) && load_parts(state, in, false, err);
    virtual_clock_let_go(state->clock);
    return done;
}

bool snapshot_copy(const struct snapshot_state *state,
                   const struct snapshot_state *from, struct err *err)
{
    struct buf bytes = BUF_INIT(SNAPSHOT_MAX);
    bool done;

    save_parts(from, &bytes);
    done = check_size(&bytes, err);
    if (done) {
        const struct saved_state in = {.data = (const uint8_t *)bytes.data,
                                       .left = bytes.length};

        virtual_clock_hold(state->clock);
        done = load_parts(state, in, false, err);
        virtual_clock_let_go(state->clock);
    }
    buf_release(&bytes);
    return done;
}

/* ---- files ---- */

bool snapshot_save_file(const struct snapshot_state *state, const char *path,
                        struct err *err)
{
    struct buf bytes = BUF_INIT(SNAPSHOT_MAX);
    bool done = snapshot_save(state, &bytes, err) &&
                file_save(path, 0600, bytes.data, bytes.length, err);

    buf_release(&bytes);
    return done;
}

bool snapshot_load_file(const struct snapshot_state *state, const char *path,
                        struct err *err)
{
    struct buf bytes = BUF_INIT(SNAPSHOT_MAX);
    bool done = file_load(path, &bytes, err) &&
                (snapshot_load(state, bytes.data, bytes.length, err) ||
                 err_wrap(err, "%.200s", path));

    buf_release(&bytes);
    return done;
}
