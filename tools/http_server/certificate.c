#include "tools/http_server/certificate.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "base/mem.h"

struct certificate {
    X509 *read; /* owned */
};

/* The newest error of OpenSSL. */
static bool fail(struct err *err, const char *doing, const char *path)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());

    ERR_clear_error();
    return err_set(err, ERR_INVALID, "%s %.150s: %.60s", doing, path,
                   reason ? reason : "it cannot be read");
}

/* Instead of a question on the terminal. */
static int no_passphrase(char *text, int size, int writing, void *context)
{
    (void)text, (void)size, (void)writing, (void)context;
    return -1;
}

static bool load(SSL_CTX *context, const char *certificate, const char *key,
                 struct err *err)
{
    if (!SSL_CTX_use_certificate_chain_file(context, certificate))
        return fail(err, "the certificate", certificate);
    if (!SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) ||
        !SSL_CTX_check_private_key(context))
        return fail(err, "the private key", key);
    return true;
}

bool certificate_open(const char *file, const char *key,
                      struct certificate **certificate, struct err *err)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    bool done;

    if (!context)
        return fail(err, "preparing TLS for", file);
    SSL_CTX_set_default_passwd_cb(context, no_passphrase);
    done = load(context, file, key, err);
    if (done) {
        *certificate = mem_new(1, sizeof(**certificate));
        (*certificate)->read = SSL_CTX_get0_certificate(context);
        X509_up_ref((*certificate)->read);
    }
    SSL_CTX_free(context);
    return done;
}

void certificate_close(struct certificate *certificate)
{
    if (!certificate)
        return;
    X509_free(certificate->read);
    free(certificate);
}

bool certificate_is_for(const struct certificate *certificate, const char *host)
{
    bool is_for = X509_check_ip_asc(certificate->read, host, 0) == 1 ||
                  X509_check_host(certificate->read, host, 0, 0, NULL) == 1;

    ERR_clear_error();
    return is_for;
}
