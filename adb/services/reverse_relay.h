/*
 * A port of this process that an adb server connects to in place of the local
 * end of a reverse forward, so that the connections pass through here.
 */
#ifndef ADB_SERVICES_REVERSE_RELAY_H
#define ADB_SERVICES_REVERSE_RELAY_H

#include "adb/services/pump_set.h"

struct reverse_relay;

/* "tcp:PORT" */
#define REVERSE_RELAY_NAME_MAX 16

/*
 * Listen on loopback, and give each connection to pump_set (borrowed) with this
 * target.
 */
MUST_USE bool reverse_relay_start(struct pump_set *pump_set, const char *target,
                                  struct reverse_relay **relay,
                                  struct err *err);

/* Where it listens, as the server gets it. */
const char *reverse_relay_name(const struct reverse_relay *relay);

/* Accept no more; connections stay in the pump_set. NULL is fine. */
void reverse_relay_stop(struct reverse_relay *relay);

#endif
