/*
 * Serves the truth (truth_log.h) over a Unix socket that only its owner can
 * open, or over a connected socket that the phone was started with.
 *
 * A client sends lines:
 *
 *     events 3        the events from number 3 on, one JSON object per line,
 *                     then an empty line
 *     state           the state of the open apps, a JSON object in one line
 *
 * A client that sends anything else is disconnected.
 */
#ifndef TOOLS_PHONE_TRUTHS_TRUTH_SERVER_H
#define TOOLS_PHONE_TRUTHS_TRUTH_SERVER_H

#include <stdbool.h>

#include "base/err.h"
#include "tools/phone/system/truth_log.h"

struct truth_server;

/*
 * Listen at where: "fd:7", a connected socket that is closed at the end, or the
 * path of a new socket, which is removed at the end. truth is borrowed. Fails
 * with ERR_INVALID if where is neither, or with the system's error; an existing
 * file at the path is not touched.
 */
MUST_USE bool truth_server_start(struct truth_log *truth, const char *where,
                                 struct truth_server **server, struct err *err);

/* Disconnect all clients, and block until they are gone. NULL is fine. */
void truth_server_stop(struct truth_server *server);

#endif
