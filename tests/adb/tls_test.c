#include "adb/tls.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/ssl.h>

#include "adb/tcp.h"

#define SOON deadline_in_ms(20000)

static const long day = 24L * 60 * 60;

/* A phone that lets in the owner of a key. */
struct phone {
    struct key *own;
    struct key *known;
    struct keyring ring;
    struct auth_gate gate;
    int fd;
    bool accepted;
    struct err err;
    pthread_t thread;
};

static int setup(void **state)
{
    static struct phone phone;
    struct err err;

    *state = &phone;
    if (!key_generate(&phone.own, &err) || !key_generate(&phone.known, &err))
        return -1;
    phone.ring = (struct keyring){{phone.known}, 1};
    phone.gate = (struct auth_gate){
        .demand = AUTH_TLS, .own = phone.own, .known = &phone.ring};
    return 0;
}

static int teardown(void **state)
{
    struct phone *phone = *state;

    key_close(phone->own);
    key_close(phone->known);
    return 0;
}

static void *accept_main(void *context)
{
    struct phone *phone = context;
    struct transport *transport;
    struct transport *encrypted = NULL;

    assert_true(tcp_wrap(phone->fd, (struct tcp_keepalive){0}, NULL, &transport,
                         &phone->err));
    phone->accepted = tls_accept(transport, NULL, 0, phone->own, &phone->gate,
                                 SOON, &encrypted, &phone->err);
    if (phone->accepted)
        transport_close(encrypted);
    return NULL;
}

/* Self-signed, and valid between these two moments from now. */
static X509 *make_certificate(const struct key *key, long from, long until)
{
    X509 *certificate = X509_new();

    assert_non_null(certificate);
    assert_non_null(X509_gmtime_adj(X509_getm_notBefore(certificate), from));
    assert_non_null(X509_gmtime_adj(X509_getm_notAfter(certificate), until));
    assert_true(X509_set_pubkey(certificate, key_pkey(key)));
    assert_true(X509_sign(certificate, key_pkey(key), EVP_sha256()));
    return certificate;
}

/* Be a host with such a certificate. What the phone thinks is in phone. */
static void visit(struct phone *phone, const struct key *key, long from,
                  long until)
{
    X509 *certificate = make_certificate(key, from, until);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = SSL_new(context);
    char byte;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    phone->fd = ends[1];
    assert_int_equal(pthread_create(&phone->thread, NULL, accept_main, phone),
                     0);
    assert_int_equal(SSL_use_certificate(ssl, certificate), 1);
    assert_int_equal(SSL_use_PrivateKey(ssl, key_pkey(key)), 1);
    assert_int_equal(SSL_set_fd(ssl, ends[0]), 1);
    if (SSL_connect(ssl) == 1)
        (void)SSL_read(ssl, &byte, 1); /* the phone hangs up either way */
    pthread_join(phone->thread, NULL);
    SSL_free(ssl);
    SSL_CTX_free(context);
    X509_free(certificate);
    close(ends[0]);
}

static void a_valid_certificate_of_a_known_key_is_accepted(void **state)
{
    struct phone *phone = *state;

    visit(phone, phone->known, -day, day);
    assert_true(phone->accepted);
}

static void refuse(struct phone *phone, const struct key *key, long from,
                   long until, const char *why)
{
    visit(phone, key, from, until);
    assert_false(phone->accepted);
    assert_int_equal(phone->err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(phone->err.text, why));
}

static void a_certificate_of_another_time_is_refused(void **state)
{
    struct phone *phone = *state;

    refuse(phone, phone->known, -2 * day, -day, "not valid at this time");
    refuse(phone, phone->known, day, 2 * day, "not valid at this time");
}

static void a_certificate_of_another_key_is_refused(void **state)
{
    struct phone *phone = *state;

    refuse(phone, phone->own, -day, day, "not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_certificate_of_a_known_key_is_accepted),
        cmocka_unit_test(a_certificate_of_another_time_is_refused),
        cmocka_unit_test(a_certificate_of_another_key_is_refused),
    };

    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to whoever hung up */
    return cmocka_run_group_tests(tests, setup, teardown);
}
