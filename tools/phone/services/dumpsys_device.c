/* dumpsys battery and dumpsys input. */
#include <stdlib.h>
#include <string.h>

#include "tools/phone/screen/display_configuration.h"
#include "tools/phone/services/dumpsys.h"

/* ---- battery ---- */

static const char *truth(bool true_it_is)
{
    return true_it_is ? "true" : "false";
}

static void print_battery(const struct dumpsys *dump)
{
    const struct phone_battery *battery = &dump->phone->handset->battery;
    struct screen_display display = screen_display(dump->phone->screen);

    buf_printf(dump->text,
               "Current Battery Service state:\n"
               "  AC powered: %s\n"
               "  USB powered: %s\n"
               "  Wireless powered: %s\n"
               "  Dock powered: false\n"
               "  Max charging current: 500000\n"
               "  Max charging voltage: 5000000\n"
               "  Charge counter: %d\n"
               "  status: %d\n"
               "  health: 2\n"
               "  present: true\n"
               "  level: %d\n"
               "  scale: 100\n"
               "  voltage: 4200\n"
               "  temperature: %d\n"
               "  technology: Li-ion\n",
               truth(battery->ac), truth(battery->usb),
               truth(battery->wireless), display.battery * 40000,
               battery->status, display.battery, battery->temperature);
}

static void set_level(const struct dumpsys *dump, long level)
{
    struct screen_display display = screen_display(dump->phone->screen);
    struct err err = ERR_INIT;

    display.battery = level < 0 ? 0 : level > 100 ? 100 : (int)level;
    if (!screen_set_display(dump->phone->screen, &display, &err))
        call_error(dump->call, "%s\n", err.text);
}

static void unplug(struct phone_battery *battery)
{
    battery->ac = false;
    battery->usb = false;
    battery->wireless = false;
    battery->status = BATTERY_DISCHARGING;
}

/* "set level 50" and similar. False for what cannot be set. */
static bool set_fact(const struct dumpsys *dump, const char *name, long value)
{
    struct phone_battery *battery = &dump->phone->handset->battery;

    if (!strcmp(name, "level"))
        set_level(dump, value);
    else if (!strcmp(name, "ac"))
        battery->ac = value != 0;
    else if (!strcmp(name, "usb"))
        battery->usb = value != 0;
    else if (!strcmp(name, "wireless"))
        battery->wireless = value != 0;
    else if (!strcmp(name, "status"))
        battery->status = (int)value;
    else if (!strcmp(name, "temp"))
        battery->temperature = (int)value;
    else
        return !strcmp(name, "present") || !strcmp(name, "counter") ||
               !strcmp(name, "invalid") || !strcmp(name, "dock");
    return true;
}

void dumpsys_battery(struct dumpsys *dump)
{
    const char *subcommand = dump->count ? dump->words[0] : "";

    if (!strcmp(subcommand, "unplug")) {
        unplug(&dump->phone->handset->battery);
    } else if (!strcmp(subcommand, "reset")) {
        battery_init(&dump->phone->handset->battery);
        set_level(dump, SCREEN_BATTERY);
    } else if (!strcmp(subcommand, "set") && dump->count >= 3) {
        char *end;
        long value = strtol(dump->words[2], &end, 10);

        if (*end)
            buf_printf(dump->text, "Bad value: %.100s\n", dump->words[2]);
        else if (!set_fact(dump, dump->words[1], value))
            buf_printf(dump->text, "Unknown set option: %.100s\n",
                       dump->words[1]);
    } else if (!strcmp(subcommand, "set")) {
        buf_text(dump->text, "No property specified\n");
    } else if (!*subcommand || !strcmp(subcommand, "-a")) {
        print_battery(dump);
    } else {
        buf_printf(dump->text, "Unknown command: %.100s\n", subcommand);
    }
}

/* ---- input ---- */

