/*
 * A phone of the adb server with a recorder in front: services pass through
 * unchanged, and what the client does with them is reported.
 *
 * An action is reported before the phone gets it, and is kept from the phone
 * when the recorder refuses it; the client then gets an error, as if the
 * command had failed. Screenshots and UI trees that the client reads are
 * reported when they are complete.
 */
#ifndef RUNNER_DOORS_RECORDED_PHONE_H
#define RUNNER_DOORS_RECORDED_PHONE_H

#include "adb/server/adb_server.h"
#include "runner/doors/door_recorder.h"

struct recorded_phone;

/* phone is copied; what it and recorder point to is borrowed. Never NULL. */
struct recorded_phone *recorded_phone_open(const struct adb_server_phone *phone,
                                           struct door_recorder *recorder);

/*
 * A connection through a reverse forward, which is recorded as all others
 * (reverse_wrap_fn; context is the recorded phone).
 */
struct stream *recorded_phone_wrap(void *context, const char *remote,
                                   struct stream *stream);

/* All streams must have been closed. NULL is fine. */
void recorded_phone_close(struct recorded_phone *phone);

/* The phone as the server needs it. Valid until recorded_phone_close. */
struct adb_server_phone recorded_phone_show(struct recorded_phone *phone);

#endif
