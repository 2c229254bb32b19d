#include "adb/daemon/daemon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"

#define SOON deadline_in_ms(60000)
#define HOSTS 4
#define STALLED 100

static void greet(void *context, const char *argument, struct stream *stream,
                  struct conn *conn)
{
    const char *greeting = context;
    struct err err;

    (void)conn;
    if (!stream_write(stream, greeting, strlen(greeting), SOON, &err) ||
        !stream_write(stream, argument, strlen(argument), SOON, &err))
        fail_msg("%s", err.text);
}

/* Reads until the stream or the daemon ends. */
static void listen_for_ever(void *context, const char *argument,
                            struct stream *stream, struct conn *conn)
{
    char byte;
    size_t got;
    struct err err;

    (void)context, (void)argument, (void)conn;
    while (stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err) && got)
        ;
}

static const struct daemon_service services[] = {
    {"greet:", false, greet, "hello "},
    {"listen:", true, listen_for_ever, NULL},
};

static struct daemon *start(uint16_t *port)
{
    const struct daemon_options options = {
        .banner = {.state = "device", .model = "Bare"},
        .services = services,
        .service_count = ARRAY_LEN(services),
    };
    struct daemon *daemon = NULL;
    struct err err = ERR_INIT;

    if (!daemon_start(&options, &daemon, &err) ||
        !daemon_listen(daemon, "127.0.0.1", 0, port, &err))
        fail_msg("%s", err.text);
    return daemon;
}

static struct conn *connect_host(uint16_t port)
{
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"}};
    struct transport *transport = NULL;
    struct conn *conn = NULL;
    struct err err = ERR_INIT;

    if (!tcp_open("127.0.0.1", port, (struct tcp_keepalive){0}, NULL, SOON,
                  &transport, &err) ||
        !conn_open(transport, &options, SOON, &conn, &err))
        fail_msg("%s", err.text);
    return conn;
}

