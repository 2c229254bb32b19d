#include "tools/phone/screen/input_devices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"

#define EVENTS_MAX 4096U
#define NO_FINGER (-1)
#define AXIS_STEPS (INPUT_AXIS_MAX + 1)

static const struct {
    const char *path;
    const char *name;
} known[INPUT_DEVICES] = {
    [INPUT_KEYS] = {"/dev/input/event0", "gpio-keys"},
    [INPUT_TOUCH] = {"/dev/input/event1", "proctor_touch"},
    [INPUT_KEYBOARD] = {"/dev/input/event2", "proctor_keyboard"},
};

/* A finger on the touch screen. */
struct touch_slot {
    int32_t id; /* NO_FINGER: the slot is unused */
    int32_t x;
    int32_t y;
};

/* Linux key codes of the phone's hardware keys. */
#define VOLUME_DOWN 114
#define POWER 116

struct input_devices {
    pthread_mutex_t lock; /* guards everything below */
    struct phone_screen *screen;
    struct phone_time_source clock;
    struct input_event *events; /* owned; a ring */
    uint64_t next;
    int32_t last_id; /* the next tracking id of a finger */

    struct touch_slot slots[INPUT_SLOTS]; /* state of the slots, as written */
    size_t slot;
    bool button; /* BTN_TOUCH, for writers without slots */
    bool down;   /* a touch was sent to the screen */
    int x, y;    /* its position */
};

const char *input_device_path(enum input_device device)
{
    return known[device].path;
}

const char *input_device_name(enum input_device device)
{
    return known[device].name;
}

bool input_device_find(const char *path, enum input_device *device)
{
    for (size_t i = 0; i < INPUT_DEVICES; i++) {
        if (!strcmp(known[i].path, path)) {
            *device = (enum input_device)i;
            return true;
        }
    }
    return false;
}

/* ---- keys ---- */

/* In the kernel's order: by rows of a keyboard. */
static const struct {
    uint16_t code;
    const char *keys;
} rows[] = {
    {2, "1234567890"},
    {16, "qwertyuiop"},
    {30, "asdfghjkl"},
    {44, "zxcvbnm"},
};

static const struct {
    uint16_t code;
    int key;
} keys[] = {
    {1, KEY_ESCAPE},       {14, KEY_DELETE},       {15, KEY_TAB},
    {28, KEY_ENTER},       {57, KEY_SPACE},        {114, KEY_VOLUME_DOWN},
    {115, KEY_VOLUME_UP},  {116, KEY_POWER},       {142, KEY_SLEEP},
    {143, KEY_WAKEUP},     {158, KEY_BACK},        {172, KEY_HOME},
    {580, KEY_APP_SWITCH}, {96, KEY_NUMPAD_ENTER},
};

enum input_device input_device_of(uint16_t type, uint16_t code)
{
    if (type != INPUT_KEY || code == INPUT_BTN_TOUCH)
        return INPUT_TOUCH;
    return code >= VOLUME_DOWN && code <= POWER ? INPUT_KEYS : INPUT_KEYBOARD;
}

uint16_t input_code_of(int key)
{
    char character = keycode_character(key);

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].key == key)
            return keys[i].code;
    }
    for (size_t i = 0; character && i < ARRAY_LEN(rows); i++) {
        const char *found = strchr(rows[i].keys, character);

        if (found)
            return (uint16_t)(rows[i].code + (found - rows[i].keys));
    }
    return 0;
}

int input_key_of(uint16_t code)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].code == code)
            return keys[i].key;
    }
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        size_t place = (size_t)(code - rows[i].code);
        char name[2] = {0};
        int key;

        if (code < rows[i].code || place >= strlen(rows[i].keys))
            continue;
        name[0] = rows[i].keys[place];
        if (name[0] >= '0' && name[0] <= '9')
            return KEY_0 + name[0] - '0';
        return keycode_parse(name, &key) ? key : -1;
    }
    return -1;
}

/* ---- opening and closing ---- */

struct input_devices *input_devices_new(struct phone_screen *screen,
                                        struct phone_time_source clock)
{
    struct input_devices *devices = mem_new(1, sizeof(*devices));

