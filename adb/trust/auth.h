/*
 * Authorization between a computer and a phone, both sides.
 *
 * Over a plain connection the phone sends tokens, and the computer signs each
 * with its next key; when the phone knows none of the keys, the computer sends
 * its public key, and the phone asks its owner. Over TLS the key is in the
 * certificate.
 */
#ifndef ADB_TRUST_AUTH_H
#define ADB_TRUST_AUTH_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/trust/lazy_keyring.h"
#include "adb/wire/packet.h"
#include "base/deadline.h"

/* The kinds of AUTH packets: arg0. */
enum auth_kind {
    AUTH_TOKEN = 1,
    AUTH_SIGNED = 2,
    AUTH_PUBLIC_KEY = 3,
};

/* Called once, when the phone asks its owner whether to trust this computer. */
typedef void auth_waiting_fn(void *context);

/* The keys of a host, and how to ask. All pointers are borrowed. */
struct auth_credentials {
    const struct keyring *keys;
    struct lazy_keyring *lazy; /* used if keys is NULL; may be NULL */
    auth_waiting_fn *waiting;  /* may be NULL */
    void *context;
    bool never_ask;        /* never let the phone ask its owner */
    int64_t timeout_ms;    /* time for the owner, if by is sooner */
    struct deadline limit; /* upper limit for that time; zero: none */
};

/* The keys, borrowed; NULL: none. credentials may be NULL. */
const struct keyring *auth_keys(const struct auth_credentials *credentials);

/*
 * Fail with ERR_UNAUTHORIZED because there is no key, with the reason if it is
 * known. Always false.
 */
bool auth_fail_without_keys(const struct auth_credentials *credentials,
                            struct err *err);

enum auth_demand {
    AUTH_NOTHING,   /* every host is accepted */
    AUTH_SIGNATURE, /* a token signed with a known key */
    AUTH_TLS,       /* TLS with a known key in the certificate */
};

/*
 * Called for a key that is not known, with its public line. Returns whether to
 * accept it. May block, since the owner of a phone needs time to answer.
 */
typedef bool auth_ask_fn(void *context, const char *public_line);

/* Append the keys of the computers that are trusted at this moment. */
typedef void auth_look_fn(void *context, struct keyring *known);

/* The requirements of a device for hosts. All pointers are borrowed. */
struct auth_policy {
    enum auth_demand demand;
    const struct key *own;       /* the device's own key, for TLS */
    const struct keyring *known; /* keys of the trusted computers */
    auth_look_fn *look;          /* used if known is NULL; may be NULL */
    auth_ask_fn *ask;            /* NULL: unknown keys are refused */
    void *context;               /* for look and ask */
};

/*
 * The keys that are trusted now: policy->known, or the result of policy->look,
 * which is stored in room. The caller releases room in both cases.
 */
const struct keyring *auth_known(const struct auth_policy *policy,
                                 struct keyring *room);

/* ---- the host's side of AUTH ---- */

/* Which keys were tried so far. */
struct auth_host {
    const struct auth_credentials *credentials;
    size_t tried;
    bool offered; /* the public key was sent; the phone's owner decides */
};

/*
 * Answer an AUTH packet of the device. reply and payload are to be sent, unless
 * payload stays empty: then the host only waits. Fails with ERR_UNAUTHORIZED
 * when there is no key.
 */
MUST_USE bool auth_answer(struct auth_host *host, const struct packet *packet,
                          const char *data, struct packet *reply,
                          struct buf *payload, struct err *err);

/* ---- the device's side of AUTH ---- */

/* A device that waits for a valid signature. */
struct auth_device {
    const struct auth_policy *policy;
    uint8_t token[KEY_TOKEN_SIZE];
    size_t rejected;
};

/* Make a new token to be signed. */
MUST_USE bool auth_challenge(struct auth_device *device, struct err *err);

/*
 * Check an AUTH packet of the host. *trusted: the host is accepted; otherwise
 * it gets another challenge. Fails with ERR_UNAUTHORIZED when the host is
 * rejected, and with ERR_PROTOCOL when the packet is invalid.
 */
MUST_USE bool auth_check(struct auth_device *device,
                         const struct packet *packet, const char *data,
                         bool *trusted, struct err *err);

#endif
