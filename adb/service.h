/*
 * Small requests to the device's adbd that answer with a line of text.
 *
 * Most of them restart adbd, so the connection may be lost right after, and
 * that counts as done. answer (where there is one) takes the device's words as
 * they are, which also say why it did not do it; on failure it is as before.
 */
#ifndef ADB_SERVICE_H
#define ADB_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"
#include "base/buf.h"

/*
 * Restart the device into target: NULL or "" for the system, "bootloader",
 * "recovery", "sideload", ... Fails with ERR_INVALID for what is no word.
 */
MUST_USE bool service_reboot(struct device *device, const char *target,
                             struct deadline by, struct err *err);

/* Restart adbd with root's rights, or without. */
MUST_USE bool service_root(struct device *device, bool root, struct deadline by,
                           struct buf *answer, struct err *err);

/* Restart adbd listening on a TCP port. */
MUST_USE bool service_tcpip(struct device *device, uint16_t port,
                            struct deadline by, struct buf *answer,
                            struct err *err);

#endif
