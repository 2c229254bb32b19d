/*
 * Phones that this computer does not know yet: connect to an address, or pair
 * with a phone that shows a code, and remember the address.
 */
#ifndef ADB_DISCOVER_NEW_PHONE_H
#define ADB_DISCOVER_NEW_PHONE_H

#include "adb/discover/discover.h"
#include "adb/trust/pairing.h"

#define NEW_PHONE_PORT 5555 /* where adb tcpip and emulators listen */

/*
 * Check whether a phone answers at HOST or HOST:PORT, and remember it in the
 * user's file. remembered gets the address as it is stored. Fails as
 * device_open_tcp and known_hosts_add.
 */
MUST_USE bool new_phone_connect(const struct discover *discover,
                                const char *address, struct deadline by,
                                char remembered[TCP_ADDRESS_MAX],
                                struct err *err);

/*
 * Pair with the phone that shows a code at host and port; guid receives its
 * name. Fails as pairing_host, and with ERR_INVALID for a port where a phone
 * only lets hosts connect.
 */
MUST_USE bool new_phone_pair(const struct discover *discover, const char *host,
                             uint16_t port, const char *code,
                             struct deadline by, char guid[PAIRING_GUID_SIZE],
                             struct err *err);

/*
 * A paired phone listens on another port now: wait until it announces where.
 * Fails as mdns_find.
 */
MUST_USE bool new_phone_find(const struct discover *discover, const char *guid,
                             struct deadline by, char address[TCP_ADDRESS_MAX],
                             struct err *err);

/* Remember an address in the user's file. Fails as known_hosts_add. */
MUST_USE bool new_phone_remember(const char *address, struct err *err);

#endif
