/*
 * A forward: this computer listens, and each connection reaches the device.
 *
 * We listen ourselves and open the remote end for each connection, so it works
 * alike over a direct connection and through an adb server, which is not asked
 * to forward anything.
 */
#ifndef ADB_FORWARD_H
#define ADB_FORWARD_H

#include "adb/device.h"
#include "base/log.h"

struct forward;

/*
 * Listen on local (see adb/endpoint.h; tcp:0 picks a port) and connect whoever
 * comes to remote on the device, a service such as "tcp:8080" or
 * "localabstract:NAME". Does not ask the device whether anybody listens there:
 * a connection that it refuses is closed, and the others go on.
 * device and log (may be NULL) are borrowed until forward_stop.
 */
MUST_USE bool forward_start(struct device *device, const char *local,
                            const char *remote, const struct log *log,
                            struct forward **forward, struct err *err);

/* Where it listens, such as "tcp:40123". Lives as long as the forward. */
const char *forward_local(const struct forward *forward);

/* Stop listening, end all connections (see pumps_stop). NULL is fine. */
void forward_stop(struct forward *forward);

#endif