static void print_device(const struct dumpsys *dump, enum input_device device)
{
    static const char *const classes[INPUT_DEVICES] = {
        [INPUT_KEYS] = "KEYBOARD",
        [INPUT_TOUCH] = "TOUCH | TOUCH_MT",
        [INPUT_KEYBOARD] = "KEYBOARD | ALPHAKEY",
    };

    buf_printf(dump->text,
               "    %d: %s\n"
               "      Classes: %s\n"
               "      Path: %s\n"
               "      Enabled: true\n"
               "      Identifier: bus=0x0019, vendor=0x0001, product=0x0001, "
               "version=0x0100, bluetoothAddress=<not set>\n",
               (int)device + 1, input_device_name(device), classes[device],
               input_device_path(device));
}

static void print_touch_reader(const struct dumpsys *dump)
{
    struct screen_display display = screen_display(dump->phone->screen);
    struct phone_size size = display_configuration_size(&display);

    buf_printf(
        dump->text,
        "  Device %d: %s\n"
        "    Generation: 2\n"
        "    IsExternal: false\n"
        "    Sources: TOUCHSCREEN\n"
        "    Motion Ranges:\n"
        "      X: source=TOUCHSCREEN, min=0.000, max=%d.000, flat=0.000, "
        "fuzz=0.000, resolution=0.000\n"
        "      Y: source=TOUCHSCREEN, min=0.000, max=%d.000, flat=0.000, "
        "fuzz=0.000, resolution=0.000\n"
        "    Touch Input Mapper (mode - DIRECT):\n"
        "      Parameters:\n"
        "        DeviceType: TOUCH_SCREEN\n"
        "        OrientationAware: true\n"
        "      Raw Touch Axes:\n"
        "        X: min=0, max=%d, flat=0, fuzz=0, resolution=0\n"
        "        Y: min=0, max=%d, flat=0, fuzz=0, resolution=0\n"
        "        TrackingId: min=0, max=65535, flat=0, fuzz=0, resolution=0\n"
        "        Slot: min=0, max=%d, flat=0, fuzz=0, resolution=0\n"
        "      Viewport INTERNAL: displayId=0, uniqueId=local:"
        "4619827259835644672, port=0, orientation=%d, logicalFrame=[0, 0, %d, "
        "%d], physicalFrame=[0, 0, %d, %d], deviceSize=[%d, %d], isActive=[1]\n"
        "      SurfaceWidth: %dpx\n"
        "      SurfaceHeight: %dpx\n"
        "      SurfaceLeft: 0\n"
        "      SurfaceTop: 0\n"
        "      SurfaceOrientation: %d\n",
        (int)INPUT_TOUCH + 1, input_device_name(INPUT_TOUCH), size.width - 1,
        size.height - 1, INPUT_AXIS_MAX, INPUT_AXIS_MAX, INPUT_SLOTS - 1,
        display.rotation, size.width, size.height, size.width, size.height,
        size.width, size.height, size.width, size.height, display.rotation);
}

void dumpsys_input(struct dumpsys *dump)
{
    struct task_info front = task_stack_front(dump->phone->task_stack);

    buf_text(dump->text, "INPUT MANAGER (dumpsys input)\n\n"
                         "Event Hub State:\n"
                         "  BuiltInKeyboardId: 3\n"
                         "  Devices:\n");
    for (int i = 0; i < INPUT_DEVICES; i++)
        print_device(dump, (enum input_device)i);
    buf_text(dump->text, "\nInput Reader State (Nums of device: 3):\n");
    print_touch_reader(dump);
    buf_printf(dump->text, "\nInput Dispatcher State:\n"
                           "  DispatchEnabled: true\n"
                           "  DispatchFrozen: false\n"
                           "  FocusedDisplayId: 0\n"
                           "  FocusedApplications:\n"
                           "    displayId=0, name='");
    dumpsys_activity_record(dump, &front);
    buf_text(dump->text, "', dispatchingTimeout=5000ms\n  FocusedWindows:\n"
                         "    displayId=0, name='");
    dumpsys_window_of(dump, &front);
    buf_text(dump->text, "'\n");
}
