/*
 * Where results go: standard output, which may be a file, a terminal, or a
 * pipe whose reader is slow or leaves.
 */
#ifndef TOOLS_CLI_TERMINAL_OUTPUT_STREAM_H
#define TOOLS_CLI_TERMINAL_OUTPUT_STREAM_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/err.h"

struct output_stream {
    int fd;
    bool owned;                  /* fd is ours to close */
    size_t piece;                /* as much is written at once */
    const struct cancel *cancel; /* borrowed; may be NULL */
    bool reader_gone;            /* the reader has left: be quiet, and end */
};

/* Write to fd, which stays the caller's, until release. */
void output_stream_init(struct output_stream *output, int fd,
                        const struct cancel *cancel);
void output_stream_release(struct output_stream *output);

/*
 * Write all of it. Blocks while the reader is slow, until cancelled.
 * A reader that has left is ERR_CLOSED, and deserted is set.
 */
MUST_USE bool output_stream_write(struct output_stream *output,
                                  const void *data, size_t size,
                                  struct err *err);

/* The same for text that was built first; fails if it overflowed. */
MUST_USE bool output_stream_buf(struct output_stream *output,
                                const struct buf *text, struct err *err);

/* A JSON text on its own line. */
MUST_USE bool output_stream_json(struct output_stream *output,
                                 const struct cJSON *tree, struct err *err);

#endif
