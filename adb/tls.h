/*
 * TLS 1.3 over another transport, as phones with wireless debugging want it.
 *
 * The computer is the client and shows a certificate made from its adb key;
 * the phone's certificate proves nothing and is not checked, as in AOSP: what
 * binds both is the pairing that came before.
 */
#ifndef ADB_TLS_H
#define ADB_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/auth.h"
#include "adb/transport.h"

/*
 * Become a TLS client over inner, which the new transport then owns, even on
 * failure. The key is the one of keys that the phone names as known to it;
 * the first where it names none.
 *
 * A phone that does not know the key says so only when something is read:
 * reading then fails with ERR_UNAUTHORIZED.
 */
MUST_USE bool tls_connect(struct transport *inner, const struct keyring *keys,
                          struct deadline by, struct transport **transport,
                          struct err *err);

/*
 * Become a TLS server over inner, with a certificate made from own. With a
 * gate, the client must show a certificate that is valid now, made from a key
 * that the gate knows; without one, any certificate will do, as in pairing.
 * early is what was read from inner already; size 0: nothing was.
 */
MUST_USE bool tls_accept(struct transport *inner, const void *early,
                         size_t early_size, const struct key *own,
                         const struct auth_gate *gate, struct deadline by,
                         struct transport **transport, struct err *err);

/*
 * Block until all that was written is on its way: closing drops the rest.
 * Fails as the inner transport does.
 */
MUST_USE bool tls_drain(struct transport *transport, struct deadline by,
                        struct err *err);

/* Are these the first bytes of a TLS handshake, rather than an ADB packet? */
bool tls_has_begun(const uint8_t *data, size_t size);

/* Secret bytes that only the two ends of this very connection have. */
MUST_USE bool tls_export(struct transport *transport, const char *label,
                         size_t label_length, uint8_t *secret, size_t size,
                         struct err *err);

#endif
