/*
 * Fingers on the screen as a touch screen reports them: any number, each in a
 * slot. One finger taps, presses, swipes or drags; two pinch.
 */
#ifndef RUNNER_CLASSIFY_DOOR_CONTACTS_H
#define RUNNER_CLASSIFY_DOOR_CONTACTS_H

#include "runner/classify/door_event_decoder.h"
#include "runner/classify/door_gesture.h"

struct door_context;

struct door_contact {
    bool active;
    struct action_point at; /* in pixels of the screen */
};

struct door_contacts {
    struct door_contact slots[DOOR_SLOTS];
    struct door_gesture first;
    struct door_gesture second; /* of a pinch */
    bool pinches;
};

/* All changes since the last report happen now: record what they are. */
void door_contacts_report(struct door_contacts *contacts,
                          struct door_context *context);

/* Two fingers that moved; the caller releases it. */
struct action door_contacts_pinch(const struct door_gesture *a,
                                  const struct door_gesture *b, int64_t now);

#endif
