/*
 * The output of an agent's program as a file: bounded, with secrets masked, and
 * its last line kept.
 *
 * The first OUTPUT_LOG_MAX bytes are written; a line at the end of the file
 * says how many were left out.
 */
#ifndef RUNNER_DOORS_OUTPUT_LOG_H
#define RUNNER_DOORS_OUTPUT_LOG_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "runner/models/secret_mask.h"

#define OUTPUT_LOG_MAX ((int64_t)4 << 20)

/* A longer line is handled in parts. */
#define OUTPUT_LOG_LINE_MAX ((size_t)64 << 10)

struct output_log {
    int fd;                   /* owned */
    struct secret_mask *mask; /* borrowed */
    struct buf line;          /* what has no line end yet */
    struct buf last;          /* the last line with text, masked */
    int64_t written;
    int64_t left_out;
    struct err error; /* of the first failed write; later output is dropped */
};

/* Create the file, replacing one that exists. Fails as open(2). */
MUST_USE bool output_log_open(struct output_log *log, const char *path,
                              struct secret_mask *mask, struct err *err);

/* Add output, in pieces of any size. Blocks as long as the disk takes. */
void output_log_add(struct output_log *log, const char *data, size_t length);

/*
 * Write what is left and close the file; log->last stays until
 * output_log_release. Fails with the first error of a write.
 */
MUST_USE bool output_log_end(struct output_log *log, struct err *err);
void output_log_release(struct output_log *log);

#endif
