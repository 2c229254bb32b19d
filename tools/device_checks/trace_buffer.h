/*
 * A trace that is kept in memory, for the bundle: at most so much, however
 * talkative a phone is.
 */
#ifndef TOOLS_DEVICE_CHECKS_TRACE_BUFFER_H
#define TOOLS_DEVICE_CHECKS_TRACE_BUFFER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/log.h"

#define TRACE_BUFFER_LIMIT ((size_t)2 * 1024 * 1024)

/* Must stay where it is while it is used. */
struct trace_buffer {
    struct buf text;
    FILE *out; /* owned; writes to text */
    struct log log;
};

/* Every component is on. Fails with the error of the system. */
MUST_USE bool trace_buffer_open(struct trace_buffer *trace, struct err *err);

/* Stop writing: text is then complete, or overflow is set. */
void trace_buffer_finish(struct trace_buffer *trace);

/* Also one that is zero. */
void trace_buffer_release(struct trace_buffer *trace);

#endif
