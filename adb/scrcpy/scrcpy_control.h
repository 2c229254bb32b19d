/*
 * The control socket of scrcpy's server, used by any number of threads. After a
 * write that failed, every later call fails: the server would misread what
 * follows a part of a message.
 */
#ifndef ADB_SCRCPY_SCRCPY_CONTROL_H
#define ADB_SCRCPY_SCRCPY_CONTROL_H

#include <pthread.h>
#include <stdbool.h>

#include "adb/connection/stream.h"
#include "adb/scrcpy/scrcpy_wire.h"

struct scrcpy_control_channel {
    struct stream *stream; /* owned; NULL: there is no control */
    pthread_mutex_t write_lock;
    bool broken; /* under write_lock */

    pthread_mutex_t request_lock; /* one request with an answer at a time */
    uint64_t sequence;            /* under request_lock */
    struct buf replies;           /* under request_lock */
    size_t reply_size;            /* of the reply that was parsed last */
};

/* stream, which may be NULL, then belongs to the channel. */
void scrcpy_control_channel_init(struct scrcpy_control_channel *channel,
                                 struct stream *stream);
void scrcpy_control_channel_release(struct scrcpy_control_channel *channel);

/*
 * Send one message. Fails with ERR_UNSUPPORTED without a stream, ERR_LIMIT for
 * a text that is too long, and as stream_write does.
 */
MUST_USE bool scrcpy_control_channel_send(
    struct scrcpy_control_channel *channel,
    const struct scrcpy_control *control, struct deadline by, struct err *err);

/* Set the clipboard and wait for the acknowledgement. */
MUST_USE bool scrcpy_control_channel_set_clipboard(
    struct scrcpy_control_channel *channel, const char *text, bool paste,
    struct deadline by, struct err *err);

/* Append the phone's clipboard to text. */
MUST_USE bool scrcpy_control_channel_get_clipboard(
    struct scrcpy_control_channel *channel, struct deadline by,
    struct buf *text, struct err *err);

#endif
