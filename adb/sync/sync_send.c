/* Files to the device. */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/sync/compression.h"
#include "adb/sync/sync_session.h"
#include "base/mem.h"

/* Minimum room for another DATA. */
#define FRAME_MIN 4096

/* A file being sent. */
struct sync_upload {
    int fd; /* borrowed */
    const char *path;
    uint64_t moved;
    uint64_t total;
};

/* Read the confirmation of the oldest file. */
static bool take_verdict(struct sync *sync, struct deadline by, struct err *err)
{
    struct sync_header header;

    if (!sync_reply(sync, SYNC_ID_BIT(SYNC_ID_OKAY), by, &header, err))
        return false;
    if (sync->sending && sync->pending_count == 1)
        return err_set(err, ERR_PROTOCOL,
                       "the device confirmed a file it does not have yet");
    sync_consume(sync, SYNC_HEADER_SIZE);
    free(sync->pending[sync->pending_first]);
    sync->pending_first = (sync->pending_first + 1) % SYNC_PENDING_MAX;
    sync->pending_count--;
    return true;
}

/* Read confirmations that have arrived, so that a failure is noticed early. */
static bool take_verdicts(struct sync *sync, struct deadline by,
                          struct err *err)
{
    bool any;

    if (sync->pending_count && !sync_fill_now(sync, &any, err))
        return false;
    while (sync->pending_count && sync_available(sync)) {
        if (!take_verdict(sync, by, err))
            return false;
    }
    return true;
}

/* Flush. A device that stops accepting data may have sent the reason. */
static bool flush(struct sync *sync, struct deadline by, struct err *err)
{
    struct err why;

    if (sync_flush(sync, by, err))
        return take_verdicts(sync, by, err);
    if ((err->code == ERR_CLOSED || err->code == ERR_LOST) &&
        !take_verdicts(sync, by, &why) && why.code == ERR_REMOTE)
        *err = why;
    return false;
}

/* Wait until at most count confirmations are outstanding. */
static bool settle_down_to(struct sync *sync, size_t count, struct deadline by,
                           struct err *err)
{
    if (sync->pending_count > count && !flush(sync, by, err))
        return false;
    while (sync->pending_count > count) {
        if (!take_verdict(sync, by, err))
            return false;
    }
    return true;
}

static size_t room(const struct sync *sync)
{
    return sync->out.limit - sync->out.length;
}

static bool make_room(struct sync *sync, size_t size, struct deadline by,
                      struct err *err)
{
    return room(sync) >= size || flush(sync, by, err);
}

/* Room for the next DATA, after its header. */
static uint8_t *open_frame(struct sync *sync, size_t *size)
{
    size_t left = room(sync) - SYNC_HEADER_SIZE;
    char *frame;

    *size = left < SYNC_DATA_MAX ? left : SYNC_DATA_MAX;
    frame = buf_reserve(&sync->out, SYNC_HEADER_SIZE + *size);
    assert(frame);
    return (uint8_t *)frame + SYNC_HEADER_SIZE;
}

/* That many bytes were stored there. */
static void close_frame(struct sync *sync, size_t size)
{
    uint8_t *frame = (uint8_t *)sync->out.data + sync->out.length;

    if (!size)
        return;
    sync_wire_put(frame, SYNC_ID_DATA, (uint32_t)size);
    buf_commit(&sync->out, SYNC_HEADER_SIZE + size);
}

