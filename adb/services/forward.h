/*
 * A forward: this computer listens, and each connection is forwarded to the
 * device.
 *
 * The listener is in this process, which opens the remote end for each
 * connection. So it works in the same way over a direct connection and through
 * an adb server, whose own forwards are not used.
 */
#ifndef ADB_SERVICES_FORWARD_H
#define ADB_SERVICES_FORWARD_H

#include "adb/device/device.h"
#include "adb/services/local_endpoint.h"
#include "adb/services/pump_set.h"
#include "base/log.h"

struct forward;

/*
 * Listen on local (see adb/services/local_endpoint.h; tcp:0 picks a free port)
 * and forward each connection to remote on the device, a service such as
 * "tcp:8080" or "localabstract:NAME". Does not check whether anything listens
 * there: a connection that the device refuses is closed, and the others
 * continue. device and log (may be NULL) are borrowed until forward_stop.
 */
MUST_USE bool forward_start(struct device *device, const char *local,
                            const char *remote, const struct log *log,
                            struct forward **forward, struct err *err);

/* How a forward reaches the phone, and where it listens. */
struct forward_options {
    /* Open the remote end of one connection; from any thread, blocks. */
    bool (*open)(void *context, const char *remote, struct deadline by,
                 struct stream **stream, struct err *err);
    void *context;                       /* borrowed until forward_stop */
    const struct local_network *network; /* borrowed; NULL: this process's */
    const struct log *log;               /* borrowed; may be NULL */
};

/* The same over any way to a phone. */
MUST_USE bool forward_start_with(const struct forward_options *options,
                                 const char *local, const char *remote,
                                 struct forward **forward, struct err *err);

/* The local address, such as "tcp:40123". Valid as long as the forward. */
const char *forward_local(const struct forward *forward);

/*
 * Report connections that could not be served: those beyond PUMP_SET_MAX, which
 * are reset, and those that the device refused, which are closed.
 */
void forward_watch(struct forward *forward, pump_set_refused_fn *refused,
                   void *context);

/* Stop listening, end all connections (see pump_set_stop). NULL is fine. */
void forward_stop(struct forward *forward);

#endif
