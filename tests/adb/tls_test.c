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
#include "tests/support/test_key.h"

#define SOON deadline_in_ms(60000)

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
    if (!test_key_read("phone", &phone.own, &err) ||
        !test_key_read("mine", &phone.known, &err))
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

/* Ever one more byte of a message that is said to be long, for half a minute
 * or until nobody listens. */
static void *drip_main(void *context)
{
    static const uint8_t header[] = {22, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc};
    const int *fd = context;

    for (size_t i = 0; i < 16000; i++) {
        uint8_t byte = i < sizeof(header) ? header[i] : 3;

        if (send(*fd, &byte, 1, MSG_NOSIGNAL) != 1)
            break;
        usleep(2000);
    }
    return NULL;
}

static void a_peer_that_drips_is_held_to_the_deadline(void **state)
{
    const struct phone *phone = *state;
    struct transport *transport;
    struct transport *encrypted;
    struct err err = ERR_INIT;
    pthread_t thread;
    int64_t start;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_int_equal(pthread_create(&thread, NULL, drip_main, &ends[1]), 0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &transport, &err));
    start = clock_ns();
    assert_false(tls_accept(transport, NULL, 0, phone->own, &phone->gate,
                            deadline_in_ms(50), &encrypted, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(clock_ns() - start < INT64_C(20000000000));
    pthread_join(thread, NULL);
    close(ends[1]);
}

static void what_failed_before_does_not_harm_tls(void **state)
{
    struct phone *phone = *state;
    struct transport *transport;
    struct transport *encrypted;
    struct key *key;
    struct err err = ERR_INIT;
    char byte;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    phone->fd = ends[1];
    assert_int_equal(pthread_create(&phone->thread, NULL, accept_main, phone),
                     0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &transport, &err));
    assert_true(tls_connect(transport, &phone->ring, SOON, &encrypted, &err));
    pthread_join(phone->thread, NULL);
    assert_false(key_read("/etc/passwd", &key, &err));
    assert_false(transport_read_exact(encrypted, &byte, 1, SOON, &err));
    assert_string_equal(err.text, "the peer hung up");
    transport_close(encrypted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_certificate_of_a_known_key_is_accepted),
        cmocka_unit_test(a_certificate_of_another_time_is_refused),
        cmocka_unit_test(a_certificate_of_another_key_is_refused),
        cmocka_unit_test(a_peer_that_drips_is_held_to_the_deadline),
        cmocka_unit_test(what_failed_before_does_not_harm_tls),
    };

    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to whoever hung up */
    return cmocka_run_group_tests(tests, setup, teardown);
}
