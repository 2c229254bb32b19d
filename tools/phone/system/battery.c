#include "tools/phone/system/battery.h"

void battery_init(struct phone_battery *battery)
{
    battery->ac = false;
    battery->usb = true;
    battery->wireless = false;
    battery->status = BATTERY_CHARGING;
    battery->temperature = 250;
}

void battery_save(struct phone_battery *battery, struct buf *out)
{
    saved_state_put_bool(out, battery->ac);
    saved_state_put_bool(out, battery->usb);
    saved_state_put_bool(out, battery->wireless);
    saved_state_put_i64(out, battery->status);
    saved_state_put_i64(out, battery->temperature);
}

void battery_load(struct phone_battery *battery, struct saved_state *in)
{
    bool ac = saved_state_bool(in);
    bool usb = saved_state_bool(in);
    bool wireless = saved_state_bool(in);
    int status = (int)saved_state_i64(in, INT32_MIN, INT32_MAX);
    int temperature = (int)saved_state_i64(in, INT32_MIN, INT32_MAX);

    if (in->trial || in->broken)
        return;
    battery->ac = ac;
    battery->usb = usb;
    battery->wireless = wireless;
    battery->status = status;
    battery->temperature = temperature;
}
