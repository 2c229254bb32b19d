/*
 * A built-in phone of this process as a device, without a connection: its
 * commands run on the calling thread. It has the services "shell" and "exec";
 * others fail with ERR_UNSUPPORTED.
 */
#ifndef TOOLS_PHONE_SOURCE_PHONE_DEVICE_H
#define TOOLS_PHONE_SOURCE_PHONE_DEVICE_H

#include "adb/device/device.h"
#include "tools/phone/phone.h"

/* phone is borrowed. Close it with device_close, before the phone stops. */
struct device *phone_device_open(struct phone *phone, const char *serial);

#endif