    pthread_mutex_init(&devices->lock, NULL);
    devices->screen = screen;
    devices->clock = clock;
    devices->events = mem_new(EVENTS_MAX, sizeof(*devices->events));
    for (size_t i = 0; i < INPUT_SLOTS; i++)
        devices->slots[i].id = NO_FINGER;
    return devices;
}

void input_devices_free(struct input_devices *devices)
{
    if (!devices)
        return;
    free(devices->events);
    pthread_mutex_destroy(&devices->lock);
    free(devices);
}

/* ---- events ---- */

static void record(struct input_devices *devices, enum input_device device,
                   unsigned type, unsigned code, int32_t value)
{
    devices->events[devices->next++ % EVENTS_MAX] = (struct input_event){
        .time = phone_now(&devices->clock),
        .device = device,
        .type = (uint16_t)type,
        .code = (uint16_t)code,
        .value = value,
    };
}

static void report(struct input_devices *devices, enum input_device device)
{
    record(devices, device, INPUT_SYN, INPUT_SYN_REPORT, 0);
}

uint64_t input_devices_end(struct input_devices *devices)
{
    uint64_t end;

    pthread_mutex_lock(&devices->lock);
    end = devices->next;
    pthread_mutex_unlock(&devices->lock);
    return end;
}

bool input_devices_read(struct input_devices *devices, uint64_t *number,
                        struct input_event *event)
{
    bool found;

    pthread_mutex_lock(&devices->lock);
    if (devices->next > EVENTS_MAX && *number < devices->next - EVENTS_MAX)
        *number = devices->next - EVENTS_MAX;
    found = *number < devices->next;
    if (found)
        *event = devices->events[*number % EVENTS_MAX];
    pthread_mutex_unlock(&devices->lock);
    return found;
}

/* ---- display to touch screen coordinates, which do not rotate ---- */

struct screen_point {
    int x, y;
};

/* A point of the display, before rotation. */
static struct screen_point unturn(const struct screen_display *display,
                                  struct screen_point at)
{
    int right = display->size.width - 1;
    int bottom = display->size.height - 1;

    switch (display->rotation) {
    case 1:
        return (struct screen_point){right - at.y, at.x};
    case 2:
        return (struct screen_point){right - at.x, bottom - at.y};
    case 3:
        return (struct screen_point){at.y, bottom - at.x};
    default:
        return at;
    }
}

/* The inverse. */
static struct screen_point turn(const struct screen_display *display,
                                struct screen_point at)
{
    int right = display->size.width - 1;
    int bottom = display->size.height - 1;

    switch (display->rotation) {
    case 1:
        return (struct screen_point){at.y, right - at.x};
    case 2:
        return (struct screen_point){right - at.x, bottom - at.y};
    case 3:
        return (struct screen_point){bottom - at.y, at.x};
    default:
        return at;
    }
}

/* The smallest value that maps to this pixel, and the pixel of a value. */
static int32_t to_axis(int pixel, int size)
{
    int64_t value = ((int64_t)pixel * AXIS_STEPS + size - 1) / size;

    if (value < 0)
        return 0;
    return value > INPUT_AXIS_MAX ? INPUT_AXIS_MAX : (int32_t)value;
}

static int from_axis(int32_t value, int size)
{
    if (value < 0)
        return 0;
    if (value > INPUT_AXIS_MAX)
        return size - 1;
    return (int)((int64_t)value * size / AXIS_STEPS);
}

/* ---- input by commands ---- */

static void record_place(struct input_devices *devices, int x, int y)
{
    struct screen_display display = screen_display(devices->screen);
    struct screen_point at = unturn(&display, (struct screen_point){x, y});

    record(devices, INPUT_TOUCH, INPUT_ABS, INPUT_MT_X,
           to_axis(at.x, display.size.width));
    record(devices, INPUT_TOUCH, INPUT_ABS, INPUT_MT_Y,
           to_axis(at.y, display.size.height));
}

static void record_touch(struct input_devices *devices, enum phone_touch touch,
                         int x, int y)
{
    switch (touch) {
    case SCREEN_DOWN:
        record(devices, INPUT_TOUCH, INPUT_ABS, INPUT_MT_TRACKING_ID,
               devices->last_id++ & 0xffff);
        record(devices, INPUT_TOUCH, INPUT_KEY, INPUT_BTN_TOUCH, 1);
        record_place(devices, x, y);
        break;
    case SCREEN_MOVE:
        record_place(devices, x, y);
        break;
    case SCREEN_UP:
    case SCREEN_CANCEL:
        record(devices, INPUT_TOUCH, INPUT_ABS, INPUT_MT_TRACKING_ID,
               NO_FINGER);
        record(devices, INPUT_TOUCH, INPUT_KEY, INPUT_BTN_TOUCH, 0);
        break;
    }
    report(devices, INPUT_TOUCH);
}

