/* Touches and keys as events of the kernel's input devices: `sendevent`. */
#ifndef RUNNER_CLASSIFY_DOOR_SENDEVENT_H
#define RUNNER_CLASSIFY_DOOR_SENDEVENT_H

#include "runner/classify/door_contacts.h"
#include "runner/touch/touch_devices.h"
#include "runner/touch/touch_event_decoder.h"

struct door_sendevent {
    struct touch_event_decoder decoder;
    struct door_contacts contacts;
    const struct touch_device *device; /* of the last position */
};

struct door_event {
    const struct touch_device *device; /* NULL: positions are pixels */
    unsigned type;
    unsigned code;
    int64_t value;
};

/* One event. False when it is not understood. */
MUST_USE bool door_sendevent_add(struct door_sendevent *events,
                                 struct door_context *context,
                                 const struct door_event *event);

#endif
