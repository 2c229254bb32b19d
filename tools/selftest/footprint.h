/*
 * What a selftest leaves on the phone, so that all of it can be taken away
 * again, whatever happened in between.
 *
 * Each thing is written down here before the phone is asked to make it: an
 * interrupt at any moment leaves nothing that is not known.
 */
#ifndef TOOLS_SELFTEST_FOOTPRINT_H
#define TOOLS_SELFTEST_FOOTPRINT_H

#include <stdbool.h>

#include "adb/device.h"

#define FOOTPRINT_PATH_MAX 256
#define FOOTPRINT_SOCKET_MAX 64

struct footprint {
    char name[32];                      /* by which all of it is called */
    char directory[FOOTPRINT_PATH_MAX]; /* holds all files; "": none yet */
    bool directory_removed;
    char socket[FOOTPRINT_SOCKET_MAX]; /* a reverse listens there; "" */
    bool socket_removed;
};

/* With a new name that nobody has. Fails as the system says. */
MUST_USE bool footprint_init(struct footprint *footprint, struct err *err);

/*
 * Make the directory, where the phone lets us: in /data/local/tmp, else where
 * its own TMPDIR says, else in /tmp. Fails with ERR_REMOTE.
 */
MUST_USE bool footprint_make_directory(struct footprint *footprint,
                                       struct device *device,
                                       struct deadline by, struct err *err);

/* Write down that a reverse listener will be made, and how it is called. */
const char *footprint_plan_socket(struct footprint *footprint);

/*
 * Take away all that was written down, and look whether it is gone. Fails with
 * the first thing that is not; the others are taken away nevertheless.
 */
MUST_USE bool footprint_erase(struct footprint *footprint,
                              struct device *device, struct deadline by,
                              struct err *err);

#endif
