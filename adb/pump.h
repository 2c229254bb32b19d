/*
 * Bytes both ways between a stream of a device and a local socket.
 *
 * ADB cannot half-close. So when the local side says that it has no more to
 * send, the device cannot be told; it may go on answering until it ends the
 * stream itself or has said nothing for PUMP_LINGER_MS. When the device ends
 * the stream, everything it sent is delivered first, and the local side sees
 * a proper end instead of a reset.
 */
#ifndef ADB_PUMP_H
#define ADB_PUMP_H

#include "adb/stream.h"
#include "base/cancel.h"
#include "base/err.h"

#define PUMP_LINGER_MS 1000

/*
 * Copy until both sides have ended, or the stream is interrupted, or cancel
 * (may be NULL) fires; firing alone ends it only while the device takes what
 * is sent, so fire, then interrupt the stream. Blocks. Both ends stay the
 * caller's to close. How they ended is no error: true means that it ran.
 */
MUST_USE bool pump_run(struct stream *stream, int fd,
                       const struct cancel *cancel, struct err *err);

#endif
