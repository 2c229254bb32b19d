/*
 * A peer that disappears without closing, like a phone that leaves the Wi-Fi:
 * in a separate network namespace, the link goes down. Needs root; skipped
 * without.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"

/* Detected after about 1 + 2 * 1 seconds; this is the limit of the wait. */
static const struct tcp_keepalive quick = {1, 1, 2};
#define PATIENCE_MS 60000

static bool set_loopback(bool up)
{
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool done;

    request.ifr_flags = up ? IFF_UP | IFF_RUNNING : 0;
    done = fd >= 0 && !ioctl(fd, SIOCSIFFLAGS, &request);
    if (fd >= 0)
        close(fd);
    return done;
}

/* A device and a host's connection to it, over TCP. */
struct pair {
    struct loopback_device *device;
    struct conn *conn;
};

static int listen_somewhere(uint16_t *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static struct pair connect_pair(void)
{
    struct transport *transport;
    struct pair pair;
    uint16_t port;
    int listener = listen_somewhere(&port);
    struct err err = ERR_INIT;

    if (!tcp_open("127.0.0.1", port, quick, NULL, deadline_in_ms(PATIENCE_MS),
                  &transport, &err))
        fail_msg("%s", err.text);
    pair.device = loopback_device_serve(NULL, accept(listener, NULL, NULL));
    pair.conn = loopback_device_connect(transport);
    close(listener);
    return pair;
}

static void release_pair(struct pair *pair)
{
    conn_close(pair->conn);
    loopback_device_vanish(pair->device);
    loopback_device_stop(pair->device);
    assert_true(set_loopback(true));
}

static void expect_dead(const struct err *err)
{
    assert_int_equal(err->code, ERR_LOST);
    assert_string_equal(err->text, "the peer no longer answers");
}

static void dead_peer_is_noticed_while_idle(void **state)
{
    const struct timespec nap = {.tv_nsec = 10000000};
    struct pair pair = connect_pair();
    struct deadline by = deadline_in_ms(PATIENCE_MS);
    struct err err = ERR_INIT;

    (void)state;
    assert_true(set_loopback(false));
    while (!conn_is_lost(pair.conn, &err) && !deadline_passed(by))
        nanosleep(&nap, NULL);
    expect_dead(&err);
    release_pair(&pair);
}

static void dead_peer_ends_a_waiting_read(void **state)
{
    struct pair pair = connect_pair();
    struct deadline by = deadline_in_ms(PATIENCE_MS);
    struct stream *stream;
    struct err err = ERR_INIT;
    char byte;
    size_t got;

    (void)state;
    if (!conn_open_stream(pair.conn, "silent:", by, &stream, &err))
        fail_msg("%s", err.text);
    assert_true(set_loopback(false));
    assert_false(stream_read(stream, &byte, 1, by, &got, &err));
    expect_dead(&err);
    stream_close(stream);
    release_pair(&pair);
}

/* The sent bytes are never acknowledged: then no keep-alive is sent. */
static void dead_peer_ends_a_read_after_a_write(void **state)
{
    struct pair pair = connect_pair();
    struct deadline by = deadline_in_ms(PATIENCE_MS);
    struct stream *stream;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(set_loopback(false));
    assert_false(conn_open_stream(pair.conn, "silent:", by, &stream, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_string_equal(err.text, "opening silent: the peer no longer answers");
    release_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_peer_is_noticed_while_idle),
        cmocka_unit_test(dead_peer_ends_a_waiting_read),
        cmocka_unit_test(dead_peer_ends_a_read_after_a_write),
    };

    if (unshare(CLONE_NEWNET) || !set_loopback(true))
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
