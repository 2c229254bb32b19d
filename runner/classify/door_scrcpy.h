/* scrcpy's control messages, as they come from the client. */
#ifndef RUNNER_CLASSIFY_DOOR_SCRCPY_H
#define RUNNER_CLASSIFY_DOOR_SCRCPY_H

#include "base/buf.h"
#include "runner/classify/door_contacts.h"

struct door_scrcpy {
    struct buf message; /* one that is not complete */
    struct door_contacts contacts;
    uint64_t pointers[TOUCH_SLOTS]; /* the id of each finger */
};

void door_scrcpy_init(struct door_scrcpy *scrcpy);
void door_scrcpy_release(struct door_scrcpy *scrcpy);

/* False: a message is not known, and nothing behind it can be read. */
MUST_USE bool door_scrcpy_input(struct door_scrcpy *scrcpy, const char *data,
                                size_t length, struct door_context *context);

#endif