void input_devices_touch(struct input_devices *devices, enum phone_touch touch,
                         int x, int y)
{
    pthread_mutex_lock(&devices->lock);
    record_touch(devices, touch, x, y);
    screen_touch(devices->screen, touch, x, y);
    pthread_mutex_unlock(&devices->lock);
}

static enum input_device device_of(int key)
{
    return key == KEY_POWER || key == KEY_VOLUME_UP || key == KEY_VOLUME_DOWN
               ? INPUT_KEYS
               : INPUT_KEYBOARD;
}

void input_devices_key(struct input_devices *devices, int key)
{
    uint16_t code = input_code_of(key);

    pthread_mutex_lock(&devices->lock);
    for (int32_t down = 1; code && down >= 0; down--) {
        record(devices, device_of(key), INPUT_KEY, code, down);
        report(devices, device_of(key));
    }
    screen_key(devices->screen, key);
    pthread_mutex_unlock(&devices->lock);
}

/* ---- sendevent ---- */

/* The first finger; without slots, it uses the first slot. */
static const struct touch_slot *first_finger(
    const struct input_devices *devices)
{
    for (size_t i = 0; i < INPUT_SLOTS; i++) {
        if (devices->slots[i].id != NO_FINGER)
            return &devices->slots[i];
    }
    return devices->button ? &devices->slots[0] : NULL;
}

/* A report is complete: pass the first finger's change to the screen. */
static void act(struct input_devices *devices)
{
    struct screen_display display = screen_display(devices->screen);
    const struct touch_slot *finger = first_finger(devices);
    struct screen_point at = {devices->x, devices->y};

    if (finger)
        at = turn(&display, (struct screen_point){
                                from_axis(finger->x, display.size.width),
                                from_axis(finger->y, display.size.height)});
    if (finger && !devices->down)
        screen_touch(devices->screen, SCREEN_DOWN, at.x, at.y);
    else if (finger && (at.x != devices->x || at.y != devices->y))
        screen_touch(devices->screen, SCREEN_MOVE, at.x, at.y);
    else if (!finger && devices->down)
        screen_touch(devices->screen, SCREEN_UP, at.x, at.y);
    devices->down = finger != NULL;
    devices->x = at.x;
    devices->y = at.y;
}

static void take_axis(struct input_devices *devices, unsigned code,
                      int32_t value)
{
    struct touch_slot *slot = &devices->slots[devices->slot];

    if (code == INPUT_MT_SLOT && value >= 0 && value < INPUT_SLOTS)
        devices->slot = (size_t)value;
    else if (code == INPUT_MT_TRACKING_ID)
        slot->id = value < 0 ? NO_FINGER : value;
    else if (code == INPUT_MT_X || code == INPUT_ABS_X)
        slot->x = value;
    else if (code == INPUT_MT_Y || code == INPUT_ABS_Y)
        slot->y = value;
}

static void take_event(struct input_devices *devices, enum input_device device,
                       unsigned type, unsigned code, int32_t value)
{
    int key = type == INPUT_KEY ? input_key_of((uint16_t)code) : -1;

    if (device != INPUT_TOUCH) {
        if (key >= 0 && value == 1)
            screen_key(devices->screen, key);
        return;
    }
    if (type == INPUT_ABS)
        take_axis(devices, code, value);
    else if (type == INPUT_KEY && code == INPUT_BTN_TOUCH)
        devices->button = value != 0;
    else if (type == INPUT_SYN && code == INPUT_SYN_REPORT)
        act(devices);
}

void input_devices_write(struct input_devices *devices,
                         enum input_device device, uint16_t type, uint16_t code,
                         int32_t value)
{
    pthread_mutex_lock(&devices->lock);
    record(devices, device, type, code, value);
    take_event(devices, device, type, code, value);
    pthread_mutex_unlock(&devices->lock);
}
