/*
 * Restores the output of a command that runs on a pseudo-terminal of the
 * device.
 *
 * Android before 5 has no exec: service; its shell: service runs every command
 * on a terminal that turns each LF into CR LF. Turning each CR LF back into LF
 * is the exact inverse, so binary output is preserved.
 */
#ifndef ADB_SERVICES_PTY_STREAM_H
#define ADB_SERVICES_PTY_STREAM_H

#include <stddef.h>

#include "adb/connection/stream.h"

/*
 * Wrap inner, which the new stream then owns. Only for output: a terminal
 * changes what is written to it, so writing fails with ERR_UNSUPPORTED.
 */
struct stream *pty_stream_new(struct stream *inner);

/* Turn each CR LF in data into LF, in place. Returns the new length. */
size_t pty_stream_undo(char *data, size_t length);

#endif
