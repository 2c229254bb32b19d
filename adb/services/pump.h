/*
 * Bytes both ways between a stream of a device and a local socket.
 *
 * ADB cannot half-close. So when the local side says that it has no more to
 * send, the device does not learn of it; it may go on answering until it ends
 * the stream itself or has said nothing for PUMP_LINGER_MS. When the device
 * ends the stream, everything it sent is delivered first, and the local side
 * sees a proper end instead of a reset.
 */
#ifndef ADB_SERVICES_PUMP_H
#define ADB_SERVICES_PUMP_H

#include "adb/connection/stream.h"
#include "base/cancel.h"
#include "base/err.h"

#define PUMP_LINGER_MS 1000

/*
 * A pump lingers when the local side has no more to send: it only waits for
 * further data from the device, or for the client to close its socket. An owner
 * of many pumps may end that early.
 */
struct pump_linger {
    void (*on_begin)(void *context); /* called once, when it begins */
    void *context;
    /* Fired: stop, unless the client takes data (some in PUMP_LINGER_MS). */
    const struct cancel *stop;
};

/*
 * Copy until both sides have ended, or the stream is interrupted, or cancel
 * (may be NULL) fires; firing alone ends it only while the device takes what
 * is sent, so fire, then interrupt the stream. Blocks. Both ends stay the
 * caller's to close. How they ended is no error: true means that it ran.
 * linger may be NULL.
 */
MUST_USE bool pump_run(struct stream *stream, int fd,
                       const struct cancel *cancel,
                       const struct pump_linger *linger, struct err *err);

#endif
