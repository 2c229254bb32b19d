/*
 * Wakes threads that wait on a transport: one eventfd for the thread that waits
 * to read (possibly among other things), and one for the thread that waits only
 * to write. A transport polls the right one together with its own descriptors.
 */
#ifndef ADB_TRANSPORT_WAKEUP_H
#define ADB_TRANSPORT_WAKEUP_H

#include "adb/transport/transport.h"

struct wakeup {
    int reader; /* owned; an eventfd */
    int writer; /* owned; another one */
};

#define WAKEUP_INIT                                                            \
    {                                                                          \
        .reader = -1, .writer = -1                                             \
    }

/* On failure wakeup is empty. */
MUST_USE bool wakeup_init(struct wakeup *wakeup, struct err *err);

/* Empty is fine. */
void wakeup_release(struct wakeup *wakeup);

/* The descriptor to poll for a thread with these wants. */
int wakeup_fd(const struct wakeup *wakeup, unsigned wants);

/* Wake threads: TRANSPORT_READ, TRANSPORT_WRITE or both. From any thread. */
void wakeup_send(const struct wakeup *wakeup, unsigned whom);

/* Called by a woken thread: clears the event for these wants. */
void wakeup_clear(const struct wakeup *wakeup, unsigned wants);

#endif
