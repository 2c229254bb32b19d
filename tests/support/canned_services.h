/*
 * Two services for a loop_device, as small as they can be:
 *
 *   shell,v2,raw:CANNED_COMMAND   prints CANNED_OUT and CANNED_ERRORS and
 *                                 ends with CANNED_STATUS
 *   sync:                         version 1, with one file, CANNED_PATH
 */
#ifndef TESTS_SUPPORT_CANNED_SERVICES_H
#define TESTS_SUPPORT_CANNED_SERVICES_H

#include "base/buf.h"
#include "tests/support/loop_device.h"

#define CANNED_COMMAND "run"
#define CANNED_OUT "printed\n"
#define CANNED_ERRORS "complained\n"
#define CANNED_STATUS 7
#define CANNED_PATH "/f"

/* The file; only its device touches it until that has stopped. */
struct canned_file {
    struct buf content;
    bool received; /* whole, by a push */
};

#define CANNED_SERVICES 2
void canned_services(struct canned_file *file,
                     struct loop_answer services[CANNED_SERVICES]);

#endif
