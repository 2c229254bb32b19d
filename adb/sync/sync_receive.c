/* Files from the device. */
#include <errno.h>
#include <inttypes.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adb/sync/compression.h"
#include "adb/sync/sync_session.h"
#include "base/file.h"

/* More than a block contains DATA of full size. */
#define PARTS_MAX 32

/* A file being received. */
struct sync_download {
    int fd;                    /* borrowed */
    struct compression *codec; /* owned; NULL: not compressed */
    uint8_t *plain;            /* borrowed; SYNC_PLAIN_SIZE bytes, with codec */
    bool unpacked;             /* codec has reached its end */
    uint64_t written;
    uint32_t left; /* of the current DATA */
    bool done;
};

bool sync_request_ahead(struct sync *sync, const char *path, struct deadline by,
                        struct err *err)
{
    bool asked = sync_begin(sync, by, err);

    if (asked && sync->out.limit - sync->out.length < SYNC_REQUEST_MAX)
        asked = sync_flush(sync, by, err);
    if (asked && sync_has(sync, FEATURE_SENDRECV_V2))
        asked = sync_wire_receive2(&sync->out, path, sync->flag, err);
    else if (asked)
        asked = sync_wire_request(&sync->out, SYNC_ID_RECV, path, err);
    return asked || sync_abandon(sync, "pulling", path, err);
}

/* Find the file's bytes in the buffered input. */
static bool gather(struct sync *sync, struct sync_download *download,
                   struct iovec parts[PARTS_MAX], int *count, struct err *err)
{
    const unsigned expected = SYNC_ID_BIT(SYNC_ID_DATA) |
                              SYNC_ID_BIT(SYNC_ID_DONE) |
                              SYNC_ID_BIT(SYNC_ID_FAIL);
    struct sync_header header;

    *count = 0;
    while (*count < PARTS_MAX && !download->done) {
        size_t size = sync_available(sync);

        if (download->left && size) {
            if (size > download->left)
                size = download->left;
            parts[(*count)++] =
                (struct iovec){(void *)(uintptr_t)sync_bytes(sync), size};
            sync_consume(sync, size);
            download->left -= (uint32_t)size;
            continue;
        }
        if (download->left || size < SYNC_HEADER_SIZE)
            return true;
        if (!sync_wire_read(sync_bytes(sync), expected, &header, err))
            return false;
        if (header.id == SYNC_ID_FAIL)
            return true; /* sync_reply reads the message */
        sync_consume(sync, SYNC_HEADER_SIZE);
        download->done = header.id == SYNC_ID_DONE;
        download->left = download->done ? 0 : header.value;
    }
    return true;
}

static bool write_parts(struct sync_download *download, struct iovec *parts,
                        int count, struct err *err)
{
    while (count) {
        ssize_t n = writev(download->fd, parts, count);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(err, errno, "writing the local file");
        download->written += (uint64_t)n;
        for (; count && (size_t)n >= parts->iov_len; parts++, count--)
            n -= (ssize_t)parts->iov_len;
        if (count) {
            parts->iov_base = (char *)parts->iov_base + n;
            parts->iov_len -= (size_t)n;
        }
    }
    return true;
}

/* Decompress one part and write it, in pieces of limited size. */
static bool unpack(struct sync_download *download, const struct iovec *part,
                   struct err *err)
{
    struct compression_step step = {.in = part->iov_base,
                                    .in_left = part->iov_len};

    do {
        size_t size;

        if (download->unpacked)
            return err_set(err, ERR_PROTOCOL,
                           "the device sent more than the compressed file");
        step.out = download->plain;
        step.out_left = SYNC_PLAIN_SIZE;
        if (!compression_run(download->codec, &step, false, &download->unpacked,
                             err))
            return false;
        size = SYNC_PLAIN_SIZE - step.out_left;
        if (!file_write(download->fd, download->plain, size, err))
            return err_wrap(err, "the local file");
        download->written += size;
    } while (step.in_left || (!step.out_left && !download->unpacked));
    return true;
}

static bool store(struct sync_download *download, struct iovec *parts,
                  int count, struct err *err)
{
    if (!download->codec)
        return write_parts(download, parts, count, err);
    for (int i = 0; i < count; i++) {
        if (!unpack(download, &parts[i], err))
            return false;
    }
    if (download->done && !download->unpacked)
        return err_set(err, ERR_PROTOCOL, "the compressed file is truncated");
    return true;
}

static bool receive(struct sync *sync, struct sync_download *download,
                    const char *path, uint64_t total, struct deadline by,
                    struct err *err)
{
    const unsigned expected =
        SYNC_ID_BIT(SYNC_ID_DATA) | SYNC_ID_BIT(SYNC_ID_DONE);
    struct sync_header header;

    while (!download->done) {
        struct iovec parts[PARTS_MAX];
        int count;

        if (download->left ? !sync_need(sync, 1, by, err)
                           : !sync_reply(sync, expected, by, &header, err))
            return false;
        if (!gather(sync, download, parts, &count, err) ||
            !store(download, parts, count, err) ||
            !sync_tell(sync, path, download->written, total, err))
            return false;
    }
    return true;
}

bool sync_receive_next(struct sync *sync, const char *path, int fd,
                       uint64_t total, struct deadline by, uint64_t *received,
                       struct err *err)
{
    struct sync_download download = {.fd = fd, .plain = sync->plain};
    bool done = true;

    if (sync->flag)
        done = compression_open_decoder(sync_codec_format(sync),
                                        &download.codec, err);
    done = done && receive(sync, &download, path, total, by, err);
    compression_close(download.codec);
    if (!done)
        return sync_abandon(sync, "pulling", path, err);
    log_trace(sync->log, LOG_SYNC, "received %s: %" PRIu64 " bytes", path,
              download.written);
    *received = download.written;
    return true;
}

bool sync_receive(struct sync *sync, const char *path, int fd, uint64_t total,
                  struct deadline by, struct err *err)
{
    uint64_t received;

    return sync_request_ahead(sync, path, by, err) &&
           sync_receive_next(sync, path, fd, total, by, &received, err);
}
