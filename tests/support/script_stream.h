/* A stream that says what it was told to, for parsers of foreign bytes. */
#ifndef TESTS_SUPPORT_SCRIPT_STREAM_H
#define TESTS_SUPPORT_SCRIPT_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/stream.h"

/* Lives in the caller's frame; stream_close() does nothing. */
struct script_stream {
    struct stream stream;
    const char *data; /* borrowed */
    size_t length;
    size_t piece; /* a read gives at most this many bytes */
    size_t stall; /* the first read at this byte, counted from 1, times out */
    size_t next;  /* the next byte to give */
};

void script_stream_init(struct script_stream *script, const char *data,
                        size_t length, size_t piece);

#endif
