/*
 * TLS 1.3 over another transport, as phones with wireless debugging require it.
 *
 * The computer is the client and presents a certificate made from its adb key.
 * The phone's certificate is not checked, as in AOSP: the phone is trusted
 * because of the earlier pairing.
 */
#ifndef ADB_TRUST_TLS_H
#define ADB_TRUST_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport/transport.h"
#include "adb/trust/auth.h"

/*
 * Become a TLS client over inner, which the new transport then owns, even on
 * failure. Uses the key that the phone lists as known, or the first one if it
 * lists none.
 *
 * A phone that does not know the key reports that only when something is read:
 * reading then fails with ERR_UNAUTHORIZED.
 */
MUST_USE bool tls_connect(struct transport *inner, const struct keyring *keys,
                          struct deadline by, struct transport **transport,
                          struct err *err);

/*
 * Become a TLS server over inner, with a certificate made from own. With a
 * policy, the client must present a certificate that is valid now, made from a
 * key that the policy trusts; without one every certificate is accepted, as in
 * pairing. early holds bytes that were already read from inner; size may be 0.
 */
MUST_USE bool tls_accept(struct transport *inner, const void *early,
                         size_t early_size, const struct key *own,
                         const struct auth_policy *policy, struct deadline by,
                         struct transport **transport, struct err *err);

/*
 * Block until all written data has been sent: closing drops the rest. Fails as
 * the inner transport does.
 */
MUST_USE bool tls_drain(struct transport *transport, struct deadline by,
                        struct err *err);

/* Are these the first bytes of a TLS handshake, rather than an ADB packet? */
bool tls_has_begun(const uint8_t *data, size_t size);

/*
 * Secret bytes that only the two ends of this connection have (RFC 8446,
 * exporters).
 */
MUST_USE bool tls_export(struct transport *transport, const char *label,
                         size_t label_length, uint8_t *secret, size_t size,
                         struct err *err);

#endif
