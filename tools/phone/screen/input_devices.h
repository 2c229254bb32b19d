/*
 * The phone's input devices, as the kernel shows them in /dev/input: a touch
 * screen with multi-touch protocol B, and keys. All input through here adds
 * events for getevent; events written by sendevent are translated into input.
 *
 * The touch screen's coordinates are not pixels: both range from 0 to
 * INPUT_AXIS_MAX for any display. All calls are safe from any thread.
 */
#ifndef TOOLS_PHONE_SCREEN_INPUT_DEVICES_H
#define TOOLS_PHONE_SCREEN_INPUT_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/core/clock.h"
#include "tools/phone/screen/screen.h"

#define INPUT_AXIS_MAX 32767
#define INPUT_SLOTS 10

/* Linux's numbers (linux/input-event-codes.h). */
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

/* "/dev/input/event1", and the device's name. */
const char *input_device_path(enum input_device device);
const char *input_device_name(enum input_device device);

/* False if no device has this path. */
MUST_USE bool input_device_find(const char *path, enum input_device *device);

/* The device that has such events. */
enum input_device input_device_of(uint16_t type, uint16_t code);

/* The Linux key code of an Android key, or 0; and the inverse, or -1. */
uint16_t input_code_of(int key);
int input_key_of(uint16_t code);

struct input_devices;

/* For that screen; both arguments are borrowed. */
struct input_devices *input_devices_new(struct phone_screen *screen,
                                        struct phone_time_source clock);
void input_devices_free(struct input_devices *devices); /* NULL is fine */

/* ---- input ---- */

/* Like screen_touch and screen_key, with events of the devices. */
void input_devices_touch(struct input_devices *devices, enum phone_touch touch,
                         int x, int y);
void input_devices_key(struct input_devices *devices, int key);

/* Write an event to a device. */
void input_devices_write(struct input_devices *devices,
                         enum input_device device, uint16_t type, uint16_t code,
                         int32_t value);

/* ---- events ---- */

/* The number of the next event. */
uint64_t input_devices_end(struct input_devices *devices);

/*
 * The event with that number, or the oldest existing one after it; *number is
 * then its number. False if there is none yet.
 */
MUST_USE bool input_devices_read(struct input_devices *devices,
                                 uint64_t *number, struct input_event *event);

#endif
