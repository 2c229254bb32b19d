/*
 * Where the runner gets its phones from: those on the desk, or those made of
 * software. A phone is leased by one worker at a time.
 *
 *     list ──▶ acquire ──▶ (renew after a loss · refresh for a clean start) ──▶
 *     release
 */
#ifndef RUNNER_SOURCE_H
#define RUNNER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"
#include "runner/oracle.h"

struct source;

#define LEASE_SERIAL_MAX 128

/* One phone, while it is ours. */
struct lease {
    char serial[LEASE_SERIAL_MAX]; /* for people, records and locks */
    struct device *device;         /* owned by the source; renew changes it */
    bool somebodys;                /* a person's: handle with care */
    struct oracle *oracle;         /* borrowed; NULL: nobody knows the truth */
};

struct source_ops {
    /* How many phones there are, and their serials; the caller frees each. */
    bool (*list)(struct source *source, struct deadline by, char ***serials,
                 size_t *count, struct err *err);
    bool (*acquire)(struct source *source, const char *serial,
                    struct deadline by, struct lease **lease, struct err *err);
    /* The connection was lost: have another to the same phone. */
    bool (*renew)(struct source *source, struct lease *lease,
                  struct deadline by, struct err *err);
    /*
     * Have the phone as it was in its snapshot of that name; NULL: as new, in
     * this language ("en", "zh"; NULL: whatever). ERR_UNSUPPORTED where that
     * cannot be.
     */
    bool (*refresh)(struct source *source, struct lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err);
    void (*release)(struct source *source, struct lease *lease);
    void (*close)(struct source *source);
};

/* An implementation has this as its first member. Every call may come from
 * any thread; two of one lease never come at once. */
struct source {
    const struct source_ops *ops;
};

/* Phones that ADB reaches: on USB, the network, or through an adb server. */
struct discover;
struct source *source_adb(const struct discover *discover,
                          const char *const *serials, size_t count);

#endif
