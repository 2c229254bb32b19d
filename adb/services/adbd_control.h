/*
 * Requests to the device's adbd that are answered with a line of text.
 *
 * Most of them restart adbd, so the connection may be lost right afterwards,
 * which counts as success. answer receives the device's message unchanged,
 * which also says why a request was not carried out; on failure it is
 * unchanged.
 */
#ifndef ADB_SERVICES_ADBD_CONTROL_H
#define ADB_SERVICES_ADBD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/buf.h"

/*
 * Reboot the device into target: NULL or "" for the system, "bootloader",
 * "recovery", "sideload", ... Fails with ERR_INVALID when target is not a
 * single word.
 */
MUST_USE bool adbd_control_reboot(struct device *device, const char *target,
                                  struct deadline by, struct err *err);

/* Restart adbd as root, or as the shell user. */
MUST_USE bool adbd_control_root(struct device *device, bool root,
                                struct deadline by, struct buf *answer,
                                struct err *err);

/* Restart adbd so that it listens on a TCP port. */
MUST_USE bool adbd_control_tcpip(struct device *device, uint16_t port,
                                 struct deadline by, struct buf *answer,
                                 struct err *err);

#endif
