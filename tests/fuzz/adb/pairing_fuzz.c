/* Bytes of a pairing peer: a header, a point, sealed bytes. */
#include <string.h>

#include "adb/trust/pairing_cipher.h"
#include "adb/trust/pairing_frame.h"
#include "adb/trust/spake2.h"
#include "tests/fuzz/fuzz.h"

#define SEALED_MAX 8192

static const struct spake2_names names = {"a", 1, "b", 1};

/* An accepted header is the same after encoding. */
static void read_header(const uint8_t *data, size_t size)
{
    const struct pairing_frame due = {PAIRING_SPAKE2, SPAKE2_MESSAGE_SIZE};
    uint8_t again[PAIRING_FRAME_HEADER_SIZE];
    struct err err;

    if (size < sizeof(again) || !pairing_frame_expect(data, &due, &err))
        return;
    pairing_frame_encode(&due, again);
    fuzz_expect(!memcmp(data, again, sizeof(again)));
}

static void read_point(const uint8_t *data, size_t size)
{
    uint8_t key[SPAKE2_KEY_SIZE];
    struct spake2 spake2;
    struct err err = ERR_INIT;

    if (size < SPAKE2_MESSAGE_SIZE ||
        !spake2_init(&spake2, SPAKE2_ALICE, &names, "1", 1, &err))
        return;
    fuzz_expect(spake2_finish(&spake2, data, key, &err) ||
                err.code == ERR_PROTOCOL);
    spake2_release(&spake2);
}

/* Nothing can be sealed without the key. */
static void read_sealed(const uint8_t *data, size_t size)
{
    static const uint8_t secret[SPAKE2_KEY_SIZE] = {1};
    static uint8_t plain[SEALED_MAX];
    struct pairing_cipher cipher;
    struct err err;

    if (size < PAIRING_CIPHER_TAG_SIZE || size > SEALED_MAX ||
        !pairing_cipher_init(&cipher, secret, &err))
        return;
    fuzz_expect(!pairing_cipher_open(
        &cipher, data, size - PAIRING_CIPHER_TAG_SIZE, plain, &err));
    pairing_cipher_release(&cipher);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_header(data, size);
    read_point(data, size);
    read_sealed(data, size);
    return 0;
}
