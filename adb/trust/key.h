/*
 * The RSA keys by which a phone recognizes a computer.
 *
 * A private key is a PEM file that only its owner can read. A public key is
 * one line of text: base64 of the structure below, and the name of its owner.
 *
 *   u32 words = 64, u32 n0inv = -1/n mod 2^32, u8 n[256], u8 rr[256] (2^4096
 *   mod n), u32 e; all numbers little-endian, as Android's code reads them.
 */
#ifndef ADB_TRUST_KEY_H
#define ADB_TRUST_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

#include "base/buf.h"
#include "base/err.h"

#define KEY_TOKEN_SIZE 20
#define KEY_SIGNATURE_SIZE 256
#define KEY_PUBLIC_TEXT_MAX 1024
#define KEY_FINGERPRINT_SIZE 65 /* SHA-256 in hexadecimal, and a NUL */

struct key;

/* Generate a private key of 2048 bits. */
MUST_USE bool key_generate(struct key **key, struct err *err);

/* Read a private key. Fails with ERR_INVALID when it is not an RSA-2048 key. */
MUST_USE bool key_read(const char *path, struct key **key, struct err *err);

/*
 * Write the private key to path, readable by its owner only, and the public key
 * to path.pub. Fails with ERR_INVALID when path exists; it is then unchanged.
 */
MUST_USE bool key_write(const struct key *key, const char *path,
                        struct err *err);

/* Read a public line written by key_public_text or by Android's adb. */
MUST_USE bool key_parse_public(const char *text, size_t length,
                               struct key **key, struct err *err);

/* NULL is fine. */
void key_close(struct key *key);

/* Append the public line, without a newline. */
MUST_USE bool key_public_text(const struct key *key, struct buf *text,
                              struct err *err);

/* Sign a token as phones expect it: the token is used as a SHA-1 digest. */
MUST_USE bool key_sign(const struct key *key,
                       const uint8_t token[KEY_TOKEN_SIZE],
                       uint8_t signature[KEY_SIGNATURE_SIZE], struct err *err);

/* Is this the signature of the token by this key? */
bool key_verifies(const struct key *key, const uint8_t token[KEY_TOKEN_SIZE],
                  const void *signature, size_t length);

/* SHA-256 of the public key, in upper-case hexadecimal. */
MUST_USE bool key_fingerprint(const struct key *key,
                              char fingerprint[KEY_FINGERPRINT_SIZE],
                              struct err *err);

/* The key for TLS; borrowed. */
EVP_PKEY *key_pkey(const struct key *key);

#endif
