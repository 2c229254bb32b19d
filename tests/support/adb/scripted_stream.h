/* A scripted stream, for parsers of untrusted bytes. */
#ifndef TESTS_SUPPORT_ADB_SCRIPTED_STREAM_H
#define TESTS_SUPPORT_ADB_SCRIPTED_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/connection/stream.h"

/* On the caller's stack; stream_close() does nothing. */
struct scripted_stream {
    struct stream stream;
    const char *data; /* borrowed */
    size_t length;
    size_t piece; /* limit of one read */
    size_t stall; /* the first read at this byte, from 1, times out */
    size_t next;  /* the next byte to read */
};

void scripted_stream_init(struct scripted_stream *script, const char *data,
                          size_t length, size_t piece);

#endif
