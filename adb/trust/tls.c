#include "adb/trust/tls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/mem.h"

/* How the device names the keys it knows in its list of authorities. */
#define KNOWN_ORGANIZATION "AdbKey-0"
#define PIECE ((size_t)16 * 1024)
#define ROUNDS_MAX 16

/*
 * OpenSSL works on two memory buffers; this code moves their bytes to and from
 * the inner transport. One lock, since SSL is not thread-safe.
 */
struct tls {
    struct transport transport;
    struct transport *inner;          /* owned */
    const struct keyring *keys;       /* client: the keys to choose from */
    const struct auth_policy *policy; /* server: which clients are accepted */
    const char *refusal; /* why the policy refused; NULL: it did not */
    bool is_server;
    pthread_mutex_t lock; /* guards all below */
    SSL *ssl;             /* owned */
    BIO *arriving;        /* owned by ssl */
    BIO *leaving;         /* owned by ssl */
};

static struct tls *tls_of(struct transport *transport)
{
    return (struct tls *)transport;
}

/* ---- certificates ---- */

static bool add_extension(X509 *certificate, int kind, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *extension;
    bool done;

    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    done = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

static bool add_name(X509_NAME *name, const char *field, const char *value)
{
    return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC,
                                      (const unsigned char *)value, -1, -1, 0);
}

/* Self-signed, with the same names and uses as AOSP's adb. */
static X509 *certificate_of(const struct key *key)
{
    const long ten_years = 10L * 365 * 24 * 60 * 60;
    X509 *certificate = X509_new();
    X509_NAME *name = certificate ? X509_get_subject_name(certificate) : NULL;

    if (name && X509_set_version(certificate, X509_VERSION_3) &&
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) &&
        X509_gmtime_adj(X509_getm_notBefore(certificate), 0) &&
        X509_gmtime_adj(X509_getm_notAfter(certificate), ten_years) &&
        X509_set_pubkey(certificate, key_pkey(key)) &&
        add_name(name, "C", "US") && add_name(name, "O", "Android") &&
        add_name(name, "CN", "Adb") &&
        X509_set_issuer_name(certificate, name) &&
        add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
        add_extension(certificate, NID_key_usage,
                      "critical,keyCertSign,cRLSign,digitalSignature") &&
        add_extension(certificate, NID_subject_key_identifier, "hash") &&
        X509_sign(certificate, key_pkey(key), EVP_sha256()))
        return certificate;
    X509_free(certificate);
    return NULL;
}

static bool use_key(SSL *ssl, const struct key *key)
{
    X509 *certificate = certificate_of(key);
    bool used = certificate && SSL_use_certificate(ssl, certificate) == 1 &&
                SSL_use_PrivateKey(ssl, key_pkey(key)) == 1;

    X509_free(certificate);
    return used;
}

/* Does the device's list contain this key? */
static bool is_named(const STACK_OF(X509_NAME) * names, const struct key *key)
{
    char fingerprint[KEY_FINGERPRINT_SIZE];
    char value[KEY_FINGERPRINT_SIZE];
    struct err err;

    if (!key_fingerprint(key, fingerprint, &err))
        return false;
    for (int i = 0; i < sk_X509_NAME_num(names); i++) {
        X509_NAME *name = sk_X509_NAME_value(names, i);

        if (X509_NAME_get_text_by_NID(name, NID_commonName, value,
                                      sizeof(value)) > 0 &&
            !strcmp(value, fingerprint))
            return true;
    }
    return false;
}

/* The device asks for our certificate: choose the key that it knows. */
static int choose_key(SSL *ssl, void *context)
{
    const struct tls *tls = context;
    const STACK_OF(X509_NAME) *names = SSL_get0_peer_CA_list(ssl);
    const struct key *chosen = tls->keys->keys[0];

    for (size_t i = 0; names && i < tls->keys->count; i++) {
        if (is_named(names, tls->keys->keys[i])) {
            chosen = tls->keys->keys[i];
            break;
        }
    }
    return use_key(ssl, chosen);
}

