/* The handshake at the start of a connection. */
#ifndef ADB_CONNECTION_HANDSHAKE_H
#define ADB_CONNECTION_HANDSHAKE_H

#include <stdint.h>

#include "adb/connection/conn.h"
#include "adb/transport/transport.h"
#include "adb/wire/banner.h"

/* The result of the handshake. */
struct handshake {
    struct banner peer;
    uint32_t version;
    uint32_t max_payload;
    bool stls_due; /* the peer's answer to STLS is still to come, inside TLS */
};

/*
 * Exchange CNXN packets in the role given by options, and authenticate if the
 * peer requires it. Blocks until done. *transport may be replaced by an
 * encrypted one that wraps it. The caller closes it in any case.
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
