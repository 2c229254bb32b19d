/* The battery, as dumpsys tells and sets it. Its level is the display's. */
#ifndef PHONE_BATTERY_H
#define PHONE_BATTERY_H

#include <stdatomic.h>

#include "base/buf.h"
#include "tools/phone/parcel.h"

/* BatteryManager's numbers. */
enum battery_status {
    BATTERY_CHARGING = 2,
    BATTERY_DISCHARGING = 3,
    BATTERY_FULL = 5,
};

/* Each is safe from any thread. */
struct battery {
    atomic_bool ac;
    atomic_bool usb;
    atomic_bool wireless;
    atomic_int status;      /* of enum battery_status, or what was set */
    atomic_int temperature; /* tenths of a degree */
};

/* At a computer, which charges it. */
void battery_init(struct battery *battery);

void battery_save(struct battery *battery, struct buf *out);
void battery_load(struct battery *battery, struct parcel *in);

#endif
