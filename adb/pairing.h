/*
 * Pairing: a computer and a phone that show each other a code once trust each
 * other from then on. Both sides of it, over a connection of its own.
 *
 *   host                              device
 *   TLS, with any certificates  ◀───▶
 *   SPAKE2 message ────────────▶◀──── SPAKE2 message
 *   public key, encrypted ─────▶◀──── GUID, encrypted
 *
 * What SPAKE2 works on is the code and a secret of this very TLS connection,
 * so whoever sits in between has two different ones and fails as a wrong code
 * does.
 */
#ifndef ADB_PAIRING_H
#define ADB_PAIRING_H

#include <stdbool.h>

#include "adb/keyring.h"
#include "adb/transport.h"
#include "base/buf.h"

/* Phones show six digits; a code in a picture may be longer. */
#define PAIRING_CODE_MAX 64

/* What a phone calls itself, such as "adb-1A2B3C4D-xYzAbC". */
#define PAIRING_GUID_SIZE 128

/*
 * Pair with the phone at the other end of transport, which is closed in any
 * case. It gets to know the first of keys; guid is what it calls itself.
 *
 * Fails with ERR_UNAUTHORIZED when the code is wrong, with ERR_PROTOCOL when
 * the peer breaks the rules, with ERR_TIMEOUT, ERR_CANCELLED or ERR_LOST.
 */
MUST_USE bool pairing_host(struct transport *transport, const char *code,
                           const struct keyring *keys, struct deadline by,
                           char guid[PAIRING_GUID_SIZE], struct err *err);

/*
 * The phone's side: own is its key, and guid what it calls itself. On success
 * the computer's public key is appended to line, as key_parse_public reads
 * it. Fails as pairing_host does.
 */
MUST_USE bool pairing_device(struct transport *transport, const char *code,
                             const struct key *own, const char *guid,
                             struct deadline by, struct buf *line,
                             struct err *err);

#endif
