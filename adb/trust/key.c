#include "adb/trust/key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/mem.h"

#define KEY_BITS 2048
#define KEY_BYTES (KEY_BITS / 8)
#define KEY_WORDS (KEY_BYTES / 4)
#define FILE_MAX ((size_t)16 * 1024)

/* The offset of each field of the public structure. */
enum key_field {
    BLOB_WORDS = 0,
    BLOB_N0INV = 4,
    BLOB_N = 8,
    BLOB_RR = BLOB_N + KEY_BYTES,
    BLOB_E = BLOB_RR + KEY_BYTES,
    BLOB_SIZE = BLOB_E + 4,
};

struct key {
    EVP_PKEY *pkey; /* owned */
};

static struct key *key_wrap(EVP_PKEY *pkey)
{
    struct key *key = mem_new(1, sizeof(*key));

    key->pkey = pkey;
    return key;
}

void key_close(struct key *key)
{
    if (!key)
        return;
    EVP_PKEY_free(key->pkey);
    free(key);
}

EVP_PKEY *key_pkey(const struct key *key)
{
    return key->pkey;
}

bool key_generate(struct key **key, struct err *err)
{
    EVP_PKEY *pkey = EVP_RSA_gen(KEY_BITS);

    if (!pkey)
        return err_set(err, ERR_IO, "generating a key failed");
    *key = key_wrap(pkey);
    return true;
}

/* ---- files ---- */

/* Never asks for a passphrase: adb keys have none. */
static int no_passphrase(char *text, int size, int writing, void *context)
{
    (void)text, (void)size, (void)writing, (void)context;
    return -1;
}

/*
 * In a damaged file the parts may not match: check that a signature verifies.
 */
static bool does_sign(const struct key *key)
{
    static const uint8_t token[KEY_TOKEN_SIZE] = {0};
    uint8_t signature[KEY_SIGNATURE_SIZE];
    struct err err;

    return key_sign(key, token, signature, &err) &&
           key_verifies(key, token, signature, sizeof(signature));
}

static bool contains(const struct buf *pem, const char *text)
{
    return pem->length && memmem(pem->data, pem->length, text, strlen(text));
}

/* Explain why a file contains no usable key. Always false. */
static bool fail_unusable(const struct buf *pem, EVP_PKEY *pkey,
                          struct err *err)
{
    if (!pem->length)
        return err_set(err, ERR_INVALID, "the file is empty");
    if (!pkey && contains(pem, "ENCRYPTED"))
        return err_set(err, ERR_INVALID,
                       "it is encrypted, and adb keys have no passphrase");
    if (!pkey)
        return err_set(err, ERR_INVALID,
                       "it is not a private key in PEM format");
    if (EVP_PKEY_get_base_id(pkey) != EVP_PKEY_RSA)
        return err_set(err, ERR_INVALID,
                       "it is a key for %s, and phones take RSA only",
                       EVP_PKEY_get0_type_name(pkey));
    return err_set(err, ERR_INVALID,
                   "it has %d bits, and phones take 2048 only",
                   EVP_PKEY_get_bits(pkey));
}

static bool parse_private(const struct buf *pem, struct key **key,
                          struct err *err)
{
    BIO *bio = BIO_new_mem_buf(pem->data, (int)pem->length);
    EVP_PKEY *pkey =
        bio ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
    struct key *made;

    BIO_free(bio);
    if (!pkey || EVP_PKEY_get_base_id(pkey) != EVP_PKEY_RSA ||
        EVP_PKEY_get_bits(pkey) != KEY_BITS) {
        fail_unusable(pem, pkey, err);
        EVP_PKEY_free(pkey);
        return false;
    }
    made = key_wrap(pkey);
    if (!does_sign(made)) {
        key_close(made);
        return err_set(err, ERR_INVALID,
                       "it is damaged: its signatures do not verify");
    }
    *key = made;
    return true;
}

bool key_read(const char *path, struct key **key, struct err *err)
{
    struct buf pem = BUF_INIT(FILE_MAX);
    /* Reserved at once: growing would leave copies of the key in memory. */
    char *secret = buf_reserve(&pem, FILE_MAX);
    bool done = file_load(path, &pem, err) && parse_private(&pem, key, err);

    OPENSSL_cleanse(secret, FILE_MAX);
    buf_release(&pem);
    return done || err_wrap(err, "reading the key %s", path);
}

