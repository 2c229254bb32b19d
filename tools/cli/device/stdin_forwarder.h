/*
 * The user's side of a session: what is typed, and the window's size, go to
 * the phone from a separate thread while the session's owner reads.
 */
#ifndef TOOLS_CLI_DEVICE_STDIN_FORWARDER_H
#define TOOLS_CLI_DEVICE_STDIN_FORWARDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "base/deadline.h"

/* The receiver. The reading thread notices failures. */
struct stdin_forwarder_sink {
    void *context; /* borrowed */
    bool (*write)(void *context, const void *data, size_t size,
                  struct deadline by, struct err *err);
    /* The input has ended; NULL: the receiver cannot be notified. */
    void (*end)(void *context, struct deadline by);
    /* NULL: it does not care. */
    void (*resize)(void *context, unsigned rows, unsigned columns,
                   struct deadline by);
    /* Make a write that blocks return. */
    void (*interrupt)(void *context);
};

struct stdin_forwarder {
    struct stdin_forwarder_sink sink;
    int fd;        /* borrowed; standard input, or -1: there is none */
    bool terminal; /* follow its size; Enter ~ . disconnects */
    struct deadline by;

    pthread_t thread;
    struct cancel stop;
    int resized; /* owned; a signalfd for SIGWINCH, or -1 */
};

/* Begin with the fields above the thread. stdin_forwarder must stay where it
 * is. */
MUST_USE bool stdin_forwarder_start(struct stdin_forwarder *stdin_forwarder,
                                    struct err *err);

/*
 * End the thread and, with it, the session: a write that the phone does not
 * take is interrupted.
 */
void stdin_forwarder_stop(struct stdin_forwarder *stdin_forwarder);

#endif
