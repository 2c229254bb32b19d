/*
 * What a selftest creates on the phone, so that all of it can be removed
 * again, whatever happened in between.
 *
 * Each thing is recorded here before the phone is asked to create it: an
 * interrupt at any moment leaves nothing that is not known.
 */
#ifndef TOOLS_DEVICE_CHECKS_CLEANUP_LIST_H
#define TOOLS_DEVICE_CHECKS_CLEANUP_LIST_H

#include <stdbool.h>

#include "adb/device/device.h"

#define CLEANUP_LIST_PATH_MAX 256
#define CLEANUP_LIST_SOCKET_MAX 64

struct cleanup_list {
    char name[32];                         /* by which all of it is called */
    char directory[CLEANUP_LIST_PATH_MAX]; /* holds all files; "": none yet */
    bool directory_removed;
    char socket[CLEANUP_LIST_SOCKET_MAX]; /* a reverse listens there; "" */
    bool socket_removed;
};

/* With a new, random name. Fails with the error of the system. */
MUST_USE bool cleanup_list_init(struct cleanup_list *cleanup_list,
                                struct err *err);

/*
 * Make the directory, where the phone lets us: in /data/local/tmp, else where
 * its own TMPDIR says, else in /tmp. Fails with ERR_REMOTE.
 */
MUST_USE bool cleanup_list_make_directory(struct cleanup_list *cleanup_list,
                                          struct device *device,
                                          struct deadline by, struct err *err);

/* Write down that a reverse listener will be made, and how it is called. */
const char *cleanup_list_plan_socket(struct cleanup_list *cleanup_list);

/*
 * Remove everything that was recorded, and check that it is gone. Fails with
 * the first thing that is not; the others are removed nevertheless.
 */
MUST_USE bool cleanup_list_erase(struct cleanup_list *cleanup_list,
                                 struct device *device, struct deadline by,
                                 struct err *err);

#endif
