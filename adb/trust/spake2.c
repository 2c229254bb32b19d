/*
 * B generates the subgroup of prime order l; M and N are fixed points. Alice
 * sends a*B + w*M, Bob b*B + w*N, where w comes from the password; each removes
 * the other's mask, and both compute K = a*b*B.
 *
 * BoringSSL makes a, b and w multiples of 8 so that the part of a hostile point
 * outside the subgroup vanishes. libsodium works only inside it, so here
 * the points are multiplied by 8 instead, and w is divided by 8 modulo l: the
 * results are the same.
 */
#include "adb/trust/spake2.h"

#include <string.h>

#include <sodium.h>

#include "base/bytes.h"

#define POINT_SIZE crypto_core_ed25519_BYTES
#define SCALAR_SIZE crypto_core_ed25519_SCALARBYTES

static const uint8_t point_m[POINT_SIZE] = {
    0x5a, 0xda, 0x7e, 0x4b, 0xf6, 0xdd, 0xd9, 0xad, 0xb6, 0x62, 0x6d,
    0x32, 0x13, 0x1c, 0x6b, 0x5c, 0x51, 0xa1, 0xe3, 0x47, 0xa3, 0x47,
    0x8f, 0x53, 0xcf, 0xcf, 0x44, 0x1b, 0x88, 0xee, 0xd1, 0x2e,
};

static const uint8_t point_n[POINT_SIZE] = {
    0x10, 0xe3, 0xdf, 0x0a, 0xe3, 0x7d, 0x8e, 0x7a, 0x99, 0xb5, 0xfe,
    0x74, 0xb4, 0x46, 0x72, 0x10, 0x3d, 0xbd, 0xdc, 0xbd, 0x06, 0xaf,
    0x68, 0x0d, 0x71, 0x32, 0x9a, 0x11, 0x69, 0x3b, 0xc7, 0x78,
};

static const uint8_t eight[SCALAR_SIZE] = {8};

/* 8 * point, which is in the subgroup. False: point is not on the curve. */
static bool into_subgroup(const uint8_t point[POINT_SIZE],
                          uint8_t product[POINT_SIZE])
{
    return !crypto_core_ed25519_add(product, point, point) &&
           !crypto_core_ed25519_add(product, product, product) &&
           !crypto_core_ed25519_add(product, product, product);
}

/* w * point. False only for a password that hashes to 0. */
static bool make_mask(const uint8_t password_hash[64],
                      const uint8_t point[POINT_SIZE], uint8_t mask[POINT_SIZE])
{
    uint8_t scalar[SCALAR_SIZE];
    uint8_t eighth[SCALAR_SIZE];
    uint8_t in_subgroup[POINT_SIZE];
    bool made;

    crypto_core_ed25519_scalar_reduce(scalar, password_hash);
    made = !crypto_core_ed25519_scalar_invert(eighth, eight) &&
           into_subgroup(point, in_subgroup);
    crypto_core_ed25519_scalar_mul(scalar, scalar, eighth);
    made =
        made && !crypto_scalarmult_ed25519_noclamp(mask, scalar, in_subgroup);
    sodium_memzero(scalar, sizeof(scalar));
    return made;
}

/* message = 8 * scalar * B + mask, with a new scalar. */
static bool make_message(struct spake2 *spake2, const uint8_t mask[POINT_SIZE])
{
    uint8_t multiple[SCALAR_SIZE];
    uint8_t point[POINT_SIZE];
    bool made;

    crypto_core_ed25519_scalar_random(spake2->scalar);
    crypto_core_ed25519_scalar_mul(multiple, spake2->scalar, eight);
    made = !crypto_scalarmult_ed25519_base_noclamp(point, multiple) &&
           !crypto_core_ed25519_add(spake2->message, point, mask);
    sodium_memzero(multiple, sizeof(multiple));
    sodium_memzero(point, sizeof(point));
    return made;
}