/* Read a piece of the file; *end: it is the last one. */
static bool read_piece(struct sync_upload *upload, uint8_t *data, size_t size,
                       size_t *got, bool *end, struct err *err)
{
    ssize_t n;

    do {
        n = read(upload->fd, data, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_errno(err, errno, "reading the local file");
    *got = (size_t)n;
    upload->moved += *got;
    /* When the known size is reached, no further read is needed. */
    *end = n == 0 ||
           (*got < size && upload->total && upload->moved >= upload->total);
    return true;
}

static bool send_plain(struct sync *sync, struct sync_upload *upload,
                       struct deadline by, struct err *err)
{
    bool end;

    do {
        uint8_t *data;
        size_t size;

        if (!make_room(sync, SYNC_HEADER_SIZE + FRAME_MIN, by, err))
            return false;
        data = open_frame(sync, &size);
        if (!read_piece(upload, data, size, &size, &end, err))
            return false;
        close_frame(sync, size);
        if (!sync_tell(sync, upload->path, upload->moved, upload->total, err))
            return false;
    } while (!end);
    return true;
}

static bool send_packed(struct sync *sync, struct sync_upload *upload,
                        struct compression *codec, struct deadline by,
                        struct err *err)
{
    struct compression_step step = {.in_left = 0};
    bool end = false;
    bool done = false;

    while (!done) {
        size_t size;

        if (!step.in_left && !end) {
            step.in = sync->plain;
            if (!read_piece(upload, sync->plain, SYNC_PLAIN_SIZE, &step.in_left,
                            &end, err) ||
                !sync_tell(sync, upload->path, upload->moved, upload->total,
                           err))
                return false;
        }
        if (!make_room(sync, SYNC_HEADER_SIZE + FRAME_MIN, by, err))
            return false;
        step.out = open_frame(sync, &size);
        step.out_left = size;
        if (!compression_run(codec, &step, end, &done, err))
            return false;
        close_frame(sync, size - step.out_left);
    }
    return true;
}

static bool send_compressed(struct sync *sync, struct sync_upload *upload,
                            struct deadline by, struct err *err)
{
    struct compression *codec;
    bool sent;

    if (!compression_open_encoder(sync_codec_format(sync), &codec, err))
        return false;
    sent = send_packed(sync, upload, codec, by, err);
    compression_close(codec);
    return sent;
}

/* The time in DONE is an unsigned 32-bit number. */
static uint32_t wire_time(int64_t mtime)
{
    if (mtime < 0)
        return 0;
    return mtime < UINT32_MAX ? (uint32_t)mtime : UINT32_MAX;
}

/* Request the file; its confirmation is then outstanding. */
static bool begin_file(struct sync *sync, const char *path, uint32_t mode,
                       enum sync_flag flag, struct deadline by, struct err *err)
{
    size_t last;

    if (!sync_begin(sync, by, err))
        return false;
    if (sync->pending_count == SYNC_PENDING_MAX &&
        !settle_down_to(sync, SYNC_PENDING_MAX / 2, by, err))
        return false;
    if (!make_room(sync, SYNC_REQUEST_MAX, by, err))
        return false;
    if (sync_has(sync, FEATURE_SENDRECV_V2)
            ? !sync_wire_send2(&sync->out, path, mode, flag, err)
            : !sync_wire_send(&sync->out, path, mode, err))
        return false;
    last = (sync->pending_first + sync->pending_count) % SYNC_PENDING_MAX;
    sync->pending[last] = mem_dup(path);
    sync->pending_count++;
    sync->sending = true;
    return true;
}

static bool end_file(struct sync *sync, int64_t mtime, struct deadline by,
                     struct err *err)
{
    if (!make_room(sync, SYNC_HEADER_SIZE, by, err))
        return false;
    sync_wire_header(&sync->out, SYNC_ID_DONE, wire_time(mtime));
    sync->sending = false;
    return true;
}

/* A failure that the device reports belongs to the oldest file. */
static bool fail_send(struct sync *sync, const char *path, struct err *err)
{
    if (err->code == ERR_REMOTE && sync->pending_count)
        path = sync->pending[sync->pending_first];
    return sync_abandon(sync, "pushing", path, err);
}

/*
 * The adbd of Android 4.4 ends the session after each file. Phones without
 * shell v2 (Android before 7) get a new session for each request after one.
 */
static bool leave_session(struct sync *sync, struct deadline by,
                          struct err *err)
{
    if (!sync->device || sync_has(sync, FEATURE_SHELL_V2))
        return true;
    if (!sync_settle(sync, by, err))
        return false;
    sync_drop(sync);
    return true;
}

bool sync_send_ahead(struct sync *sync, int fd, const char *path, uint32_t mode,
                     int64_t mtime, uint64_t total, struct deadline by,
                     struct err *err)
{
    struct sync_upload upload = {.fd = fd, .path = path, .total = total};

    if (!begin_file(sync, path, mode, sync->flag, by, err) ||
        !(sync->flag ? send_compressed : send_plain)(sync, &upload, by, err) ||
        !end_file(sync, mtime, by, err))
        return fail_send(sync, path, err);
    log_trace(sync->log, LOG_SYNC, "sent %s: %" PRIu64 " bytes", path,
              upload.moved);
    return leave_session(sync, by, err);
}

bool sync_send_link(struct sync *sync, const char *target, const char *path,
                    int64_t mtime, struct deadline by, struct err *err)
{
    size_t size = strlen(target) + 1; /* devices require the NUL */

    if (size > SYNC_PATH_MAX) {
        err_set(err, ERR_INVALID, "the link's target is too long");
        return fail_send(sync, path, err);
    }
    /* A link's target is never compressed. */
    if (!begin_file(sync, path, S_IFLNK | 0777, SYNC_FLAG_NONE, by, err) ||
        !make_room(sync, SYNC_HEADER_SIZE + size, by, err))
        return fail_send(sync, path, err);
    sync_wire_header(&sync->out, SYNC_ID_DATA, (uint32_t)size);
    buf_append(&sync->out, target, size);
    if (!end_file(sync, mtime, by, err))
        return fail_send(sync, path, err);
    return leave_session(sync, by, err);
}

bool sync_settle(struct sync *sync, struct deadline by, struct err *err)
{
    if (settle_down_to(sync, 0, by, err))
        return true;
    return sync_abandon(sync, "pushing", sync->pending[sync->pending_first],
                        err);
}

bool sync_send(struct sync *sync, int fd, const char *path, uint32_t mode,
               int64_t mtime, uint64_t total, struct deadline by,
               struct err *err)
{
    return sync_send_ahead(sync, fd, path, mode, mtime, total, by, err) &&
           sync_settle(sync, by, err);
}
