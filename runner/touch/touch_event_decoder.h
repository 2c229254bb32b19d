/*
 * The events of one touch screen as fingers in slots. Pure.
 *
 * Drivers report fingers in several ways, and all of them occur:
 *
 *     protocol B    slots; a tracking id puts a finger down, -1 lifts it
 *     protocol A    all fingers in each report, each ended by SYN_MT_REPORT;
 *                   without identity, or with tracking ids
 *     one finger    ABS_X, ABS_Y and BTN_TOUCH
 *     no ids        positions; BTN_TOUCH 0, or pressure or size 0, lifts
 *
 * A driver that reports only zeros as pressure reports none. The kernel leaves
 * out values that did not change, so that a finger may come down where the last
 * one was without a position.
 */
#ifndef RUNNER_TOUCH_TOUCH_EVENT_DECODER_H
#define RUNNER_TOUCH_TOUCH_EVENT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tasks/task/action.h"

#define TOUCH_SLOTS 10

/* Of the kernel's input-event-codes.h, as far as they are used. */
enum evdev_code {
    EVDEV_EV_SYN = 0,
    EVDEV_EV_KEY = 1,
    EVDEV_EV_ABS = 3,
    EVDEV_SYN_REPORT = 0,
    EVDEV_SYN_MT_REPORT = 2,
    EVDEV_SYN_DROPPED = 3,
    EVDEV_BTN_TOOL_FINGER = 0x145,
    EVDEV_BTN_TOUCH = 0x14a,
    EVDEV_ABS_X = 0x00,
    EVDEV_ABS_Y = 0x01,
    EVDEV_ABS_PRESSURE = 0x18,
    EVDEV_ABS_MT_SLOT = 0x2f,
    EVDEV_ABS_MT_TOUCH_MAJOR = 0x30,
    EVDEV_ABS_MT_POSITION_X = 0x35,
    EVDEV_ABS_MT_POSITION_Y = 0x36,
    EVDEV_ABS_MT_TRACKING_ID = 0x39,
    EVDEV_ABS_MT_PRESSURE = 0x3a,
};

struct finger_slot {
    bool active;             /* a finger is down */
    struct action_point raw; /* as the device counts */
    int64_t id;              /* its tracking id + 1; 0: none */
    bool has_position;
    bool no_pressure; /* it fell to 0 */
    bool no_size;
};

struct touch_event_decoder {
    struct finger_slot slots[TOUCH_SLOTS]; /* as of the last report */
    unsigned slot; /* the current one; may be too large */

    struct finger_slot
        contacts[TOUCH_SLOTS]; /* of protocol A, in this report */
    size_t contact_count;
    struct finger_slot contact; /* the current one */

    struct action_point single; /* by ABS_X and ABS_Y */
    bool single_moved;
    bool many;      /* ABS_MT_POSITION came: ABS_X repeats it */
    bool reports;   /* SYN_MT_REPORT came: protocol A */
    bool tracks;    /* ABS_MT_TRACKING_ID came */
    bool presses;   /* a pressure above 0 came */
    bool sizes;     /* a size above 0 came */
    bool touching;  /* BTN_TOUCH */
    bool touched;   /* since the last report */
    bool is_broken; /* events were lost: skip to the end of this report */
};

enum touch_decoded {
    TOUCH_EVENT_UNKNOWN, /* no event of a touch screen */
    TOUCH_EVENT_TAKEN,
    TOUCH_EVENT_REPORT, /* a report is complete: see slots */
    TOUCH_EVENT_LOST,   /* the kernel lost events; all slots are empty */
};

/* One event; value as signed 32 bits, or unsigned ones. */
enum touch_decoded touch_event_decoder_add(struct touch_event_decoder *decoder,
                                           unsigned type, unsigned code,
                                           int64_t value);

#endif
