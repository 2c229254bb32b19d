/* How a connection begins: both sides say what they are and can do. */
#ifndef ADB_HANDSHAKE_H
#define ADB_HANDSHAKE_H

#include <stdint.h>

#include "adb/banner.h"
#include "adb/conn.h"
#include "adb/transport.h"

/* What both sides have agreed on. */
struct handshake {
    struct banner peer;
    uint32_t version;
    uint32_t max_payload;
    bool stls_due; /* the peer has yet to answer STLS, inside of TLS */
};

/*
 * Exchange greetings in the role that options name, and prove who we are if
 * the peer demands it. Blocks until done; on the way, *transport may become
 * an encrypted one over what it was. It stays the caller's to close.
 *
 *   host                        device
 *   CNXN ──────────────────────▶
 *        ◀────────────────────── AUTH token   until a signature is good, or
 *   AUTH signature ────────────▶              the owner accepts the key
 *        ◀────────────────────── STLS         or: go on over TLS
 *   STLS ──────────────────────▶
 *        ◀────────────────────── CNXN
 *
 * Fails with ERR_UNAUTHORIZED when one side does not trust the other,
 * ERR_PROTOCOL when the peer does not speak ADB, ERR_TIMEOUT, ERR_CANCELLED
 * or ERR_LOST.
 */
MUST_USE bool handshake_run(struct transport **transport,
                            const struct conn_options *options,
                            struct deadline by, struct handshake *agreed,
                            struct err *err);

#endif