static bool name_keys(SSL *ssl, const struct keyring *known)
{
    STACK_OF(X509_NAME) *names = sk_X509_NAME_new_null();
    char fingerprint[KEY_FINGERPRINT_SIZE];
    struct err err;

    for (size_t i = 0; names && i < known->count; i++) {
        X509_NAME *name = X509_NAME_new();

        if (!name || !key_fingerprint(known->keys[i], fingerprint, &err) ||
            !add_name(name, "O", KNOWN_ORGANIZATION) ||
            !add_name(name, "CN", fingerprint) ||
            !sk_X509_NAME_push(names, name)) {
            X509_NAME_free(name);
            sk_X509_NAME_pop_free(names, X509_NAME_free);
            return false;
        }
    }
    SSL_set0_CA_list(ssl, names);
    return names != NULL;
}

/* Tell the client which keys are known, so that it can choose. */
static bool name_known_keys(SSL *ssl, const struct auth_policy *policy)
{
    struct keyring room;
    bool named = name_keys(ssl, auth_known(policy, &room));

    keyring_release(&room);
    return named;
}

static bool is_valid_now(const X509 *certificate)
{
    return X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0 &&
           X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0;
}

static bool is_known(const struct auth_policy *policy, X509 *certificate)
{
    EVP_PKEY *shown = X509_get0_pubkey(certificate);
    struct keyring room;
    const struct keyring *known = auth_known(policy, &room);
    bool found = false;

    for (size_t i = 0; shown && !found && i < known->count; i++)
        found = EVP_PKEY_eq(shown, key_pkey(known->keys[i])) == 1;
    keyring_release(&room);
    return found;
}

/* The device checks the computer's certificate. */
static int check_client(X509_STORE_CTX *store, void *context)
{
    struct tls *tls = context;
    X509 *certificate = X509_STORE_CTX_get0_cert(store);

    if (!tls->policy)
        return 1;
    if (!is_known(tls->policy, certificate))
        tls->refusal = "the computer's key is not known here";
    else if (!is_valid_now(certificate))
        tls->refusal = "the computer's certificate is not valid at this time";
    else
        return 1;
    X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED);
    return 0;
}

static int accept_any(X509_STORE_CTX *store, void *context)
{
    (void)store, (void)context;
    return 1;
}

/* ---- bytes ---- */

/* Report OpenSSL's error. Always false. */
static bool fail(const struct tls *tls, const char *doing, struct err *err)
{
    unsigned long code = ERR_peek_error();
    int reason = ERR_GET_REASON(code);

    ERR_clear_error();
    if (tls->refusal)
        return err_set(err, ERR_UNAUTHORIZED, "%s", tls->refusal);
    if (!tls->is_server && (reason == SSL_R_TLSV1_ALERT_UNKNOWN_CA ||
                            reason == SSL_R_SSLV3_ALERT_BAD_CERTIFICATE ||
                            reason == SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN ||
                            reason == SSL_R_TLSV1_ALERT_ACCESS_DENIED))
        return err_set(err, ERR_UNAUTHORIZED,
                       "the phone does not know this computer; pair with it "
                       "first (Developer options, Wireless debugging)");
    return err_set(err, ERR_PROTOCOL, "%s: %s", doing,
                   code ? ERR_reason_error_string(code) : "TLS failed");
}

/* Send what OpenSSL has produced, as far as possible without blocking. */
static bool flush(struct tls *tls, struct err *err)
{
    char *data;
    long length = BIO_get_mem_data(tls->leaving, &data);
    struct iovec part = {data, (size_t)length};
    size_t put;

    if (length <= 0)
        return true;
    if (!tls->inner->ops->write(tls->inner, &part, 1, &put, err))
        return false;
    while (put) {
        char sent[4096];
        int step = put < sizeof(sent) ? (int)put : (int)sizeof(sent);

        put -= (size_t)BIO_read(tls->leaving, sent, step);
    }
    return true;
}

static bool has_leaving(struct tls *tls)
{
    return BIO_ctrl_pending(tls->leaving) > 0;
}

/* Read what has arrived, and pass it to OpenSSL. *got is 0 if nothing has. */
static bool feed(struct tls *tls, size_t *got, struct err *err)
{
    char data[PIECE];

    if (!tls->inner->ops->read(tls->inner, data, sizeof(data), got, err))
        return false;
    if (*got && BIO_write(tls->arriving, data, (int)*got) != (int)*got)
        return err_set(err, ERR_IO, "no memory for TLS");
    return true;
}

