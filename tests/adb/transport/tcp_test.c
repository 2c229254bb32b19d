#include "adb/transport/tcp.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/raw_peer.h"
#include "tests/support/blocked_thread.h"

#define SOON deadline_in_ms(60000)

static void addresses_are_split_into_host_and_port(void **state)
{
    static const struct {
        const char *text;
        const char *host;
        uint16_t port;
    } samples[] = {
        {"localhost", "localhost", 5555},
        {"192.168.1.20", "192.168.1.20", 5555},
        {"192.168.1.20:5037", "192.168.1.20", 5037},
        {"phone.local:1", "phone.local", 1},
        {"phone.local:65535", "phone.local", 65535},
        {"[::1]:5556", "::1", 5556},
        {"[fe80::1%eth0]", "fe80::1%eth0", 5555},
        {"::1", "::1", 5555},
        {"fe80::1:5556", "fe80::1:5556", 5555},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        char host[TCP_HOST_MAX];
        uint16_t port;
        struct err err = ERR_INIT;

        if (!tcp_parse_address(samples[i].text, 5555, host, &port, &err))
            fail_msg("%s", err.text);
        assert_string_equal(host, samples[i].host);
        assert_int_equal(port, samples[i].port);
    }
}

static void invalid_address_is_refused_with_the_valid_form(void **state)
{
    static const char *const samples[] = {
        "",        ":",          ":5555",
        "host:",   "host:0",     "host:+1",
        "host:1x", "host:65536", "host: 80",
        "[]:80",   "[::1",       "[::1]5555",
        "[::1]:",  "[::1]:port", "host:99999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        char host[TCP_HOST_MAX];
        uint16_t port;
        struct err err = ERR_INIT;

        if (tcp_parse_address(samples[i], 5555, host, &port, &err))
            fail_msg("\"%s\" was taken for an address", samples[i]);
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.text, "use HOST:PORT"));
    }
}

static void too_long_name_is_refused(void **state)
{
    char text[TCP_HOST_MAX + 1];
    char host[TCP_HOST_MAX];
    uint16_t port;
    struct err err;

    (void)state;
    memset(text, 'a', sizeof(text));
    text[TCP_HOST_MAX] = '\0';
    assert_false(tcp_parse_address(text, 5555, host, &port, &err));
    text[TCP_HOST_MAX - 1] = '\0';
    assert_true(tcp_parse_address(text, 5555, host, &port, &err));
    assert_string_equal(host, text);
}

