/*
 * One sync stream, shared by sync_server*.c. A function that answers a request
 * returns whether the stream continues. It ends after most failures, as in
 * adbd: hosts open a new one.
 */
#ifndef TOOLS_PHONE_ADBD_SYNC_SESSION_H
#define TOOLS_PHONE_ADBD_SYNC_SESSION_H

#include "adb/sync/compression.h"
#include "adb/sync/sync_wire.h"
#include "tools/phone/adbd/sync_server.h"

/* Replies are buffered up to this size. */
#define SYNC_SESSION_OUT (2U * (SYNC_HEADER_SIZE + SYNC_DATA_MAX))

struct sync_session {
    struct sync_server *server; /* borrowed */
    struct stream *stream;      /* borrowed */
    struct buf out;
};

/* Read exactly size bytes. False if the host has disconnected. */
MUST_USE bool sync_session_take(struct sync_session *session, void *data,
                                size_t size);

/* Send the buffered replies. */
MUST_USE bool sync_session_flush(struct sync_session *session);

/* Send a failure with its reason. Always false. */
PRINTF_LIKE(2, 3)
bool sync_session_fail(struct sync_session *session, const char *fmt, ...);
bool sync_session_fail_errno(struct sync_session *session, const char *what,
                             int number);

/* How a file's bytes are encoded. */
struct sync_way {
    bool packed;
    enum compression_format format; /* if compressed */
    bool dry_run;
};

/* Memory of one transfer: a piece of a file, and the codec. */
struct sync_desk {
    uint8_t *piece;            /* owned; SYNC_DATA_MAX bytes */
    struct compression *codec; /* owned; NULL: not compressed */
    uint64_t charged;          /* counted by the server */
};

#define SYNC_DESK_INIT                                                         \
    {                                                                          \
        .piece = NULL                                                          \
    }

typedef bool sync_open_codec_fn(enum compression_format format,
                                struct compression **codec, struct err *err);

/* False when the server's memory limit is reached. */
MUST_USE bool sync_desk_open(struct sync_desk *desk,
                             struct sync_session *session,
                             const struct sync_way *way,
                             sync_open_codec_fn *open_codec);
void sync_desk_close(struct sync_desk *desk, struct sync_session *session);

/* SEND and SND2: receive a file or a link. */
MUST_USE bool sync_session_send(struct sync_session *session, const char *path,
                                uint32_t mode, const struct sync_way *way);

/* RECV and RCV2: send a file. */
MUST_USE bool sync_session_receive(struct sync_session *session,
                                   const char *path,
                                   const struct sync_way *way);

#endif