static bool tls_read_locked(struct tls *tls, void *data, size_t size,
                            size_t *got, struct err *err)
{
    size_t fed = 1;

    *got = 0;
    /* Records without data must not keep us here: the caller has a deadline. */
    for (int round = 0; fed && round < ROUNDS_MAX; round++) {
        size_t done = 0;
        int result;

        ERR_clear_error(); /* earlier errors would be reported as ours */
        result = SSL_read_ex(tls->ssl, data, size, &done);
        if (result == 1) {
            *got = done;
            return flush(tls, err);
        }
        switch (SSL_get_error(tls->ssl, result)) {
        case SSL_ERROR_WANT_READ:
            break;
        case SSL_ERROR_ZERO_RETURN:
            return err_set(err, ERR_CLOSED, "the peer closed the connection");
        default:
            return fail(tls, "reading over TLS", err);
        }
        if (!flush(tls, err) || !feed(tls, &fed, err))
            return false;
    }
    return true;
}

static bool tls_read(struct transport *transport, void *data, size_t size,
                     size_t *got, struct err *err)
{
    struct tls *tls = tls_of(transport);
    bool done;

    pthread_mutex_lock(&tls->lock);
    done = tls_read_locked(tls, data, size, got, err);
    pthread_mutex_unlock(&tls->lock);
    return done;
}

/* Encrypt one record, unless the last one is not completely sent. */
static bool write_record(struct tls *tls, const struct iovec *part, size_t *put,
                         struct err *err)
{
    size_t size = part->iov_len < PIECE ? part->iov_len : PIECE;

    *put = 0;
    if (!flush(tls, err))
        return false;
    if (has_leaving(tls) || !size)
        return true;
    ERR_clear_error();
    if (SSL_write_ex(tls->ssl, part->iov_base, size, put) != 1)
        return fail(tls, "writing over TLS", err);
    return flush(tls, err);
}

static bool tls_write(struct transport *transport, const struct iovec *parts,
                      int count, size_t *put, struct err *err)
{
    struct tls *tls = tls_of(transport);
    bool done = true;
    bool late;

    *put = 0;
    pthread_mutex_lock(&tls->lock);
    for (int i = 0; done && i < count; i++) {
        size_t sent;

        done = write_record(tls, &parts[i], &sent, err);
        if (done)
            *put += sent;
        if (!done || sent < parts[i].iov_len)
            break;
    }
    late = has_leaving(tls);
    pthread_mutex_unlock(&tls->lock);
    if (late) /* the waiting thread sends the rest */
        tls->inner->ops->wake(tls->inner, TRANSPORT_READ);
    return done;
}

static bool tls_wait(struct transport *transport, unsigned wants,
                     struct deadline by, struct err *err)
{
    struct tls *tls = tls_of(transport);
    bool ready;
    bool done;

    pthread_mutex_lock(&tls->lock);
    ready = (wants & TRANSPORT_READ) &&
            (SSL_pending(tls->ssl) || BIO_ctrl_pending(tls->arriving));
    if (has_leaving(tls))
        wants |= TRANSPORT_WRITE;
    pthread_mutex_unlock(&tls->lock);
    if (ready)
        return true;
    if (!tls->inner->ops->wait(tls->inner, wants, by, err))
        return false;
    pthread_mutex_lock(&tls->lock);
    done = flush(tls, err);
    pthread_mutex_unlock(&tls->lock);
    return done;
}

static void tls_wake(struct transport *transport, unsigned whom)
{
    struct tls *tls = tls_of(transport);

    tls->inner->ops->wake(tls->inner, whom);
}

static void tls_shut(struct transport *transport)
{
    struct tls *tls = tls_of(transport);

    tls->inner->ops->shut(tls->inner);
}

static void tls_close(struct transport *transport)
{
    struct tls *tls = tls_of(transport);

    SSL_free(tls->ssl);
    transport_close(tls->inner);
    pthread_mutex_destroy(&tls->lock);
    free(tls);
}

static const struct transport_ops tls_ops = {
    .read = tls_read,
    .write = tls_write,
    .wait = tls_wait,
    .wake = tls_wake,
    .shut = tls_shut,
    .close = tls_close,
};

bool tls_drain(struct transport *transport, struct deadline by, struct err *err)
{
    struct tls *tls = tls_of(transport);
    bool rest;

    do {
        pthread_mutex_lock(&tls->lock);
        rest = has_leaving(tls);
        pthread_mutex_unlock(&tls->lock);
        if (rest && !tls_wait(transport, TRANSPORT_WRITE, by, err))
            return false;
    } while (rest);
    return true;
}

/* ---- the handshake ---- */

