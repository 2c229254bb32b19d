/*
 * Fingers on the screen as a touch screen reports them: any number, each in a
 * slot. One finger taps, presses, swipes or drags; two pinch.
 */
#ifndef RUNNER_CLASSIFY_DOOR_CONTACTS_H
#define RUNNER_CLASSIFY_DOOR_CONTACTS_H

#include "runner/touch/finger_gesture.h"
#include "runner/touch/touch_event_decoder.h"

struct door_context;

struct door_contact {
    bool active;
    struct action_point at; /* in pixels of the screen */
};

struct door_contacts {
    struct door_contact slots[TOUCH_SLOTS];
    struct finger_gesture first;
    struct finger_gesture second; /* of a pinch */
    bool pinches;
};

/* All changes since the last report happen now: record what they are. */
void door_contacts_report(struct door_contacts *contacts,
                          struct door_context *context);

#endif
