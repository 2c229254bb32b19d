/*
 * Reads what `getevent` prints while a person uses the phone: bytes in,
 * contacts in pixels and keys out.
 *
 * Pure: no clock, no I/O; one owner. All state is bounded, whatever comes:
 * lines that are no event are skipped, more fingers than TOUCH_SLOTS ignored.
 */
#ifndef RUNNER_HAND_GETEVENT_READER_H
#define RUNNER_HAND_GETEVENT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/hand/gesture_recognizer.h"
#include "runner/hand/getevent_line.h"
#include "runner/touch/touch_display.h"
#include "runner/touch/touch_event_decoder.h"

struct getevent_key {
    int key; /* Android's code; 0: another one, such as a letter */
    bool down;
    int64_t at_ms;
};

/* Where contacts and keys go. Times are those of the phone, if it prints them.
 */
struct getevent_sink {
    void (*contact)(void *context, const struct touch_contact *contact);
    void (*key)(void *context, const struct getevent_key *key);
    void *context;
};

/* A finger that was reported to the sink. */
struct getevent_finger {
    bool down;
    bool is_beside; /* it came down beside the picture: not reported */
    struct action_point at;
    int64_t id;
};

/* One input device that has sent events. */
struct getevent_source {
    char path[TOUCH_DEVICE_PATH_MAX];
    const struct touch_device *device; /* NULL: positions are pixels */
    bool touches;                      /* it is a touch screen */
    struct touch_event_decoder decoder;
    struct getevent_finger fingers[TOUCH_SLOTS];
};

#define GETEVENT_SOURCES_MAX 32

struct getevent_reader {
    struct touch_devices devices;
    struct touch_display display;
    struct getevent_sink sink;
    struct getevent_source sources[GETEVENT_SOURCES_MAX];
    size_t source_count;
    char line[GETEVENT_LINE_MAX];
    size_t length;    /* of line */
    bool is_too_long; /* skip to the end of it */
};

/*
 * For a phone with these touch screens, as touch_devices_parse found them
 * in the output of `getevent -lp`. If there are none, positions of all devices
 * are pixels.
 */
void getevent_reader_init(struct getevent_reader *reader,
                          const struct touch_devices *devices,
                          const struct touch_display *display,
                          const struct getevent_sink *sink);

/* The phone was turned or resized: for all positions from now on. */
void getevent_reader_set_display(struct getevent_reader *reader,
                                 const struct touch_display *display);

/* Bytes, cut anywhere; now_ms is used for lines without a time. */
void getevent_reader_feed(struct getevent_reader *reader, const char *bytes,
                          size_t length, int64_t now_ms);

/* No more bytes come: the last line is complete, fingers are cancelled. */
void getevent_reader_end(struct getevent_reader *reader, int64_t now_ms);

#endif
