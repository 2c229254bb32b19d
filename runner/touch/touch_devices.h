/* Touch screens as their drivers report them. */
#ifndef RUNNER_TOUCH_TOUCH_DEVICES_H
#define RUNNER_TOUCH_TOUCH_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#define TOUCH_DEVICES_MAX 16
#define TOUCH_DEVICE_PATH_MAX 64

/* From min to max; a driver counts -32768 to 32767, or 0 to 4095. */
struct touch_axis {
    int32_t min;
    int32_t max;
};

struct touch_device {
    char path[TOUCH_DEVICE_PATH_MAX]; /* "/dev/input/event2" */
    struct touch_axis x;
    struct touch_axis y;
};

struct touch_devices {
    struct touch_device items[TOUCH_DEVICES_MAX];
    size_t count;
};

/*
 * Read the output of `getevent -p` or `getevent -il`: the devices that report
 * positions of fingers. Lines that are not understood are skipped.
 */
void touch_devices_parse(const char *text, size_t length,
                         struct touch_devices *devices);

/* The device with this path, or NULL. */
const struct touch_device *touch_devices_find(
    const struct touch_devices *devices, const char *path);

#endif