static bool save_private(const struct key *key, const char *path,
                         struct err *err)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *pem = NULL;
    long length = 0;
    bool done = false;

    if (bio && PEM_write_bio_PKCS8PrivateKey(bio, key->pkey, NULL, NULL, 0,
                                             NULL, NULL))
        length = BIO_get_mem_data(bio, &pem);
    if (length > 0)
        done = file_save(path, S_IRUSR | S_IWUSR, pem, (size_t)length, err);
    else
        err_set(err, ERR_IO, "encoding it failed");
    if (pem)
        OPENSSL_cleanse(pem, (size_t)length);
    BIO_free(bio);
    return done;
}

static bool save_public(const struct key *key, const char *path,
                        struct err *err)
{
    struct buf name = BUF_INIT(4096);
    struct buf text = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    bool done;

    buf_printf(&name, "%s.pub", path);
    done = key_public_text(key, &text, err) &&
           file_save(buf_cstr(&name), 0644, text.data, text.length, err);
    buf_release(&name);
    buf_release(&text);
    return done;
}

bool key_write(const struct key *key, const char *path, struct err *err)
{
    if (!access(path, F_OK))
        return err_set(err, ERR_INVALID, "there is a key at %s already", path);
    return (save_private(key, path, err) && save_public(key, path, err)) ||
           err_wrap(err, "writing the key %s", path);
}

/* ---- the public line ---- */

/* -1/n mod 2^32, by Newton's method: each step doubles the correct bits. */
static uint32_t n0inv_of(uint32_t n0)
{
    uint32_t inverse = n0; /* 3 bits are correct, since n0 is odd */

    for (int bits = 3; bits < 32; bits *= 2)
        inverse *= 2 - n0 * inverse;
    return 0U - inverse;
}

static bool encode_rr(const BIGNUM *n, uint8_t rr[KEY_BYTES])
{
    BN_CTX *context = BN_CTX_new();
    BIGNUM *power = BN_new();
    bool done = context && power && BN_set_bit(power, 2 * KEY_BITS) &&
                BN_mod(power, power, n, context) &&
                BN_bn2lebinpad(power, rr, KEY_BYTES) == KEY_BYTES;

    BN_free(power);
    BN_CTX_free(context);
    return done;
}

static bool encode_blob(EVP_PKEY *pkey, uint8_t blob[BLOB_SIZE])
{
    BIGNUM *n = NULL;
    BIGNUM *e = NULL;
    bool done = EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_N, &n) &&
                EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_E, &e) &&
                BN_bn2lebinpad(n, blob + BLOB_N, KEY_BYTES) == KEY_BYTES &&
                BN_bn2lebinpad(e, blob + BLOB_E, 4) == 4 &&
                encode_rr(n, blob + BLOB_RR);

    if (done) {
        put_u32le(blob + BLOB_WORDS, KEY_WORDS);
        put_u32le(blob + BLOB_N0INV, n0inv_of(get_u32le(blob + BLOB_N)));
    }
    BN_free(n);
    BN_free(e);
    return done;
}

/* " user@host", exactly as Android's adb writes it. */
static void append_owner(struct buf *text)
{
    const char *user = getenv("LOGNAME");
    const char *host = getenv("HOSTNAME");
    char login[256] = "";
    char name[256] = "";

    if (!user || !*user)
        user = getlogin_r(login, sizeof(login)) ? "" : login;
    if (!host || !*host)
        host = gethostname(name, sizeof(name) - 1) || !*name ? "unknown" : name;
    if (!*user)
        host = "unknown";
    buf_printf(text, " %.200s@%.200s", user, host);
}

bool key_public_text(const struct key *key, struct buf *text, struct err *err)
{
    uint8_t blob[BLOB_SIZE];

    if (!encode_blob(key->pkey, blob))
        return err_set(err, ERR_IO, "encoding the public key failed");
    base64_append(blob, BLOB_SIZE, text);
    append_owner(text);
    return true;
}

static EVP_PKEY *pkey_from_numbers(const BIGNUM *n, const BIGNUM *e)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *numbers = NULL;
    EVP_PKEY *pkey = NULL;

    if (context && build &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e))
        numbers = OSSL_PARAM_BLD_to_param(build);
    /* On failure pkey stays NULL. */
    if (numbers && EVP_PKEY_fromdata_init(context) > 0)
        (void)EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_PUBLIC_KEY, numbers);
    OSSL_PARAM_free(numbers);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return pkey;
}

