/*
 * Two minimal services for a loopback_device:
 *
 *   shell,v2,raw:CANNED_COMMAND   prints CANNED_OUT and CANNED_ERRORS and
 *                                 ends with CANNED_STATUS
 *   sync:                         version 1, with one file, CANNED_PATH
 */
#ifndef TESTS_SUPPORT_ADB_CANNED_SERVICES_H
#define TESTS_SUPPORT_ADB_CANNED_SERVICES_H

#include "base/buf.h"
#include "tests/support/adb/loopback_device.h"

#define CANNED_COMMAND "run"
#define CANNED_OUT "printed\n"
#define CANNED_ERRORS "complained\n"
#define CANNED_STATUS 7
#define CANNED_PATH "/f"

/* The file; only used by its device until that has stopped. */
struct canned_file {
    struct buf content;
    bool received; /* completely written by a push */
};

#define CANNED_SERVICES 2
void canned_services(struct canned_file *file,
                     struct loopback_answer services[CANNED_SERVICES]);

#endif
