#include "adb/trust/tls.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/ssl.h>

#include "adb/connection/conn.h"
#include "adb/transport/tcp.h"
#include "base/mem.h"
#include "tests/support/adb/test_key.h"

#define SOON deadline_in_ms(60000)

static const long day = 24L * 60 * 60;

/* A phone that accepts the owner of a key. */
struct phone {
    struct key *own;
    struct key *known;
    struct keyring ring;
    struct auth_policy policy;
    int fd;
    bool accepted;
    atomic_bool sent;
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
    phone.policy = (struct auth_policy){
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
    phone->accepted = tls_accept(transport, NULL, 0, phone->own, &phone->policy,
                                 SOON, &encrypted, &phone->err);
    if (phone->accepted)
        transport_close(encrypted);
    return NULL;
}

/* Self-signed, and valid between these times relative to now. */
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

/* Connect as a host with such a certificate. phone has the result. */
static void connect_and_use(struct phone *phone, const struct key *key,
                            long from, long until)
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
        (void)SSL_read(ssl, &byte,
                       1); /* the phone disconnects in either case */
    pthread_join(phone->thread, NULL);
    SSL_free(ssl);
    SSL_CTX_free(context);
    X509_free(certificate);
    close(ends[0]);
}

static void a_valid_certificate_of_a_known_key_is_accepted(void **state)
{
    struct phone *phone = *state;

    connect_and_use(phone, phone->known, -day, day);
    assert_true(phone->accepted);
}

static void refuse(struct phone *phone, const struct key *key, long from,
                   long until, const char *why)
{
    connect_and_use(phone, key, from, until);
    assert_false(phone->accepted);
    assert_int_equal(phone->err.code, ERR_UNAUTHORIZED);
    assert_non_null(strstr(phone->err.text, why));
}

static void expired_certificate_is_refused(void **state)
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

/*
 * Sends a long message byte by byte, for half a minute or until the host
 * disconnects.
 */
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

static void slow_peer_times_out(void **state)
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
    assert_false(tls_accept(transport, NULL, 0, phone->own, &phone->policy,
                            deadline_in_ms(50), &encrypted, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(clock_ns() - start < INT64_C(60000000000));
    pthread_join(thread, NULL);
    close(ends[1]);
}

static void earlier_openssl_error_does_not_affect_tls(void **state)
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
    assert_string_equal(err.text, "the peer closed the connection");
    transport_close(encrypted);
}

/* ---- a connection over it ---- */

#define LAST_BYTES ((size_t)3000000)

static char byte_at(size_t at)
{
    return (char)(at * 31 + at / 509);
}

static bool send_packet(struct transport *transport, struct packet packet,
                        const void *payload, struct err *err)
{
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&packet, header);
    return transport_write_all(transport, header, sizeof(header), SOON, err) &&
           transport_write_all(transport, payload, packet.length, SOON, err);
}

static bool receive_packet(struct transport *transport, struct packet *packet,
                           struct err *err)
{
    uint8_t header[PACKET_HEADER_SIZE];
    char payload[4096];

    return transport_read_exact(transport, header, sizeof(header), SOON, err) &&
           packet_decode(header, sizeof(payload), packet, err) &&
           transport_read_exact(transport, payload, packet->length, SOON, err);
}

/* As adbd when a command has exited: everything at once, and CLSE. */
static bool send_last_bytes(struct transport *transport, struct err *err)
{
    static const char banner[] = "device::";
    const struct packet greeting = {.command = PACKET_CNXN,
                                    .arg0 = PACKET_VERSION_SKIP_CHECKSUM,
                                    .arg1 = PACKET_MAX_PAYLOAD,
                                    .length = sizeof(banner) - 1};
    struct packet packet = {0};
    char *data = mem_new(PACKET_WANTED_PAYLOAD, 1);
    bool fine = send_packet(transport, greeting, banner, err);

    while (fine && packet.command != PACKET_OPEN)
        fine = receive_packet(transport, &packet, err);
    packet =
        (struct packet){.command = PACKET_OKAY, .arg0 = 7, .arg1 = packet.arg0};
    fine = fine && send_packet(transport, packet, "", err);
    packet.command = PACKET_WRTE;
    for (size_t sent = 0; fine && sent < LAST_BYTES; sent += packet.length) {
        packet.length = LAST_BYTES - sent < PACKET_WANTED_PAYLOAD
                            ? (uint32_t)(LAST_BYTES - sent)
                            : PACKET_WANTED_PAYLOAD;
        for (size_t i = 0; i < packet.length; i++)
            data[i] = byte_at(sent + i);
        fine = send_packet(transport, packet, data, err);
    }
    packet.command = PACKET_CLSE;
    packet.length = 0;
    fine = fine && send_packet(transport, packet, "", err) &&
           tls_drain(transport, SOON, err);
    free(data);
    return fine;
}

static void *serve_last_bytes(void *context)
{
    struct phone *phone = context;
    struct transport *transport;
    struct transport *encrypted = NULL;
    struct packet packet;
    struct err ignored;

    assert_true(tcp_wrap(phone->fd, (struct tcp_keepalive){0}, NULL, &transport,
                         &phone->err));
    phone->accepted = tls_accept(transport, NULL, 0, phone->own, NULL, SOON,
                                 &encrypted, &phone->err) &&
                      send_last_bytes(encrypted, &phone->err);
    atomic_store(&phone->sent, true);
    while (phone->accepted && receive_packet(encrypted, &packet, &ignored))
        continue;
    transport_close(encrypted);
    return NULL;
}

static void last_bytes_of_a_service_arrive_complete(void **state)
{
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"}};
    struct phone *phone = *state;
    struct transport *transport;
    struct transport *encrypted;
    char *data = mem_new(LAST_BYTES, 1);
    struct stream *stream = NULL;
    struct conn *conn = NULL;
    struct err err = ERR_INIT;
    size_t got = 1;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    phone->fd = ends[1];
    atomic_store(&phone->sent, false);
    assert_int_equal(
        pthread_create(&phone->thread, NULL, serve_last_bytes, phone), 0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &transport, &err));
    if (!tls_connect(transport, &phone->ring, SOON, &encrypted, &err) ||
        !conn_open(encrypted, &options, SOON, &conn, &err) ||
        !conn_open_stream(conn, "exec:x", SOON, &stream, &err))
        fail_msg("%s", err.text);
    while (!atomic_load(&phone->sent))
        sched_yield(); /* without a read in between */
    if (!stream_read_exact(stream, data, LAST_BYTES, SOON, &err) ||
        !stream_read(stream, &data[0], 1, SOON, &got, &err))
        fail_msg("%s", err.text);
    assert_int_equal(got, 0);
    for (size_t i = 0; i < LAST_BYTES; i++)
        assert_int_equal(data[i], byte_at(i));
    assert_false(conn_is_lost(conn, NULL));
    stream_close(stream);
    conn_close(conn);
    pthread_join(phone->thread, NULL);
    assert_true(phone->accepted);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_certificate_of_a_known_key_is_accepted),
        cmocka_unit_test(expired_certificate_is_refused),
        cmocka_unit_test(a_certificate_of_another_key_is_refused),
        cmocka_unit_test(slow_peer_times_out),
        cmocka_unit_test(earlier_openssl_error_does_not_affect_tls),
        cmocka_unit_test(last_bytes_of_a_service_arrive_complete),
    };

    signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to a closed socket */
    return cmocka_run_group_tests(tests, setup, teardown);
}
