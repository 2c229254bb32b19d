#include "runner/touch/touch_devices.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

#define LINE_MAX_LENGTH 256

/* One device while its lines are read. */
struct device_lines {
    struct touch_device device;
    bool touches;            /* it has BTN_TOUCH */
    bool has_x, has_y;       /* of one finger */
    bool has_mt_x, has_mt_y; /* of many, which count more */
};

static void add_device(const struct device_lines *lines,
                       struct touch_devices *devices)
{
    bool many = lines->has_mt_x && lines->has_mt_y;
    bool one = lines->touches && lines->has_x && lines->has_y;

    if ((many || one) && lines->device.path[0] &&
        devices->count < TOUCH_DEVICES_MAX)
        devices->items[devices->count++] = lines->device;
}

/* "... min -5, max 32767, ...": a range that is not empty. */
static bool read_axis(const char *line, struct touch_axis *axis)
{
    const char *min = strstr(line, "min ");
    const char *max = strstr(line, "max ");
    long low, high;

    if (!min || !max)
        return false;
    low = strtol(min + strlen("min "), NULL, 10);
    high = strtol(max + strlen("max "), NULL, 10);
    if (low < INT16_MIN || high > INT32_MAX / 2 || low >= high)
        return false;
    *axis = (struct touch_axis){(int32_t)low, (int32_t)high};
    return true;
}

/* Is the name or number of a code the last word before the colon? */
static bool has_code(const char *line, const char *name, const char *number)
{
    const char *colon = strstr(line, " : value");
    const char *end = colon;
    size_t length;

    if (!colon)
        return false;
    while (end > line && end[-1] == ' ')
        end--;
    for (length = 0; end - length > line && end[-1 - (long)length] != ' ';)
        length++;
    end -= length;
    return (strlen(name) == length && !strncmp(end, name, length)) ||
           (strlen(number) == length && !strncmp(end, number, length));
}

static void read_axes(struct device_lines *lines, const char *line)
{
    struct touch_device *device = &lines->device;
    struct touch_axis axis;

    if (!read_axis(line, &axis))
        return;
    if (has_code(line, "ABS_MT_POSITION_X", "0035")) {
        lines->has_mt_x = true;
        device->x = axis;
    } else if (has_code(line, "ABS_MT_POSITION_Y", "0036")) {
        lines->has_mt_y = true;
        device->y = axis;
    } else if (has_code(line, "ABS_X", "0000") && !lines->has_mt_x) {
        lines->has_x = true;
        device->x = axis;
    } else if (has_code(line, "ABS_Y", "0001") && !lines->has_mt_y) {
        lines->has_y = true;
        device->y = axis;
    }
}

/* "add device 1: /dev/input/event2" begins a device. */
static bool begin_device(const char *line, struct device_lines *lines,
                         struct touch_devices *devices)
{
    static const char start[] = "add device ";
    const char *path = strchr(line, '/');

    if (strncmp(line, start, strlen(start)) != 0)
        return false;
    add_device(lines, devices);
    *lines = (struct device_lines){.touches = false};
    if (path && strlen(path) < TOUCH_DEVICE_PATH_MAX)
        snprintf(lines->device.path, TOUCH_DEVICE_PATH_MAX, "%s", path);
    return true;
}

static void read_line(const char *line, struct device_lines *lines,
                      struct touch_devices *devices)
{
    if (begin_device(line, lines, devices))
        return;
    if (strstr(line, " 014a") || strstr(line, "BTN_TOUCH"))
        lines->touches = true;
    read_axes(lines, line);
}

void touch_devices_parse(const char *text, size_t length,
                         struct touch_devices *devices)
{
    struct device_lines lines = {.touches = false};

    devices->count = 0;
    while (length) {
        const char *end = memchr(text, '\n', length);
        size_t size = end ? (size_t)(end - text) : length;
        char line[LINE_MAX_LENGTH];

        snprintf(line, sizeof(line), "%.*s",
                 (int)(size < sizeof(line) ? size : sizeof(line) - 1), text);
        line[strcspn(line, "\r")] = '\0';
        read_line(line, &lines, devices);
        text += size + (end != NULL);
        length -= size + (end != NULL);
    }
    add_device(&lines, devices);
}

const struct touch_device *touch_devices_find(
    const struct touch_devices *devices, const char *path)
{
    for (size_t i = 0; i < devices->count; i++) {
        if (!strcmp(devices->items[i].path, path))
            return &devices->items[i];
    }
    return NULL;
}
