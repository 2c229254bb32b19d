/*
 * SPAKE2 on edwards25519, as in BoringSSL and Android's pairing: two sides that
 * share a short password derive a strong common key. An attacker who does not
 * know the password learns nothing that would allow guessing it offline.
 *
 *     struct spake2 spake2;
 *
 *     if (!spake2_init(&spake2, SPAKE2_ALICE, &names, password, size, err))
 *         return false;
 *     send spake2.message, receive theirs
 *     done = spake2_finish(&spake2, theirs, key, err);
 *     spake2_release(&spake2);
 *
 * Both sides then have a key. The keys are equal only if the passwords were;
 * the messages that follow must prove that.
 */
#ifndef ADB_TRUST_SPAKE2_H
#define ADB_TRUST_SPAKE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define SPAKE2_MESSAGE_SIZE 32
#define SPAKE2_KEY_SIZE 64

enum spake2_role {
    SPAKE2_ALICE,
    SPAKE2_BOB,
};

/* The names of the two sides; the same on both sides. Borrowed. */
struct spake2_names {
    const void *alice;
    size_t alice_size;
    const void *bob;
    size_t bob_size;
};

/* One exchange. Everything but the message is secret. */
struct spake2 {
    uint8_t message[SPAKE2_MESSAGE_SIZE]; /* for the other side */
    enum spake2_role role;
    const struct spake2_names *names; /* borrowed */
    uint8_t scalar[32];
    uint8_t their_mask[32];
    uint8_t password_hash[64];
};

/*
 * Start with a password, which is not needed afterwards. names must stay valid
 * until spake2_finish. Fails with ERR_IO when there is no randomness; then
 * nothing has to be released.
 */
MUST_USE bool spake2_init(struct spake2 *spake2, enum spake2_role role,
                          const struct spake2_names *names,
                          const void *password, size_t password_size,
                          struct err *err);

/* Erase the secrets. May be called twice. */
void spake2_release(struct spake2 *spake2);

/*
 * Process the other side's message. Fails with ERR_PROTOCOL when it is not a
 * point on the curve, is our own message, or leads to a key that an attacker
 * could know.
 */
MUST_USE bool spake2_finish(const struct spake2 *spake2,
                            const uint8_t theirs[SPAKE2_MESSAGE_SIZE],
                            uint8_t key[SPAKE2_KEY_SIZE], struct err *err);

#endif
