/*
 * A trace that is kept in memory, for the bundle: at most so much, however
 * talkative a phone is.
 */
#ifndef TOOLS_SELFTEST_TRACE_H
#define TOOLS_SELFTEST_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/log.h"

#define TRACE_LIMIT ((size_t)2 * 1024 * 1024)

/* Must stay where it is while it is used. */
struct trace {
    struct buf text;
    FILE *out; /* owned; writes to text */
    struct log log;
};

/* Every component is on. Fails as the system says. */
MUST_USE bool trace_open(struct trace *trace, struct err *err);

/* Nobody writes any more: text is whole, or overflow says that it was cut. */
void trace_finish(struct trace *trace);

/* Also one that is zero. */
void trace_release(struct trace *trace);

#endif
