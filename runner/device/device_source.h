/*
 * A source of phones for the runner: real ones over ADB, or built-in ones.
 * One worker at a time leases a phone.
 *
 * list, then acquire; renew after a lost connection; refresh for a clean start;
 * release at the end.
 */
#ifndef RUNNER_DEVICE_DEVICE_SOURCE_H
#define RUNNER_DEVICE_DEVICE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "runner/device/truth_source.h"

struct device_source;

#define DEVICE_SERIAL_MAX 128

/* A phone while a worker uses it. */
struct device_lease {
    /* the name in messages, records and locks */
    char serial[DEVICE_SERIAL_MAX];
    struct device *device; /* owned by the source; renew replaces it */
    bool user_owned; /* the user's own phone: guarded, and never reset without a
                        request */
    bool fresh_starts; /* refresh works without the name of a snapshot */
    /* borrowed; NULL: the phone cannot report the truth */
    struct truth_source *truth_source;
};

struct device_source_ops {
    /* List the serials of all phones; the caller frees each and the array. */
    bool (*list)(struct device_source *source, struct deadline by,
                 char ***serials, size_t *count, struct err *err);
    bool (*acquire)(struct device_source *source, const char *serial,
                    struct deadline by, struct device_lease **lease,
                    struct err *err);
    /* Open a new connection to the same phone, after the old one was lost. */
    bool (*renew)(struct device_source *source, struct device_lease *lease,
                  struct deadline by, struct err *err);
    /*
     * Reset the phone to the snapshot of that name; NULL: to a new phone with
     * this language ("en", "zh"; NULL: any). Fails with ERR_UNSUPPORTED where
     * that is impossible.
     */
    bool (*refresh)(struct device_source *source, struct device_lease *lease,
                    const char *snapshot, const char *locale,
                    struct deadline by, struct err *err);
    void (*release)(struct device_source *source, struct device_lease *lease);
    void (*close)(struct device_source *source);
};

/*
 * The first member of every implementation. Calls may come from any thread, but
 * for one lease never two at once.
 */
struct device_source {
    const struct device_source_ops *ops;
};

/* Phones over ADB: on USB, on the network, or behind an adb server. */
struct discover;
struct device_source *device_source_adb(const struct discover *discover,
                                        const char *const *serials,
                                        size_t count);

/*
 * Give a source of phones over ADB an open connection to one of its phones; the
 * source owns it then. The next acquire of that phone uses it instead of a new
 * one: a phone that serves one connection at a time may not answer another.
 * The source can hold one connection.
 */
void device_source_adb_offer(struct device_source *source,
                             struct device *device);

#endif
