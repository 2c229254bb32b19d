/* Touch screens as their drivers report them. */
#ifndef RUNNER_CLASSIFY_DOOR_TOUCH_DEVICES_H
#define RUNNER_CLASSIFY_DOOR_TOUCH_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#define DOOR_TOUCH_DEVICES_MAX 16
#define DOOR_DEVICE_PATH_MAX 64

/* From min to max; a driver counts -32768 to 32767, or 0 to 4095. */
struct door_axis {
    int32_t min;
    int32_t max;
};

struct door_touch_device {
    char path[DOOR_DEVICE_PATH_MAX]; /* "/dev/input/event2" */
    struct door_axis x;
    struct door_axis y;
};

struct door_touch_devices {
    struct door_touch_device items[DOOR_TOUCH_DEVICES_MAX];
    size_t count;
};

/*
 * Read the output of `getevent -p` or `getevent -il`: the devices that report
 * positions of fingers. Lines that are not understood are skipped.
 */
void door_touch_devices_parse(const char *text, size_t length,
                              struct door_touch_devices *devices);

/* The device with this path, or NULL. */
const struct door_touch_device *door_touch_devices_find(
    const struct door_touch_devices *devices, const char *path);

#endif
