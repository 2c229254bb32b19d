#include "adb/trust/pairing_cipher.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <sodium.h>

#include "base/bytes.h"

#define NONCE_SIZE 12

/* HKDF (RFC 5869) with SHA-256, no salt, and AOSP's info string. */
static bool derive(const uint8_t secret[SPAKE2_KEY_SIZE],
                   uint8_t key[PAIRING_CIPHER_KEY_SIZE])
{
    char digest[] = "SHA256";
    char info[] = "adb pairing_auth aes-128-gcm key";
    EVP_KDF *hkdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(hkdf);
    const OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(
            OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)secret, SPAKE2_KEY_SIZE),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info,
                                          sizeof(info) - 1),
        OSSL_PARAM_construct_end(),
    };
    bool done = context && EVP_KDF_derive(context, key, PAIRING_CIPHER_KEY_SIZE,
                                          params) > 0;

    EVP_KDF_CTX_free(context);
    EVP_KDF_free(hkdf);
    return done;
}

bool pairing_cipher_init(struct pairing_cipher *cipher,
                         const uint8_t secret[SPAKE2_KEY_SIZE], struct err *err)
{
    struct pairing_cipher made = {.sealed = 0};

    bool done = derive(secret, made.key);

    if (done)
        *cipher = made;
    pairing_cipher_release(&made);
    return done ||
           err_set(err, ERR_IO, "the key of the pairing cannot be derived");
}

void pairing_cipher_release(struct pairing_cipher *cipher)
{
    sodium_memzero(cipher, sizeof(*cipher));
}

static void make_nonce(uint64_t count, uint8_t nonce[NONCE_SIZE])
{
    put_u64le(nonce, count);
    put_u32le(nonce + 8, 0);
}

bool pairing_cipher_seal(struct pairing_cipher *cipher, const uint8_t *plain,
                         size_t size, uint8_t *sealed, struct err *err)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t nonce[NONCE_SIZE];
    int put = 0;
    bool done;

    make_nonce(cipher->sealed, nonce);
    done = context &&
           EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, cipher->key,
                              nonce) == 1 &&
           EVP_EncryptUpdate(context, sealed, &put, plain, (int)size) == 1 &&
           EVP_EncryptFinal_ex(context, sealed + put, &put) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG,
                               PAIRING_CIPHER_TAG_SIZE, sealed + size) == 1;
    EVP_CIPHER_CTX_free(context);
    if (!done)
        return err_set(err, ERR_IO, "encrypting failed");
    cipher->sealed++;
    return true;
}

bool pairing_cipher_open(struct pairing_cipher *cipher, const uint8_t *sealed,
                         size_t size, uint8_t *plain, struct err *err)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t nonce[NONCE_SIZE];
    int put = 0;
    bool done;

    make_nonce(cipher->opened, nonce);
    done = context &&
           EVP_DecryptInit_ex(context, EVP_aes_128_gcm(), NULL, cipher->key,
                              nonce) == 1 &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG,
                               PAIRING_CIPHER_TAG_SIZE,
                               (void *)(uintptr_t)(sealed + size)) == 1 &&
           EVP_DecryptUpdate(context, plain, &put, sealed, (int)size) == 1 &&
           EVP_DecryptFinal_ex(context, plain + put, &put) == 1;
    EVP_CIPHER_CTX_free(context);
    if (!done)
        return err_set(err, ERR_UNAUTHORIZED,
                       "wrong code, or another computer intercepts "
                       "the connection: pair again with the code on the phone");
    cipher->opened++;
    return true;
}
