/*
 * Pairing: a phone shows a code, the user enters it on the computer, and from
 * then on both trust each other. Both sides, over a separate connection.
 *
 *   host                              device
 *   TLS, with any certificates  ◀───▶
 *   SPAKE2 message ────────────▶◀──── SPAKE2 message
 *   public key, encrypted ─────▶
 *                               ◀──── GUID, encrypted
 *
 * The password for SPAKE2 is the code and a secret of this TLS connection. A
 * man in the middle has two connections with different secrets, and fails as a
 * wrong code does.
 */
#ifndef ADB_TRUST_PAIRING_H
#define ADB_TRUST_PAIRING_H

#include <stdbool.h>

#include "adb/transport/transport.h"
#include "adb/trust/keyring.h"

/* Phones show six digits; a code in a QR code may be longer. */
#define PAIRING_CODE_MAX 64

/* The phone's mDNS name, such as "adb-1A2B3C4D-xYzAbC". */
#define PAIRING_GUID_SIZE 128

/*
 * Pair with the phone at the other end of transport, which is always closed.
 * The phone stores the first of keys; guid receives its name.
 *
 * Fails with ERR_UNAUTHORIZED when the code is wrong, with ERR_PROTOCOL when
 * the peer violates the protocol, with ERR_TIMEOUT, ERR_CANCELLED or ERR_LOST.
 */
MUST_USE bool pairing_host(struct transport *transport, const char *code,
                           const struct keyring *keys, struct deadline by,
                           char guid[PAIRING_GUID_SIZE], struct err *err);

/* Stores the public key of a computer, as key_parse_public reads it. */
typedef void pairing_store_fn(void *context, const char *line);

/*
 * The phone's side: own is its key, guid its name. Calls store when the code
 * was right, and answers the computer only then, which may connect with its key
 * at once. Fails as pairing_host does; if sending the answer fails, the key has
 * been stored.
 */
MUST_USE bool pairing_device(struct transport *transport, const char *code,
                             const struct key *own, const char *guid,
                             struct deadline by, pairing_store_fn *store,
                             void *context, struct err *err);

#endif
