/*
 * The phone's input devices, as the kernel shows them in /dev/input: a touch
 * screen that speaks the multi-touch protocol B, and keys.
 *
 * Whatever is used through here leaves its events for getevent, and events
 * that sendevent writes are turned into what they mean. The touch screen's
 * coordinates are not pixels: both go from 0 to INPUT_AXIS_MAX, whatever the
 * display is like. Every call is safe from any thread.
 */
#ifndef PHONE_INPUT_DEVICES_H
#define PHONE_INPUT_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/clock.h"
#include "tools/phone/screen.h"

#define INPUT_AXIS_MAX 32767
#define INPUT_SLOTS 10

/* The kernel's numbers (linux/input-event-codes.h). */
enum input_type {
    INPUT_SYN = 0,
    INPUT_KEY = 1,
    INPUT_ABS = 3,
};

enum input_code {
    INPUT_SYN_REPORT = 0,
    INPUT_BTN_TOUCH = 0x14a,
    INPUT_ABS_X = 0x00,
    INPUT_ABS_Y = 0x01,
    INPUT_MT_SLOT = 0x2f,
    INPUT_MT_X = 0x35,
    INPUT_MT_Y = 0x36,
    INPUT_MT_TRACKING_ID = 0x39,
};

enum input_device {
    INPUT_KEYS,     /* power and volume */
    INPUT_TOUCH,    /* the screen */
    INPUT_KEYBOARD, /* all other keys */
    INPUT_DEVICES,
};

struct input_event {
    int64_t time; /* nanoseconds since 1970 */
    enum input_device device;
    uint16_t type;
    uint16_t code;
    int32_t value;
};

/* "/dev/input/event1", and what it calls itself. */
const char *input_device_path(enum input_device device);
const char *input_device_name(enum input_device device);

/* False for a path that is none's. */
MUST_USE bool input_device_find(const char *path, enum input_device *device);

/* Which of them has such events. */
enum input_device input_device_of(uint16_t type, uint16_t code);

/* The kernel's code of an Android key, or 0; and back, or -1. */
uint16_t input_code_of(int key);
int input_key_of(uint16_t code);

struct input_devices;

/* For that screen; both are borrowed. */
struct input_devices *input_devices_new(struct screen *screen,
                                        struct phone_clock clock);
void input_devices_free(struct input_devices *devices); /* NULL is fine */

/* ---- using ---- */

/* As screen_touch and screen_key, and the devices' events. */
void input_devices_touch(struct input_devices *devices, enum screen_touch touch,
                         int x, int y);
void input_devices_key(struct input_devices *devices, int key);

/* Somebody writes an event to a device. */
void input_devices_write(struct input_devices *devices,
                         enum input_device device, uint16_t type, uint16_t code,
                         int32_t value);

/* ---- looking ---- */

/* The number of the next event. */
uint64_t input_devices_end(struct input_devices *devices);

/*
 * The event of that number, or the oldest after it that is still there, whose
 * number is then *number. False when there is none yet.
 */
MUST_USE bool input_devices_read(struct input_devices *devices,
                                 uint64_t *number, struct input_event *event);

#endif
