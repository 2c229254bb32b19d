/*
 * Trust between a computer and a phone, both sides of it.
 *
 * Over a plain connection the phone sends tokens, and the computer signs them
 * with one key after the other; when none is known there, it offers its public
 * key, and the phone asks its owner. Over TLS the key is in the certificate.
 */
#ifndef ADB_AUTH_H
#define ADB_AUTH_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/lazy_keyring.h"
#include "adb/packet.h"

/* The kinds of AUTH packets: arg0. */
enum auth_kind {
    AUTH_TOKEN = 1,
    AUTH_SIGNED = 2,
    AUTH_PUBLIC_KEY = 3,
};

/* Told once, when the phone asks its owner whether to trust this computer. */
typedef void auth_waiting_fn(void *context);

/* What a host shows. Everything is borrowed. */
struct auth_credentials {
    const struct keyring *keys;
    struct lazy_keyring *lazy; /* where keys is NULL; may be NULL, too */
    auth_waiting_fn *waiting;  /* may be NULL */
    void *context;
    bool never_ask;      /* leave the phone's owner in peace */
    int64_t patience_ms; /* how long the owner may take, if by is sooner */
};

/* The keys to show, borrowed; NULL: none. credentials may be NULL. */
const struct keyring *auth_keys(const struct auth_credentials *credentials);

enum auth_demand {
    AUTH_NOTHING,   /* whoever connects is served */
    AUTH_SIGNATURE, /* a token signed with a known key */
    AUTH_TLS,       /* TLS with a known key in the certificate */
};

/*
 * Asked about a key that is not among the known ones, given by its public
 * line. May block, as the owner of a phone takes time to answer.
 */
typedef bool auth_ask_fn(void *context, const char *public_line);

/* Append the keys of the computers that are trusted at this moment. */
typedef void auth_look_fn(void *context, struct keyring *known);

/* What a device demands. Everything is borrowed. */
struct auth_gate {
    enum auth_demand demand;
    const struct key *own;       /* the device's own key, for TLS */
    const struct keyring *known; /* the computers it trusts */
    auth_look_fn *look;          /* where known is NULL; may be NULL, too */
    auth_ask_fn *ask;            /* NULL: unknown keys are refused */
    void *context;               /* for both */
};

/*
 * The computers that the gate knows now: its own list, or what it looks up,
 * which is then in room, for the caller to release.
 */
const struct keyring *auth_known(const struct auth_gate *gate,
                                 struct keyring *room);

/* ---- the host's side of AUTH ---- */

/* How far we got in showing our keys. */
struct auth_host {
    const struct auth_credentials *credentials;
    size_t tried;
    bool offered; /* the public key was sent; the phone's owner decides */
};

/*
 * Answer one AUTH packet from the device: reply and its payload are what to
 * send, unless payload stays empty: then there is nothing to say but to wait.
 * Fails with ERR_UNAUTHORIZED when there is no key to show.
 */
MUST_USE bool auth_answer(struct auth_host *host, const struct packet *packet,
                          const char *data, struct packet *reply,
                          struct buf *payload, struct err *err);

/* ---- the device's side of AUTH ---- */

/* A device that waits for a valid signature. */
struct auth_device {
    const struct auth_gate *gate;
    uint8_t token[KEY_TOKEN_SIZE];
    size_t rejected;
};

/* A new token to be signed. */
MUST_USE bool auth_challenge(struct auth_device *device, struct err *err);

/*
 * Look at one AUTH packet from the host. *trusted says whether it may come in;
 * if not, it gets another challenge. Fails with ERR_UNAUTHORIZED when it was
 * refused for good, and with ERR_PROTOCOL when it makes no sense.
 */
MUST_USE bool auth_check(struct auth_device *device,
                         const struct packet *packet, const char *data,
                         bool *trusted, struct err *err);

#endif
