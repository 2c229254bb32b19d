/* getevent and sendevent: the input devices as the kernel shows them. */
#include <stdio.h>
#include <string.h>

#include "tools/phone/screen/input_event_names.h"
#include "tools/phone/services/cmd_screen.h"

/* How often the devices are polled. */
#define LOOK_EVERY_MS 20

/* ---- capabilities ---- */

static void print_code(struct command_call *call, const char *name,
                       unsigned code, bool labels)
{
    if (labels)
        call_print(call, " %.20s %*s", name, (int)(20 - strlen(name)), "");
    else
        call_print(call, " %04x ", code);
}

static void print_keys(struct command_call *call, enum input_device device,
                       bool labels)
{
    size_t count = 0;

    call_print(call, "    KEY (0001):");
    for (const struct input_event_name *key = input_codes(INPUT_KEY); key->name;
         key++) {
        if (input_device_of(INPUT_KEY, key->number) != device)
            continue;
        if (count && count % (labels ? 4 : 8) == 0)
            call_print(call, "\n               ");
        print_code(call, key->name, key->number, labels);
        count++;
    }
    call_print(call, "\n");
}

static void print_axes(struct command_call *call, bool labels)
{
    static const struct {
        uint16_t code;
        int most;
    } ranges[] = {
        {INPUT_MT_SLOT, INPUT_SLOTS - 1},
        {INPUT_MT_X, INPUT_AXIS_MAX},
        {INPUT_MT_Y, INPUT_AXIS_MAX},
        {INPUT_MT_TRACKING_ID, 65535},
    };

    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        call_print(call, "%s", i ? "               " : "    ABS (0003):");
        print_code(call,
                   input_event_name(input_codes(INPUT_ABS), ranges[i].code),
                   ranges[i].code, labels);
        call_print(call,
                   " : value 0, min 0, max %d, fuzz 0, flat 0, resolution 0\n",
                   ranges[i].most);
    }
}

struct getevent {
    struct command_call *call;
    struct command_options options;
    const char *only; /* path of one device; NULL: all */
    long long left;   /* events to print; -1: no limit */
};

static void print_device(const struct getevent *getevent,
                         enum input_device device, int number)
{
    struct command_call *call = getevent->call;
    const bool *given = getevent->options.given;

    call_print(call, "add device %d: %s\n", number, input_device_path(device));
    if (given['i'])
        call_print(call, "  bus:      0019\n  vendor    0001\n"
                         "  product   0001\n  version   0100\n");
    call_print(call, "  name:     \"%s\"\n", input_device_name(device));
    if (given['i'])
        call_print(call, "  location: \"\"\n  id:       \"\"\n"
                         "  version:  1.0.1\n");
    if (!given['p'] && !given['i'])
        return;
    call_print(call, "  events:\n");
    print_keys(call, device, given['l']);
    if (device == INPUT_TOUCH)
        print_axes(call, given['l']);
    call_print(call, "  input props:\n    %s\n",
               device == INPUT_TOUCH ? "INPUT_PROP_DIRECT" : "<none>");
}

static void print_devices(const struct getevent *getevent)
{
    int number = 1;

    for (int i = INPUT_DEVICES - 1; i >= 0; i--) {
        if (!getevent->only ||
            !strcmp(getevent->only, input_device_path((enum input_device)i)))
            print_device(getevent, (enum input_device)i, number++);
    }
}

/* ---- events ---- */

static void print_value(struct command_call *call,
                        const struct input_event *event)
{
    if (event->type == INPUT_KEY && event->value <= 1 && event->value >= 0)
        call_print(call, "%-20s", event->value ? "DOWN" : "UP");
    else
        call_print(call, "%08x", (unsigned)event->value);
}

static void print_labels(struct command_call *call,
                         const struct input_event *event)
{
    const char *type = input_event_name(input_types, event->type);
    const char *code = input_event_name(input_codes(event->type), event->code);
    char number[8];

    snprintf(number, sizeof(number), "%04x", (unsigned)event->type);
    call_print(call, "%-12.12s ", type ? type : number);
    snprintf(number, sizeof(number), "%04x", (unsigned)event->code);
    call_print(call, "%-20.20s ", code ? code : number);
    print_value(call, event);
}

