/*
 * One host's sync stream, as the sync_server*.c share it.
 *
 * A function that answers a request returns whether the stream goes on. It
 * ends after most failures, as adbd's does: hosts open a new one.
 */
#ifndef PHONE_SYNC_SESSION_H
#define PHONE_SYNC_SESSION_H

#include "adb/codec.h"
#include "adb/sync_wire.h"
#include "tools/phone/sync_server.h"

/* Replies are gathered up to this size. */
#define SYNC_SESSION_OUT (2U * (SYNC_HEADER_SIZE + SYNC_DATA_MAX))

struct sync_session {
    struct sync_server *server; /* borrowed */
    struct stream *stream;      /* borrowed */
    struct buf out;
};

/* Read exactly size bytes. False: the host is gone. */
MUST_USE bool sync_session_take(struct sync_session *session, void *data,
                                size_t size);

/* Send what was gathered. */
MUST_USE bool sync_session_flush(struct sync_session *session);

/* Say that the request failed, and why. Always false. */
PRINTF_LIKE(2, 3)
bool sync_session_fail(struct sync_session *session, const char *fmt, ...);
bool sync_session_fail_errno(struct sync_session *session, const char *what,
                             int number);

/* How a file's bytes travel. */
struct sync_way {
    bool packed;
    enum codec_format format; /* if packed */
    bool dry_run;
};

/* Memory for one transfer: a piece of a file, and what packs or unpacks. */
struct sync_desk {
    uint8_t *piece;      /* owned; SYNC_DATA_MAX bytes */
    struct codec *codec; /* owned; NULL: bytes travel as they are */
    uint64_t charged;    /* to the server */
};

#define SYNC_DESK_INIT                                                         \
    {                                                                          \
        .piece = NULL                                                          \
    }

typedef bool sync_open_codec_fn(enum codec_format format, struct codec **codec,
                                struct err *err);

/* False when the server has no memory left for it. */
MUST_USE bool sync_desk_open(struct sync_desk *desk,
                             struct sync_session *session,
                             const struct sync_way *way,
                             sync_open_codec_fn *open_codec);
void sync_desk_close(struct sync_desk *desk, struct sync_session *session);

/* SEND and SND2: take a file or a link. */
MUST_USE bool sync_session_send(struct sync_session *session, const char *path,
                                uint32_t mode, const struct sync_way *way);

/* RECV and RCV2: give a file. */
MUST_USE bool sync_session_receive(struct sync_session *session,
                                   const char *path,
                                   const struct sync_way *way);

#endif
