/*
 * The implementation of a sync session: input, output, outstanding requests.
 *
 * Requests may be sent before earlier ones are answered; the replies come in
 * the same order. Output is collected in out, and sent when that is full or
 * when a reply is awaited. So many small files share a packet, and large files
 * use packets of the largest size.
 *
 * After any failure the stream is closed, because later replies could not be
 * assigned to requests; the next request opens a new stream.
 */
#ifndef ADB_SYNC_SYNC_SESSION_H
#define ADB_SYNC_SYNC_SESSION_H

#include "adb/sync/compression.h"
#include "adb/sync/sync.h"
#include "adb/sync/sync_wire.h"
#include "adb/wire/packet.h"

/* The size of one write. */
#define SYNC_BLOCK ((size_t)PACKET_MAX_PAYLOAD)

/* Large enough that a partial reply leaves room for a whole packet after it. */
#define SYNC_IN_SIZE ((size_t)PACKET_WANTED_PAYLOAD + 4096)

/* The size of one compression or decompression step. */
#define SYNC_PLAIN_SIZE ((size_t)256 * 1024)

/*
 * Files whose confirmation is outstanding. A confirmation has eight bytes, so
 * all of them fit into any socket buffer and the device never blocks on them.
 */
#define SYNC_PENDING_MAX 256

/* Files requested in advance. All these requests fit into any socket buffer. */
#define SYNC_AHEAD_MAX 32

struct sync {
    struct device *device; /* borrowed; NULL: only the given stream is used */
    const struct log *log; /* borrowed; may be NULL */
    feature_set features;
    struct sync_options options;
    enum sync_flag flag;   /* compression of file contents */
    struct stream *stream; /* owned; NULL: to be opened */

    struct buf out; /* to be sent; at most SYNC_BLOCK */
    size_t piece;   /* the size of one write */
    uint8_t *in;    /* owned; SYNC_IN_SIZE bytes */
    size_t in_start;
    size_t in_end;
    uint8_t *plain; /* owned; SYNC_PLAIN_SIZE bytes; NULL: no compression */

    char *pending[SYNC_PENDING_MAX]; /* owned paths; a ring buffer */
    size_t pending_first;
    size_t pending_count;
    bool sending; /* the last of them is not completely sent */
};

/* A session over an open stream, which it then owns. */
MUST_USE bool sync_over_stream(struct stream *stream, feature_set features,
                               const struct sync_options *options,
                               struct sync **sync, struct err *err);

bool sync_has(const struct sync *sync, enum feature feature);

/* The format for flag, which must not be NONE. */
enum compression_format sync_codec_format(const struct sync *sync);

/* Open a stream if there is none. */
MUST_USE bool sync_begin(struct sync *sync, struct deadline by,
                         struct err *err);

/* Close the stream and forget all outstanding requests. */
void sync_drop(struct sync *sync);

/* Add the operation and path to err. Always false. */
bool sync_wrap(const char *doing, const char *path, struct err *err);

/* The same, and close the stream. Always false. */
bool sync_abandon(struct sync *sync, const char *doing, const char *path,
                  struct err *err);

/* Send the collected output. */
MUST_USE bool sync_flush(struct sync *sync, struct deadline by,
                         struct err *err);

/* Read more, for which there must be room; the end is ERR_CLOSED. */
MUST_USE bool sync_fill(struct sync *sync, struct deadline by, struct err *err);

/* The same without waiting; *any: something was read. */
MUST_USE bool sync_fill_now(struct sync *sync, bool *any, struct err *err);

/* The number of bytes that were read and not consumed, and their address. */
size_t sync_available(const struct sync *sync);
const uint8_t *sync_bytes(const struct sync *sync);
void sync_consume(struct sync *sync, size_t size);

/* Flush, then read until size bytes (at most SYNC_IN_SIZE) are available. */
MUST_USE bool sync_need(struct sync *sync, size_t size, struct deadline by,
                        struct err *err);

/*
 * Look at the first eight bytes of the next reply, without consuming them.
 * Fails with ERR_REMOTE and the device's message if it is FAIL.
 */
MUST_USE bool sync_reply(struct sync *sync, unsigned expected,
                         struct deadline by, struct sync_header *header,
                         struct err *err);

/* Report progress; ERR_CANCELLED when the callback returns false. */
MUST_USE bool sync_tell(const struct sync *sync, const char *path,
                        uint64_t moved, uint64_t total, struct err *err);

/*
 * As sync_send, without waiting for the device's confirmation. The failure may
 * belong to a file sent earlier; err names the file.
 */
MUST_USE bool sync_send_ahead(struct sync *sync, int fd, const char *path,
                              uint32_t mode, int64_t mtime, uint64_t total,
                              struct deadline by, struct err *err);

/* Create the symbolic link path with this target, in the same way. */
MUST_USE bool sync_send_link(struct sync *sync, const char *target,
                             const char *path, int64_t mtime,
                             struct deadline by, struct err *err);

/* Wait for the confirmation of all files. */
MUST_USE bool sync_settle(struct sync *sync, struct deadline by,
                          struct err *err);

/* Request a file that sync_receive_next reads later, in the same order. */
MUST_USE bool sync_request_ahead(struct sync *sync, const char *path,
                                 struct deadline by, struct err *err);
MUST_USE bool sync_receive_next(struct sync *sync, const char *path, int fd,
                                uint64_t total, struct deadline by,
                                uint64_t *received, struct err *err);

#endif