/* A socket bound to a free port of this computer. */
static int bind_somewhere(uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void a_closed_port_is_refused_at_once(void **state)
{
    char expected[128];
    uint16_t port;
    int fd = bind_somewhere(&port); /* without a listener */
    int connected;
    struct err err;

    (void)state;
    snprintf(expected, sizeof(expected),
             "connecting to 127.0.0.1 port %u: Connection refused",
             (unsigned)port);
    assert_false(
        tcp_connect("127.0.0.1", port, NULL, DEADLINE_NEVER, &connected, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_string_equal(err.text, expected);
    close(fd);
}

static void each_address_of_a_name_is_tried(void **state)
{
    uint16_t port;
    int fd = bind_somewhere(&port);
    int connected;
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(listen(fd, 1), 0);
    /* If localhost is ::1 first, nothing listens there. */
    if (!tcp_connect("localhost", port, NULL, SOON, &connected, &err))
        fail_msg("%s", err.text);
    close(connected);
    close(fd);
}

/* A port that accepts nothing, because its backlog is full. */
struct deaf_port {
    uint16_t port;
    int fd;
    int in_line[4];
};

static struct deaf_port make_deaf_port(void)
{
    struct deaf_port deaf = {.fd = bind_somewhere(&deaf.port)};
    struct err err;

    assert_int_equal(listen(deaf.fd, 0), 0);
    for (size_t i = 0; i < ARRAY_LEN(deaf.in_line); i++) {
        if (!tcp_connect("127.0.0.1", deaf.port, NULL, deadline_in_ms(50),
                         &deaf.in_line[i], &err))
            deaf.in_line[i] = -1;
    }
    assert_int_equal(deaf.in_line[ARRAY_LEN(deaf.in_line) - 1], -1);
    return deaf;
}

static void release_deaf_port(struct deaf_port *deaf)
{
    for (size_t i = 0; i < ARRAY_LEN(deaf->in_line); i++) {
        if (deaf->in_line[i] >= 0)
            close(deaf->in_line[i]);
    }
    close(deaf->fd);
}

static void address_that_never_answers_times_out(void **state)
{
    struct deaf_port deaf = make_deaf_port();
    int64_t start = clock_ns();
    int connected;
    struct err err;

    (void)state;
    assert_false(tcp_connect("127.0.0.1", deaf.port, NULL, deadline_in_ms(50),
                             &connected, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_non_null(strstr(err.text, "no answer in time"));
    assert_true(clock_ns() - start >= INT64_C(50000000));
    assert_true(clock_ns() - start < INT64_C(60000000000));
    release_deaf_port(&deaf);
}

/* Connecting on a separate thread. */
struct attempt {
    struct blocked_thread blocked;
    uint16_t port;
    struct cancel cancel;
    bool connected;
    struct err err;
};

static void *connect_until_cancelled(void *context)
{
    struct attempt *attempt = context;
    int fd;

    blocked_thread_enter(&attempt->blocked);
    attempt->connected =
        tcp_connect("127.0.0.1", attempt->port, &attempt->cancel,
                    DEADLINE_NEVER, &fd, &attempt->err);
    return NULL;
}

static void cancel_ends_connecting(void **state)
{
    struct deaf_port deaf = make_deaf_port();
    struct attempt attempt = {.port = deaf.port};
    pthread_t thread;
    struct err err;

    (void)state;
    assert_true(cancel_init(&attempt.cancel, &err));
    assert_int_equal(
        pthread_create(&thread, NULL, connect_until_cancelled, &attempt), 0);
    blocked_thread_await(&attempt.blocked);
    cancel_fire(&attempt.cancel);
    pthread_join(thread, NULL);
    assert_false(attempt.connected);
    assert_int_equal(attempt.err.code, ERR_CANCELLED);
    cancel_release(&attempt.cancel);
    release_deaf_port(&deaf);
}

static void fill(struct transport *transport)
{
    static char zeros[65536];
    struct iovec part = {.iov_base = zeros, .iov_len = sizeof(zeros)};
    size_t put = 1;
    struct err err;

    while (put)
        assert_true(transport->ops->write(transport, &part, 1, &put, &err));
}

static void wakeup_wakes_the_intended_thread(void **state)
{
    static const unsigned both[] = {TRANSPORT_READ, TRANSPORT_WRITE};
    struct transport *transport;
    int peer = raw_peer_pair(&transport);
    struct err err;

    (void)state;
    fill(transport);
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        unsigned one = both[i];
        unsigned other = both[1 - i];

        transport->ops->wake(transport, one);
        assert_false(
            transport->ops->wait(transport, other, deadline_in_ms(5), &err));
        assert_int_equal(err.code, ERR_TIMEOUT);
        assert_true(transport->ops->wait(transport, one, SOON, &err));
        assert_false(
            transport->ops->wait(transport, one, deadline_in_ms(5), &err));
    }
    transport_close(transport);
    close(peer);
}

static void disconnect_is_reported_in_both_directions(void **state)
{
    struct transport *transport;
    int peer = raw_peer_pair(&transport);
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    char byte;
    size_t count;
    struct err err;

    (void)state;
    assert_true(transport->ops->read(transport, &byte, 1, &count, &err));
    assert_int_equal(count, 0);
    close(peer);
    assert_false(transport->ops->read(transport, &byte, 1, &count, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    assert_false(transport->ops->write(transport, &part, 1, &count, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_string_equal(err.text, "the peer closed the connection");
    transport_close(transport);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_split_into_host_and_port),
        cmocka_unit_test(invalid_address_is_refused_with_the_valid_form),
        cmocka_unit_test(too_long_name_is_refused),
        cmocka_unit_test(a_closed_port_is_refused_at_once),
        cmocka_unit_test(each_address_of_a_name_is_tried),
        cmocka_unit_test(address_that_never_answers_times_out),
        cmocka_unit_test(cancel_ends_connecting),
        cmocka_unit_test(wakeup_wakes_the_intended_thread),
        cmocka_unit_test(disconnect_is_reported_in_both_directions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