static bool tls_new(struct transport *inner, bool is_server, struct tls **tls,
                    struct err *err)
{
    struct tls *made = mem_new(1, sizeof(*made));
    SSL_CTX *context =
        SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());

    made->transport.ops = &tls_ops;
    made->inner = inner;
    made->is_server = is_server;
    pthread_mutex_init(&made->lock, NULL);
    made->arriving = BIO_new(BIO_s_mem());
    made->leaving = BIO_new(BIO_s_mem());
    if (context && SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1)
        made->ssl = SSL_new(context);
    SSL_CTX_free(context);
    if (!made->ssl || !made->arriving || !made->leaving) {
        BIO_free(made->arriving);
        BIO_free(made->leaving);
        tls_close(&made->transport);
        return err_set(err, ERR_IO, "TLS cannot be set up");
    }
    BIO_set_mem_eof_return(made->arriving, -1);
    SSL_set_bio(made->ssl, made->arriving, made->leaving);
    *tls = made;
    return true;
}

static bool shake_hands(struct tls *tls, struct deadline by, struct err *err)
{
    int result;

    while ((result = SSL_do_handshake(tls->ssl)) != 1) {
        size_t got;

        if (SSL_get_error(tls->ssl, result) != SSL_ERROR_WANT_READ) {
            struct err ignored;

            fail(tls, "the TLS handshake", err);
            return flush(tls, &ignored) && false; /* inform the peer */
        }
        if (!flush(tls, err) || !feed(tls, &got, err))
            return false;
        if (!got && !tls_wait(&tls->transport, TRANSPORT_READ, by, err))
            return false;
    }
    return tls_drain(&tls->transport, by, err);
}

static bool finish(struct tls *tls, struct deadline by,
                   struct transport **transport, struct err *err)
{
    if (!shake_hands(tls, by, err)) {
        if (err->code == ERR_CLOSED)
            err->code = ERR_LOST;
        tls_close(&tls->transport);
        return err_wrap(err, "encrypting the connection");
    }
    *transport = &tls->transport;
    return true;
}

bool tls_connect(struct transport *inner, const struct keyring *keys,
                 struct deadline by, struct transport **transport,
                 struct err *err)
{
    struct tls *tls;

    if (!tls_new(inner, false, &tls, err))
        return false;
    tls->keys = keys;
    SSL_set_connect_state(tls->ssl);
    SSL_CTX_set_cert_verify_callback(SSL_get_SSL_CTX(tls->ssl), accept_any,
                                     NULL);
    SSL_set_verify(tls->ssl, SSL_VERIFY_PEER, NULL);
    SSL_set_cert_cb(tls->ssl, choose_key, tls);
    return finish(tls, by, transport, err);
}

bool tls_has_begun(const uint8_t *data, size_t size)
{
    return size >= 2 && data[0] == SSL3_RT_HANDSHAKE &&
           data[1] == SSL3_VERSION_MAJOR;
}

bool tls_accept(struct transport *inner, const void *early, size_t early_size,
                const struct key *own, const struct auth_policy *policy,
                struct deadline by, struct transport **transport,
                struct err *err)
{
    struct tls *tls;

    if (!tls_new(inner, true, &tls, err))
        return false;
    if (early_size &&
        !BIO_write_ex(tls->arriving, early, early_size, &early_size)) {
        tls_close(&tls->transport);
        return err_set(err, ERR_IO, "no memory for TLS");
    }
    tls->policy = policy;
    SSL_set_accept_state(tls->ssl);
    SSL_CTX_set_cert_verify_callback(SSL_get_SSL_CTX(tls->ssl), check_client,
                                     tls);
    SSL_set_verify(tls->ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                   NULL);
    if (!use_key(tls->ssl, own) ||
        (policy && !name_known_keys(tls->ssl, policy))) {
        tls_close(&tls->transport);
        return err_set(err, ERR_IO, "no certificate can be made");
    }
    return finish(tls, by, transport, err);
}

bool tls_export(struct transport *transport, const char *label,
                size_t label_length, uint8_t *secret, size_t size,
                struct err *err)
{
    struct tls *tls = tls_of(transport);
    bool done;

    pthread_mutex_lock(&tls->lock);
    done = SSL_export_keying_material(tls->ssl, secret, size, label,
                                      label_length, NULL, 0, 0) == 1;
    pthread_mutex_unlock(&tls->lock);
    return done || err_set(err, ERR_IO, "TLS provides no shared secret");
}
