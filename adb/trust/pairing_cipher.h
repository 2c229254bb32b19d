/*
 * AES-128-GCM with the key that SPAKE2 produced. It proves that both sides were
 * given the same code.
 *
 * As in AOSP, both directions count from 0 with the same key, so a peer could
 * send our own bytes back to us: the content must show which side sent it.
 */
#ifndef ADB_TRUST_PAIRING_CIPHER_H
#define ADB_TRUST_PAIRING_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/trust/spake2.h"
#include "base/err.h"

#define PAIRING_CIPHER_KEY_SIZE 16
#define PAIRING_CIPHER_TAG_SIZE 16

struct pairing_cipher {
    uint8_t key[PAIRING_CIPHER_KEY_SIZE];
    uint64_t sealed; /* number of sealed messages: the next nonce */
    uint64_t opened;
};

MUST_USE bool pairing_cipher_init(struct pairing_cipher *cipher,
                                  const uint8_t secret[SPAKE2_KEY_SIZE],
                                  struct err *err);

/* Erase the key. May be called twice. */
void pairing_cipher_release(struct pairing_cipher *cipher);

/* sealed has room for size bytes and the tag. */
MUST_USE bool pairing_cipher_seal(struct pairing_cipher *cipher,
                                  const uint8_t *plain, size_t size,
                                  uint8_t *sealed, struct err *err);

/*
 * The inverse: sealed has size bytes and the tag, plain receives size bytes.
 * Fails with ERR_UNAUTHORIZED when the peer has another key; the content of
 * plain is then undefined.
 */
MUST_USE bool pairing_cipher_open(struct pairing_cipher *cipher,
                                  const uint8_t *sealed, size_t size,
                                  uint8_t *plain, struct err *err);

#endif
