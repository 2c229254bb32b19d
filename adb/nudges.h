/*
 * What wakes those who wait on a transport: one event for whoever waits to
 * read, perhaps among others, and one for whoever waits to write alone. A
 * transport polls the right one beside its own descriptors.
 */
#ifndef ADB_NUDGES_H
#define ADB_NUDGES_H

#include "adb/transport.h"

struct nudges {
    int reader; /* owned; an eventfd */
    int writer; /* likewise */
};

#define NUDGES_INIT                                                            \
    {                                                                          \
        .reader = -1, .writer = -1                                             \
    }

/* On failure nudges is empty. */
MUST_USE bool nudges_init(struct nudges *nudges, struct err *err);

/* Empty is fine. */
void nudges_release(struct nudges *nudges);

/* What who wants that has to poll. */
int nudges_fd(const struct nudges *nudges, unsigned wants);

/* Nudge whom: TRANSPORT_READ, TRANSPORT_WRITE or both. From any thread. */
void nudges_give(const struct nudges *nudges, unsigned whom);

/* Who wants that was nudged, and is awake. */
void nudges_take(const struct nudges *nudges, unsigned wants);

#endif