static void assert_greets(struct conn *conn)
{
    struct stream *stream;
    struct err err;
    char text[9];

    if (!conn_open_stream(conn, "greet:you", SOON, &stream, &err) ||
        !stream_read_exact(stream, text, sizeof(text), SOON, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(text, "hello you", sizeof(text));
    stream_close(stream);
}

static void several_hosts_are_served_at_the_same_time(void **state)
{
    struct conn *conns[HOSTS];
    struct daemon *daemon;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    for (size_t i = 0; i < HOSTS; i++)
        conns[i] = connect_host(port);
    for (size_t i = 0; i < HOSTS; i++)
        assert_greets(conns[i]);
    for (size_t i = 0; i < HOSTS; i++)
        conn_close(conns[i]);
    daemon_stop(daemon);
}

/* Connect, send only a part of a banner, and stay connected. */
static int stall(uint16_t port, size_t said)
{
    static const char greeting[] = "CNXN";
    struct err err = ERR_INIT;
    int fd = -1;

    if (!tcp_connect("127.0.0.1", port, NULL, SOON, &fd, &err))
        fail_msg("%s", err.text);
    assert_int_equal(write(fd, greeting, said), (ssize_t)said);
    return fd;
}

static void stalled_connections_do_not_block_others(void **state)
{
    int stalled[STALLED];
    struct daemon *daemon;
    struct conn *before;
    struct conn *after;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    before = connect_host(port);
    for (size_t i = 0; i < STALLED; i++)
        stalled[i] = stall(port, i % sizeof("CNXN"));
    after = connect_host(port);
    assert_greets(after);
    assert_greets(before);
    conn_close(after);
    conn_close(before);
    for (size_t i = 0; i < STALLED; i++)
        close(stalled[i]);
    daemon_stop(daemon);
}

static void idle_connections_do_not_block_others(void **state)
{
    struct conn *idle[STALLED];
    struct daemon *daemon;
    struct conn *after;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    for (size_t i = 0; i < STALLED; i++)
        idle[i] = connect_host(port);
    after = connect_host(port);
    assert_greets(after);
    conn_close(after);
    for (size_t i = 0; i < STALLED; i++)
        conn_close(idle[i]);
    daemon_stop(daemon);
}

/* Open as many as one host may have. */
static void fill(struct conn *conn, struct stream *streams[DAEMON_STREAMS_MAX])
{
    struct err err;

    for (size_t i = 0; i < DAEMON_STREAMS_MAX; i++) {
        if (!conn_open_stream(conn, "listen:", SOON, &streams[i], &err))
            fail_msg("%s", err.text);
    }
}

static void streams_of_all_hosts_count_toward_the_limit(void **state)
{
    enum { FILLED = DAEMON_ALL_STREAMS_MAX / DAEMON_STREAMS_MAX };
    struct stream *streams[FILLED][DAEMON_STREAMS_MAX];
    struct conn *conns[FILLED];
    struct stream *stream;
    struct daemon *daemon;
    struct conn *late;
    struct err err;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    late = connect_host(port);
    for (size_t i = 0; i < FILLED; i++) {
        conns[i] = connect_host(port);
        fill(conns[i], streams[i]);
    }
    assert_false(conn_open_stream(late, "greet:you", SOON, &stream, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    for (size_t i = 0; i < FILLED; i++) {
        for (size_t k = 0; k < DAEMON_STREAMS_MAX; k++)
            stream_close(streams[i][k]);
        conn_close(conns[i]);
    }
    conn_close(late);
    daemon_stop(daemon);
}

static void connection_during_a_pause_is_served_afterwards(void **state)
{
    struct daemon *daemon;
    struct conn *before;
    struct conn *after;
    struct transport *waiting = NULL;
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"}};
    struct err err = ERR_INIT;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    before = connect_host(port);
    daemon_rest(daemon);
    assert_true(tcp_open("127.0.0.1", port, (struct tcp_keepalive){0}, NULL,
                         SOON, &waiting, &err));
    daemon_resume(daemon);
    if (!conn_open(waiting, &options, SOON, &after, &err))
        fail_msg("%s", err.text);
    assert_greets(after);
    conn_close(after);
    conn_close(before);
    daemon_stop(daemon);
}

static void unregistered_service_is_refused(void **state)
{
    static const char *const refused[] = {"nonsense:", "listen:more", ""};
    struct daemon *daemon;
    struct stream *stream;
    struct conn *conn;
    struct err err;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    conn = connect_host(port);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        assert_false(conn_open_stream(conn, refused[i], SOON, &stream, &err));
        assert_int_equal(err.code, ERR_REFUSED);
    }
    conn_close(conn);
    daemon_stop(daemon);
}

static void stop_disconnects_active_hosts(void **state)
{
    struct daemon *daemon;
    struct stream *stream;
    struct conn *conn;
    struct err err;
    uint16_t port;
    char byte;
    size_t got;

    (void)state;
    daemon = start(&port);
    conn = connect_host(port);
    assert_true(conn_open_stream(conn, "listen:", SOON, &stream, &err));
    daemon_stop(daemon);
    assert_false(stream_read(stream, &byte, 1, SOON, &got, &err));
    assert_int_equal(err.code, ERR_LOST);
    stream_close(stream);
    conn_close(conn);
}

static void port_in_use_is_named_in_the_error(void **state)
{
    const struct daemon_options options = {.banner = {.state = "device"}};
    struct daemon *first;
    struct daemon *second;
    struct err err;
    uint16_t port;
    uint16_t bound;

    (void)state;
    first = start(&port);
    assert_true(daemon_start(&options, &second, &err));
    assert_false(daemon_listen(second, "127.0.0.1", port, &bound, &err));
    assert_non_null(strstr(err.text, "in use"));
    daemon_stop(second);
    daemon_stop(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_hosts_are_served_at_the_same_time),
        cmocka_unit_test(stalled_connections_do_not_block_others),
        cmocka_unit_test(idle_connections_do_not_block_others),
        cmocka_unit_test(streams_of_all_hosts_count_toward_the_limit),
        cmocka_unit_test(connection_during_a_pause_is_served_afterwards),
        cmocka_unit_test(unregistered_service_is_refused),
        cmocka_unit_test(stop_disconnects_active_hosts),
        cmocka_unit_test(port_in_use_is_named_in_the_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
