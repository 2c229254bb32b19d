#include "adb/daemon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/tcp.h"

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

/* Takes what comes until the stream or the daemon ends. */
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

static struct conn *visit(uint16_t port)
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

static void several_hosts_are_served_at_once(void **state)
{
    struct conn *conns[HOSTS];
    struct daemon *daemon;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    for (size_t i = 0; i < HOSTS; i++)
        conns[i] = visit(port);
    for (size_t i = 0; i < HOSTS; i++)
        assert_greets(conns[i]);
    for (size_t i = 0; i < HOSTS; i++)
        conn_close(conns[i]);
    daemon_stop(daemon);
}

/* Connect, say no more than the beginning of a greeting, and stay. */
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

static void those_that_stall_keep_nobody_out(void **state)
{
    int stalled[STALLED];
    struct daemon *daemon;
    struct conn *before;
    struct conn *after;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    before = visit(port);
    for (size_t i = 0; i < STALLED; i++)
        stalled[i] = stall(port, i % sizeof("CNXN"));
    after = visit(port);
    assert_greets(after);
    assert_greets(before);
    conn_close(after);
    conn_close(before);
    for (size_t i = 0; i < STALLED; i++)
        close(stalled[i]);
    daemon_stop(daemon);
}

static void those_that_are_let_in_and_idle_keep_nobody_out(void **state)
{
    struct conn *idle[STALLED];
    struct daemon *daemon;
    struct conn *after;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    for (size_t i = 0; i < STALLED; i++)
        idle[i] = visit(port);
    after = visit(port);
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

static void streams_of_all_hosts_are_counted(void **state)
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
    late = visit(port);
    for (size_t i = 0; i < FILLED; i++) {
        conns[i] = visit(port);
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

static void who_comes_while_it_rests_is_served_afterwards(void **state)
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
    before = visit(port);
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

static void what_is_not_registered_is_refused(void **state)
{
    static const char *const refused[] = {"nonsense:", "listen:more", ""};
    struct daemon *daemon;
    struct stream *stream;
    struct conn *conn;
    struct err err;
    uint16_t port;

    (void)state;
    daemon = start(&port);
    conn = visit(port);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        assert_false(conn_open_stream(conn, refused[i], SOON, &stream, &err));
        assert_int_equal(err.code, ERR_REFUSED);
    }
    conn_close(conn);
    daemon_stop(daemon);
}

static void stopping_hangs_up_on_hosts_that_use_it(void **state)
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
    conn = visit(port);
    assert_true(conn_open_stream(conn, "listen:", SOON, &stream, &err));
    daemon_stop(daemon);
    assert_false(stream_read(stream, &byte, 1, SOON, &got, &err));
    assert_int_equal(err.code, ERR_LOST);
    stream_close(stream);
    conn_close(conn);
}

static void a_port_in_use_is_named(void **state)
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
        cmocka_unit_test(several_hosts_are_served_at_once),
        cmocka_unit_test(those_that_stall_keep_nobody_out),
        cmocka_unit_test(those_that_are_let_in_and_idle_keep_nobody_out),
        cmocka_unit_test(streams_of_all_hosts_are_counted),
        cmocka_unit_test(who_comes_while_it_rests_is_served_afterwards),
        cmocka_unit_test(what_is_not_registered_is_refused),
        cmocka_unit_test(stopping_hangs_up_on_hosts_that_use_it),
        cmocka_unit_test(a_port_in_use_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