static EVP_PKEY *decode_blob(const uint8_t blob[BLOB_SIZE])
{
    BIGNUM *n = BN_lebin2bn(blob + BLOB_N, KEY_BYTES, NULL);
    BIGNUM *e = BN_lebin2bn(blob + BLOB_E, 4, NULL);
    EVP_PKEY *pkey = NULL;

    if (n && e && get_u32le(blob + BLOB_WORDS) == KEY_WORDS &&
        BN_num_bits(n) == KEY_BITS && BN_is_odd(n) &&
        (BN_is_word(e, RSA_3) || BN_is_word(e, RSA_F4)))
        pkey = pkey_from_numbers(n, e);
    BN_free(n);
    BN_free(e);
    return pkey;
}

/* n0inv and rr follow from n, so they show whether a line was damaged. */
static bool agrees(EVP_PKEY *pkey, const uint8_t blob[BLOB_SIZE])
{
    uint8_t again[BLOB_SIZE];

    return encode_blob(pkey, again) && !memcmp(again, blob, BLOB_SIZE);
}

bool key_parse_public(const char *text, size_t length, struct key **key,
                      struct err *err)
{
    /* The last of the letters is a '=', which decodes to one byte more. */
    const size_t letters = (BLOB_SIZE + 2) / 3 * 4;
    uint8_t blob[(BLOB_SIZE + 2) / 3 * 3];
    EVP_PKEY *pkey = NULL;

    if (length >= letters &&
        (length == letters || text[letters] == ' ' || !text[letters] ||
         text[letters] == '\n') &&
        EVP_DecodeBlock(blob, (const unsigned char *)text, (int)letters) ==
            (int)sizeof(blob))
        pkey = decode_blob(blob);
    if (!pkey || !agrees(pkey, blob)) {
        EVP_PKEY_free(pkey);
        return err_set(err, ERR_INVALID, "that is not an ADB public key");
    }
    *key = key_wrap(pkey);
    return true;
}

/* ---- signatures ---- */

/* PKCS#1 v1.5 with the given digest, declared as SHA-1. */
static bool prepare(EVP_PKEY_CTX *context)
{
    return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) > 0 &&
           EVP_PKEY_CTX_set_signature_md(context, EVP_sha1()) > 0;
}

bool key_sign(const struct key *key, const uint8_t token[KEY_TOKEN_SIZE],
              uint8_t signature[KEY_SIGNATURE_SIZE], struct err *err)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key->pkey, NULL);
    size_t length = KEY_SIGNATURE_SIZE;
    bool done =
        context && EVP_PKEY_sign_init(context) > 0 && prepare(context) &&
        EVP_PKEY_sign(context, signature, &length, token, KEY_TOKEN_SIZE) > 0;

    EVP_PKEY_CTX_free(context);
    return done || err_set(err, ERR_IO, "signing the phone's token failed");
}

bool key_verifies(const struct key *key, const uint8_t token[KEY_TOKEN_SIZE],
                  const void *signature, size_t length)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key->pkey, NULL);
    bool verified =
        context && EVP_PKEY_verify_init(context) > 0 && prepare(context) &&
        EVP_PKEY_verify(context, signature, length, token, KEY_TOKEN_SIZE) > 0;

    EVP_PKEY_CTX_free(context);
    return verified;
}

bool key_fingerprint(const struct key *key,
                     char fingerprint[KEY_FINGERPRINT_SIZE], struct err *err)
{
    static const char digits[] = "0123456789ABCDEF";
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned char *encoded = NULL;
    unsigned int size = 0;
    int length = i2d_PUBKEY(key->pkey, &encoded);
    bool done = length > 0 && EVP_Digest(encoded, (size_t)length, digest, &size,
                                         EVP_sha256(), NULL);

    OPENSSL_free(encoded);
    if (!done)
        return err_set(err, ERR_IO, "hashing the public key failed");
    for (size_t i = 0; i < size; i++) {
        fingerprint[2 * i] = digits[digest[i] >> 4];
        fingerprint[2 * i + 1] = digits[digest[i] & 15];
    }
    fingerprint[2 * (size_t)size] = '\0';
    return true;
}
