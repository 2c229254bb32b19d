#include "tools/phone/battery.h"

void battery_init(struct battery *battery)
{
    battery->ac = false;
    battery->usb = true;
    battery->wireless = false;
    battery->status = BATTERY_CHARGING;
    battery->temperature = 250;
}

void battery_save(struct battery *battery, struct buf *out)
{
    parcel_put_bool(out, battery->ac);
    parcel_put_bool(out, battery->usb);
    parcel_put_bool(out, battery->wireless);
    parcel_put_i64(out, battery->status);
    parcel_put_i64(out, battery->temperature);
}

void battery_load(struct battery *battery, struct parcel *in)
{
    bool ac = parcel_bool(in);
    bool usb = parcel_bool(in);
    bool wireless = parcel_bool(in);
    int status = (int)parcel_i64(in, INT32_MIN, INT32_MAX);
    int temperature = (int)parcel_i64(in, INT32_MIN, INT32_MAX);

    if (in->trial || in->broken)
        return;
    battery->ac = ac;
    battery->usb = usb;
    battery->wireless = wireless;
    battery->status = status;
    battery->temperature = temperature;
}
