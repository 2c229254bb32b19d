/*
 * A struct device as a phone of the adb server.
 *
 * Services pass through unchanged. Requests for reverse forwards are carried
 * out here, over a direct connection: the phone then opens the local end in
 * this process, and only local ends that a client has asked for are connected
 * to. Through an adb server, that server does it.
 */
#ifndef ADB_SERVER_SERVER_PHONE_H
#define ADB_SERVER_SERVER_PHONE_H

#include "adb/device/device.h"
#include "adb/server/adb_server.h"
#include "adb/services/reverse.h"

struct server_phone;

/*
 * device, network (may be NULL: this process's) and log (may be NULL) are
 * borrowed until server_phone_close. Nothing else may use reverse forwards of
 * the device meanwhile.
 */
MUST_USE bool server_phone_open(struct device *device,
                                const struct local_network *network,
                                const struct log *log,
                                struct server_phone **phone, struct err *err);

/*
 * Wrap the streams of reverse forwards, see reverse_set_wrap. Before the phone
 * is shown to clients.
 */
void server_phone_set_wrap(struct server_phone *phone, reverse_wrap_fn *wrap,
                           void *context);

/*
 * End all reverse forwards that clients have added, also on the phone: blocks
 * for a few seconds when it does not answer. After adb_server_stop. NULL is
 * fine.
 */
void server_phone_close(struct server_phone *phone);

/* The phone as the server needs it. Valid until server_phone_close. */
struct adb_server_phone server_phone_show(struct server_phone *phone);

#endif
