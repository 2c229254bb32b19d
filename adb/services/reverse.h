/*
 * Reverse forwards: the device listens, and each connection is forwarded to
 * this computer.
 *
 * Over a direct connection, the device asks this process to open the local end.
 * Only local ends that were added here are opened, whatever the device asks
 * for. The connections last as long as struct reverse.
 *
 * Through an adb server, the device asks the server, which opens the local end.
 * This module only registers the forward, which outlives this process. With
 * reverse_set_wrap or reverse_set_network, reverse_request lets a server on
 * this computer connect to a port of this process instead, which does the rest.
 */
#ifndef ADB_SERVICES_REVERSE_H
#define ADB_SERVICES_REVERSE_H

#include "adb/device/device.h"
#include "adb/services/local_endpoint.h"
#include "adb/services/pump_set.h"
#include "base/log.h"

struct reverse;

/*
 * Prepare for reverse forwards of device. At most one at a time for each direct
 * connection, with one owner thread. device and log (may be NULL) are borrowed
 * until reverse_stop.
 */
MUST_USE bool reverse_start(struct device *device, const struct log *log,
                            struct reverse **reverse, struct err *err);

/*
 * Report connections that could not be served: those beyond PUMP_SET_MAX, and
 * those that the local end refused. Connections through an adb server are not
 * reported.
 */
void reverse_watch(struct reverse *reverse, pump_set_refused_fn *refused,
                   void *context);

/*
 * Connect to local ends in another network (borrowed); NULL: in this
 * process's. Before the first forward is added.
 */
void reverse_set_network(struct reverse *reverse,
                         const struct local_network *network);

/*
 * Called for each connection of the device when its local end is connected,
 * from any thread: remote is where the device listens, and stream leads to it.
 * Returns the stream to be used instead, which owns the given one.
 */
typedef struct stream *reverse_wrap_fn(void *context, const char *remote,
                                       struct stream *stream);

/*
 * Before the first forward is added. Through an adb server, only called for
 * forwards of reverse_request, and if the server is on this computer.
 */
void reverse_set_wrap(struct reverse *reverse, reverse_wrap_fn *wrap,
                      void *context);

/*
 * End all connections and open no further ones (see pump_set_stop); the device
 * continues to listen until the forward is removed or the connection ends. NULL
 * is fine.
 */
void reverse_stop(struct reverse *reverse);

/*
 * Let the device listen on remote ("tcp:PORT", "localabstract:NAME", ...) and
 * forward each connection to local (see adb/services/local_endpoint.h). *port
 * (may be NULL) is the port that the device picked for "tcp:0", otherwise 0.
 * rebind: replace an existing forward of remote; without it that fails with
 * ERR_REMOTE and the device's message.
 */
MUST_USE bool reverse_add(struct reverse *reverse, const char *remote,
                          const char *local, bool rebind, struct deadline by,
                          uint16_t *port, struct err *err);

/* Remove one, or all of this host; existing connections continue. */
MUST_USE bool reverse_remove(struct reverse *reverse, const char *remote,
                             struct deadline by, struct err *err);
MUST_USE bool reverse_remove_all(struct reverse *reverse, struct deadline by,
                                 struct err *err);

/*
 * Remove those that were added here, and no others of the same host. One that
 * the device has removed meanwhile is no failure.
 */
MUST_USE bool reverse_remove_added(struct reverse *reverse, struct deadline by,
                                   struct err *err);

/*
 * Send a request ("reverse:forward:[norebind:]REMOTE;LOCAL",
 * "reverse:killforward:REMOTE", ...) as a client of an adb server has written
 * it, with the same effect as the functions above; reply receives the
 * device's answer, also when that is a FAIL. A list names the local ends that
 * were asked for. From any thread.
 */
MUST_USE bool reverse_request(struct reverse *reverse, const char *request,
                              struct deadline by, struct buf *reply,
                              struct err *err);

/* Called for each forward of the device; both texts are borrowed. */
typedef void reverse_entry_fn(void *context, const char *remote,
                              const char *local);

/* List the forwards of the device. Needs no struct reverse. */
MUST_USE bool reverse_list(struct device *device, reverse_entry_fn *entry,
                           void *context, struct deadline by, struct err *err);

#endif
