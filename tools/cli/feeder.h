/*
 * The user's side of a session: what is typed, and the window's size, go to
 * the phone from a thread of their own while the session's owner reads.
 */
#ifndef TOOLS_CLI_FEEDER_H
#define TOOLS_CLI_FEEDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cancel.h"
#include "base/deadline.h"

/* Who is fed. What fails on the way is noticed by the thread that reads. */
struct feeder_sink {
    void *context; /* borrowed */
    bool (*write)(void *context, const void *data, size_t size,
                  struct deadline by, struct err *err);
    /* The input has ended; NULL: it cannot be told. */
    void (*end)(void *context, struct deadline by);
    /* NULL: it does not care. */
    void (*resize)(void *context, unsigned rows, unsigned columns,
                   struct deadline by);
    /* Make a write that blocks return. */
    void (*interrupt)(void *context);
};

struct feeder {
    struct feeder_sink sink;
    int fd;        /* borrowed; standard input, or -1: there is none */
    bool terminal; /* follow its size; Enter ~ . hangs up */
    struct deadline by;

    pthread_t thread;
    struct cancel stop;
    int resized; /* owned; a signalfd for SIGWINCH, or -1 */
};

/* Begin with the fields above the thread. feeder must stay where it is. */
MUST_USE bool feeder_start(struct feeder *feeder, struct err *err);

/*
 * End the thread and, with it, the session: a write that the phone does not
 * take is interrupted.
 */
void feeder_stop(struct feeder *feeder);

#endif