bool spake2_init(struct spake2 *spake2, enum spake2_role role,
                 const struct spake2_names *names, const void *password,
                 size_t password_size, struct err *err)
{
    bool is_alice = role == SPAKE2_ALICE;
    uint8_t mask[POINT_SIZE];
    bool made;

    if (sodium_init() < 0)
        return err_set(err, ERR_IO, "no random numbers are available");
    *spake2 = (struct spake2){.role = role, .names = names};
    crypto_hash_sha512(spake2->password_hash, password, password_size);
    made =
        make_mask(spake2->password_hash, is_alice ? point_m : point_n, mask) &&
        make_mask(spake2->password_hash, is_alice ? point_n : point_m,
                  spake2->their_mask) &&
        make_message(spake2, mask);
    sodium_memzero(mask, sizeof(mask));
    if (!made) {
        spake2_release(spake2);
        return err_set(err, ERR_IO, "the password cannot be used");
    }
    return true;
}

void spake2_release(struct spake2 *spake2)
{
    sodium_memzero(spake2, sizeof(*spake2));
}

/* scalar * 8 * (theirs - their mask). */
static bool make_shared(const struct spake2 *spake2,
                        const uint8_t theirs[POINT_SIZE],
                        uint8_t shared[POINT_SIZE], struct err *err)
{
    uint8_t point[POINT_SIZE];
    bool made;

    if (crypto_core_ed25519_sub(point, theirs, spake2->their_mask))
        return err_set(err, ERR_PROTOCOL,
                       "the peer's message is not a point on the curve");
    made = into_subgroup(point, point) &&
           !crypto_scalarmult_ed25519_noclamp(shared, spake2->scalar, point);
    sodium_memzero(point, sizeof(point));
    return made || err_set(err, ERR_PROTOCOL,
                           "the peer's message leads to a known key");
}

static void add_to_hash(crypto_hash_sha512_state *hash, const void *data,
                        size_t size)
{
    uint8_t prefix[8];

    put_u64le(prefix, size);
    crypto_hash_sha512_update(hash, prefix, sizeof(prefix));
    crypto_hash_sha512_update(hash, data, size);
}

/* The key depends on all messages, in the same order on both sides. */
static void make_key(const struct spake2 *spake2,
                     const uint8_t theirs[SPAKE2_MESSAGE_SIZE],
                     const uint8_t shared[POINT_SIZE],
                     uint8_t key[SPAKE2_KEY_SIZE])
{
    const struct spake2_names *names = spake2->names;
    bool is_alice = spake2->role == SPAKE2_ALICE;
    crypto_hash_sha512_state hash;

    crypto_hash_sha512_init(&hash);
    add_to_hash(&hash, names->alice, names->alice_size);
    add_to_hash(&hash, names->bob, names->bob_size);
    add_to_hash(&hash, is_alice ? spake2->message : theirs,
                SPAKE2_MESSAGE_SIZE);
    add_to_hash(&hash, is_alice ? theirs : spake2->message,
                SPAKE2_MESSAGE_SIZE);
    add_to_hash(&hash, shared, POINT_SIZE);
    add_to_hash(&hash, spake2->password_hash, sizeof(spake2->password_hash));
    crypto_hash_sha512_final(&hash, key);
    sodium_memzero(&hash, sizeof(hash));
}

bool spake2_finish(const struct spake2 *spake2,
                   const uint8_t theirs[SPAKE2_MESSAGE_SIZE],
                   uint8_t key[SPAKE2_KEY_SIZE], struct err *err)
{
    uint8_t shared[POINT_SIZE];

    if (!memcmp(theirs, spake2->message, SPAKE2_MESSAGE_SIZE))
        return err_set(err, ERR_PROTOCOL, "the peer sent our own message back");
    if (!make_shared(spake2, theirs, shared, err))
        return false;
    make_key(spake2, theirs, shared, key);
    sodium_memzero(shared, sizeof(shared));
    return true;
}