static void print_event(const struct getevent *getevent,
                        const struct input_event *event)
{
    struct screen_context *phone = getevent->call->context;
    struct command_call *call = getevent->call;
    int64_t up = event->time - phone->clock->booted;

    if (getevent->options.given['t'])
        call_print(call, "[%8lld.%06lld] ", (long long)(up / PHONE_SECOND),
                   (long long)(up % PHONE_SECOND / 1000));
    if (!getevent->only)
        call_print(call, "%s: ", input_device_path(event->device));
    if (getevent->options.given['l'])
        print_labels(call, event);
    else
        call_print(call, "%04x %04x %08x", event->type, event->code,
                   (unsigned)event->value);
    call_print(call, "\n");
}

static bool is_wanted(const struct getevent *getevent,
                      const struct input_event *event)
{
    return !getevent->only ||
           !strcmp(getevent->only, input_device_path(event->device));
}

static void follow(struct getevent *getevent, uint64_t next)
{
    struct screen_context *phone = getevent->call->context;
    struct input_event event;

    while (getevent->left &&
           call_wait(getevent->call, deadline_in_ms(LOOK_EVERY_MS))) {
        while (getevent->left && !getevent->call->ended &&
               input_devices_read(phone->devices, &next, &event)) {
            next++;
            if (!is_wanted(getevent, &event))
                continue;
            print_event(getevent, &event);
            getevent->left -= getevent->left > 0;
        }
    }
}

static int start_getevent(struct getevent *getevent)
{
    const bool *given = getevent->options.given;
    const char *count = getevent->options.values['c'];
    struct screen_context *phone = getevent->call->context;
    enum input_device device;
    /* Before anything is printed: what is done then is seen. */
    uint64_t first = input_devices_end(phone->devices);

    if (getevent->options.count)
        getevent->only = getevent->options.operands[0];
    if (getevent->only && !input_device_find(getevent->only, &device)) {
        call_error(getevent->call,
                   "could not open %.200s, No such file or directory\n",
                   getevent->only);
        return 1;
    }
    if (count &&
        !call_number(getevent->call, count, 0, 1000000, &getevent->left))
        return 1;
    if (given['p'] || given['i'] || (!getevent->only && !given['q']))
        print_devices(getevent);
    if (!given['p'] && !given['i'])
        follow(getevent, first);
    return 0;
}

static const char getevent_usage[] =
    "Usage: getevent [-t] [-n] [-s switchmask] [-S] [-v [mask]] [-d] [-p] [-i] "
    "[-l] [-q] [-c count] [-r] [device]\n"
    "    -t: show time stamps\n"
    "    -n: don't print newlines\n"
    "    -s: print switch states for given bits\n"
    "    -S: print all switch states\n"
    "    -v: verbosity mask (errs=1, dev=2, name=4, info=8, vers=16, pos. "
    "events=32, props=64)\n"
    "    -d: show HID descriptor, if available\n"
    "    -p: show possible events (errs, dev, name, pos. events)\n"
    "    -i: show all device info and possible events\n"
    "    -l: label event types and names in plain text\n"
    "    -q: quiet (clear verbosity mask)\n"
    "    -c: print given number of events then exit\n"
    "    -r: print rate events are received\n";

static int run_getevent(struct command_call *call)
{
    struct getevent getevent = {.call = call, .left = -1};
    int status;

    if (call->argc > 1 && !strcmp(call->argv[1], "-h")) {
        call_error(call, "%s", getevent_usage);
        return 1;
    }
    if (!call_options(call, "tnsSpilqvc:rd:", &getevent.options, &status))
        return status;
    status = start_getevent(&getevent);
    call_options_release(&getevent.options);
    return status;
}

/* ---- sendevent ---- */

static int run_sendevent(struct command_call *call)
{
    struct screen_context *phone = call->context;
    enum input_device device;
    long long numbers[3];

    if (call->argc != 5)
        return call_fail(call, "Need 4 arguments (see \"sendevent --help\")");
    if (!input_device_find(call->argv[1], &device))
        return call_fail(call, "%.200s: No such file or directory",
                         call->argv[1]);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (!call_number(call, call->argv[i + 2], i == 2 ? INT32_MIN : 0,
                         i == 2 ? UINT32_MAX : UINT16_MAX, &numbers[i]))
            return 1;
    }
    input_devices_write(phone->devices, device, (uint16_t)numbers[0],
                        (uint16_t)numbers[1], (int32_t)numbers[2]);
    return 0;
}

static const struct phone_command commands[] = {
    {"getevent", run_getevent, "[-t] [-p] [-i] [-l] [-q] [-c COUNT] [DEVICE]"},
    {"sendevent", run_sendevent, "DEVICE TYPE CODE VALUE"},
};

const struct command_set device_commands = {commands, ARRAY_LEN(commands)};
