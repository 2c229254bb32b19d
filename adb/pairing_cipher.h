/*
 * AES-128-GCM under the key that SPAKE2 has led to: what proves that both
 * sides were given the same code.
 *
 * As in AOSP, both directions count from 0 under one key, so a peer could send
 * our own bytes back to us: what they say must show whose they are.
 */
#ifndef ADB_PAIRING_CIPHER_H
#define ADB_PAIRING_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/spake2.h"
#include "base/err.h"

#define PAIRING_CIPHER_KEY_SIZE 16
#define PAIRING_CIPHER_TAG_SIZE 16

struct pairing_cipher {
    uint8_t key[PAIRING_CIPHER_KEY_SIZE];
    uint64_t sealed; /* how many so far: the next nonce */
    uint64_t opened;
};

MUST_USE bool pairing_cipher_init(struct pairing_cipher *cipher,
                                  const uint8_t secret[SPAKE2_KEY_SIZE],
                                  struct err *err);

/* Forget the key. May be called twice. */
void pairing_cipher_release(struct pairing_cipher *cipher);

/* sealed has room for size bytes and the tag. */
MUST_USE bool pairing_cipher_seal(struct pairing_cipher *cipher,
                                  const uint8_t *plain, size_t size,
                                  uint8_t *sealed, struct err *err);

/*
 * The other way: sealed has size bytes and the tag, plain takes size.
 * Fails with ERR_UNAUTHORIZED when the peer has another key; plain then holds
 * nothing that could be trusted.
 */
MUST_USE bool pairing_cipher_open(struct pairing_cipher *cipher,
                                  const uint8_t *sealed, size_t size,
                                  uint8_t *plain, struct err *err);

#endif
