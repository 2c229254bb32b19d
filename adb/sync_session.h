/*
 * The inside of a sync session: bytes in, bytes out, requests under way.
 *
 * Requests may be sent ahead of their replies, which come in the same order.
 * What is to be sent gathers in out, and goes when that is full or when
 * somebody waits for a reply; so many small files travel in one packet, and
 * large ones in packets of the largest size.
 *
 * A failure anywhere closes the stream, because what the device says next
 * could not be told apart; the next request opens a new one.
 */
#ifndef ADB_SYNC_SESSION_H
#define ADB_SYNC_SESSION_H

#include "adb/codec.h"
#include "adb/packet.h"
#include "adb/sync.h"
#include "adb/sync_wire.h"

/* What is written at once. */
#define SYNC_BLOCK ((size_t)PACKET_MAX_PAYLOAD)

/* Half a reply never keeps a whole packet from being read behind it. */
#define SYNC_IN_SIZE ((size_t)PACKET_WANTED_PAYLOAD + 4096)

/* What is compressed or decompressed at once. */
#define SYNC_PLAIN_SIZE ((size_t)256 * 1024)

/*
 * Files sent whose verdict is still out. Each verdict is eight bytes, so all
 * of them fit into any socket's buffer and the device never blocks on them.
 */
#define SYNC_PENDING_MAX 256

/* Files asked for ahead. All these requests fit into any socket's buffer. */
#define SYNC_AHEAD_MAX 32

struct sync {
    struct device *device; /* borrowed; NULL: the stream is all there is */
    const struct log *log; /* borrowed; may be NULL */
    feature_set features;
    struct sync_options options;
    enum sync_flag flag;   /* how files' bytes are compressed */
    struct stream *stream; /* owned; NULL: to be opened */

    struct buf out; /* to be sent; at most SYNC_BLOCK */
    size_t piece;   /* how much of it is written at once */
    uint8_t *in;    /* owned; SYNC_IN_SIZE bytes */
    size_t in_start;
    size_t in_end;
    uint8_t *plain; /* owned; SYNC_PLAIN_SIZE bytes; NULL: no compression */

    char *pending[SYNC_PENDING_MAX]; /* owned paths; a ring */
    size_t pending_first;
    size_t pending_count;
    bool sending; /* the last of them is not complete */
};

/* A session on a stream that is open already and that it then owns. */
MUST_USE bool sync_over_stream(struct stream *stream, feature_set features,
                               const struct sync_options *options,
                               struct sync **sync, struct err *err);

bool sync_has(const struct sync *sync, enum feature feature);

/* The format that flag says, where it says one. */
enum codec_format sync_codec_format(const struct sync *sync);

/* Have a stream: open one if the last was given up. */
MUST_USE bool sync_begin(struct sync *sync, struct deadline by,
                         struct err *err);

/* Forget the stream and all that was under way on it. */
void sync_drop(struct sync *sync);

/* Say in err what was being done. Always false. */
bool sync_wrap(const char *doing, const char *path, struct err *err);

/* The same, and drop. Always false. */
bool sync_abandon(struct sync *sync, const char *doing, const char *path,
                  struct err *err);

/* Write what has gathered. */
MUST_USE bool sync_flush(struct sync *sync, struct deadline by,
                         struct err *err);

/* Read more, for which there must be room; an end is ERR_CLOSED. */
MUST_USE bool sync_fill(struct sync *sync, struct deadline by, struct err *err);

/* The same without waiting; *any says whether something came. */
MUST_USE bool sync_fill_now(struct sync *sync, bool *any, struct err *err);

/* How many bytes have been read but not consumed, and where they are. */
size_t sync_available(const struct sync *sync);
const uint8_t *sync_bytes(const struct sync *sync);
void sync_consume(struct sync *sync, size_t size);

/* Flush, then read until size bytes (at most SYNC_IN_SIZE) are available. */
MUST_USE bool sync_need(struct sync *sync, size_t size, struct deadline by,
                        struct err *err);

/*
 * Look at the next reply's first eight bytes, without consuming them.
 * Fails with ERR_REMOTE and the device's words when it is FAIL.
 */
MUST_USE bool sync_reply(struct sync *sync, unsigned expected,
                         struct deadline by, struct sync_header *header,
                         struct err *err);

/* Tell the progress; ERR_CANCELLED when the listener says stop. */
MUST_USE bool sync_tell(const struct sync *sync, const char *path,
                        uint64_t moved, uint64_t total, struct err *err);

/*
 * As sync_send, without waiting for the device's verdict. A failure may be
 * that of a file sent before; err names it.
 */
MUST_USE bool sync_send_ahead(struct sync *sync, int fd, const char *path,
                              uint32_t mode, int64_t mtime, uint64_t total,
                              struct deadline by, struct err *err);

/* Make path a symbolic link to target, in the same way. */
MUST_USE bool sync_send_link(struct sync *sync, const char *target,
                             const char *path, int64_t mtime,
                             struct deadline by, struct err *err);

/* Wait for the verdict on every file sent ahead. */
MUST_USE bool sync_settle(struct sync *sync, struct deadline by,
                          struct err *err);

/* Ask for a file now that sync_receive_next takes later, in the same order. */
MUST_USE bool sync_request_ahead(struct sync *sync, const char *path,
                                 struct deadline by, struct err *err);
MUST_USE bool sync_receive_next(struct sync *sync, const char *path, int fd,
                                uint64_t total, struct deadline by,
                                uint64_t *received, struct err *err);

#endif
