/*
 * The battery, as dumpsys prints and sets it. Its level is shown by the
 * display.
 */
#ifndef TOOLS_PHONE_SYSTEM_BATTERY_H
#define TOOLS_PHONE_SYSTEM_BATTERY_H

#include <stdatomic.h>

#include "base/buf.h"
#include "tools/phone/core/saved_state.h"

/* Values of BatteryManager. */
enum battery_status {
    BATTERY_CHARGING = 2,
    BATTERY_DISCHARGING = 3,
    BATTERY_FULL = 5,
};

/* All functions are safe from any thread. */
struct phone_battery {
    atomic_bool ac;
    atomic_bool usb;
    atomic_bool wireless;
    atomic_int status; /* enum battery_status, or any number that was set */
    atomic_int temperature; /* tenths of a degree */
};

/* Connected to a computer, which charges it. */
void battery_init(struct phone_battery *battery);

void battery_save(struct phone_battery *battery, struct buf *out);
void battery_load(struct phone_battery *battery, struct saved_state *in);

#endif
