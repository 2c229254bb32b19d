/*
 * Tells the truth (truth.h) to those who may hear it: over a Unix socket that
 * only its owner can open, or a connected one that the phone was started with.
 *
 * A line asks:
 *
 *     events 3        the events from number 3 on, one JSON object a line,
 *                     and an empty line
 *     state           the state of the apps that are open, a JSON object in
 *                     one line
 *
 * Whoever asks for anything else is hung up on.
 */
#ifndef PHONE_TRUTH_SERVER_H
#define PHONE_TRUTH_SERVER_H

#include <stdbool.h>

#include "base/err.h"
#include "tools/phone/truth.h"

struct truth_server;

/*
 * Answer at where: "fd:7", a connected socket that is closed in the end, or
 * the path of a new socket, which is removed in the end. truth is borrowed.
 *
 * Fails with ERR_INVALID when where is neither, or as the system says; what is
 * already at the path stays.
 */
MUST_USE bool truth_server_start(struct truth *truth, const char *where,
                                 struct truth_server **server, struct err *err);

/* Hang up on all who ask, and block until they are gone. NULL is fine. */
void truth_server_stop(struct truth_server *server);

#endif
