/*
 * Reverse forwards: the device listens, and each connection reaches us.
 *
 * Directly connected, the device asks us to open the local end, and this is
 * the gate: only local ends that were added here are ever opened, whatever
 * the device asks for. The connections last as long as struct reverse.
 *
 * Through an adb server, the server is who is asked and who opens; only the
 * registering is done here, and it outlives us.
 */
#ifndef ADB_REVERSE_H
#define ADB_REVERSE_H

#include "adb/device.h"
#include "base/log.h"

struct reverse;

/*
 * Prepare for reverse forwards from device. There is one of these at a time for
 * each direct connection, and it has one owner thread. device and log (may be
 * NULL) are borrowed until stop.
 */
MUST_USE bool reverse_start(struct device *device, const struct log *log,
                            struct reverse **reverse, struct err *err);

/*
 * End all connections and open nothing any more (see pumps_stop); the device
 * goes on listening until it is told otherwise or we hang up. NULL is fine.
 */
void reverse_stop(struct reverse *reverse);

/*
 * Let the device listen on remote ("tcp:PORT", "localabstract:NAME", ...) and
 * connect whoever comes to local (see adb/endpoint.h). *port (may be NULL) is
 * the port that the device picked for "tcp:0", and 0 otherwise.
 * rebind: take the place of what remote was connected to before; without it
 * that fails with ERR_REMOTE and the device's words.
 */
MUST_USE bool reverse_add(struct reverse *reverse, const char *remote,
                          const char *local, bool rebind, struct deadline by,
                          uint16_t *port, struct err *err);

/* Take back one, or all that this host has; connections go on. */
MUST_USE bool reverse_remove(struct reverse *reverse, const char *remote,
                             struct deadline by, struct err *err);
MUST_USE bool reverse_remove_all(struct reverse *reverse, struct deadline by,
                                 struct err *err);

/* Told of one that the device has; both are borrowed during the call. */
typedef void reverse_entry_fn(void *context, const char *remote,
                              const char *local);

/* Ask the device what it has. Needs no start. */
MUST_USE bool reverse_list(struct device *device, reverse_entry_fn *entry,
                           void *context, struct deadline by, struct err *err);

#endif
