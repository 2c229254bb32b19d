/*
 * Messages on the socket of a run: a header of 5 bytes and the content.
 *
 *     u32 length of the content, big-endian
 *     u8  kind: 1 text (JSON), 2 binary (a frame of a screen)
 *
 * Pure.
 */
#ifndef TOOLS_RUN_SOCKET_RUN_FRAME_H
#define TOOLS_RUN_SOCKET_RUN_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum run_frame_kind {
    RUN_FRAME_TEXT = 1,
    RUN_FRAME_BINARY = 2,
};

#define RUN_FRAME_HEADER 5

struct run_frame {
    enum run_frame_kind kind;
    const char *data; /* borrowed from what was read */
    size_t length;
};

/*
 * The message at the start of what was received. *used is the number of bytes
 * that it takes; 0: it is not complete yet. Fails with ERR_LIMIT for a content
 * of more than max bytes, and with ERR_PROTOCOL for an unknown kind; both as
 * soon as the header has come.
 */
MUST_USE bool run_frame_read(const char *data, size_t length, size_t max,
                             struct run_frame *frame, size_t *used,
                             struct err *err);

/* Append a message. */
void run_frame_write(const struct run_frame *frame, struct buf *bytes);

#endif
