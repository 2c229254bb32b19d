/*
 * Clients that connect and say nothing, stop in the middle, or send what is no
 * request: memory stays bounded, and others are served.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/heap.h"
#include "tests/support/web_client.h"
#include "tools/http_server/http_server.h"

#define MANY 500
#define FEW 64 /* connections of the small server */
#define BODY_MAX 4096
#define FLOOD 5000
#define MEGABYTE ((size_t)1 << 20)
/* What a connection may cost. */
#define CONNECTION_BYTES ((size_t)HTTP_SERVER_HEADER_MAX + 8192)

static void handle(void *context, const struct http_request *request)
{
    struct http_server **server = context;
    struct http_answer answer = {
        .status = 200, .type = "text/plain", .body = BUF_INIT(64)};

    buf_text(&answer.body, "served");
    http_server_answer(*server, request->id, &answer);
}

static struct http_server *start(size_t connections)
{
    static struct http_server *server;
    const struct http_server_options options = {
        .connections = connections,
        .body_max = BODY_MAX,
        .handle = handle,
        .context = &server,
    };
    struct err err = ERR_INIT;

    assert_true(http_server_open(&options, &server, &err));
    assert_true(http_server_start(server, &err));
    return server;
}

static void expect_served(const struct http_server *server)
{
    struct buf answer = BUF_INIT(4096);
    int fd = web_client_connect(http_server_port(server));

    web_client_ask(fd, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", &answer);
    web_client_expect(&answer, "served");
    close(fd);
    buf_release(&answer);
}

/* Connect many clients that send this and wait. */
static int *connect_many(const struct http_server *server, size_t count,
                         const char *text)
{
    int *fds = mem_new(count, sizeof(*fds));

    for (size_t i = 0; i < count; i++) {
        fds[i] = web_client_connect(http_server_port(server));
        web_client_put(fds[i], text);
    }
    return fds;
}

static void close_many(int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
    free(fds);
}

/* ---- silent clients ---- */

static void idle_connections_leave_others_served(void **state)
{
    struct http_server *server = start(0);
    size_t before = heap_in_use();
    int *fds = connect_many(server, MANY, "");

    (void)state;
    expect_served(server);
    assert_true(heap_in_use() < before + MANY * CONNECTION_BYTES);
    close_many(fds, MANY);
    http_server_close(server);
}

static void half_requests_leave_others_served(void **state)
{
    struct http_server *server = start(0);
    size_t before = heap_in_use();
    int *fds = connect_many(server, MANY, "GET / HTTP/1.1\r\nHost: x\r\nX-A: ");

    (void)state;
    expect_served(server);
    assert_true(heap_in_use() < before + MANY * CONNECTION_BYTES);
    close_many(fds, MANY);
    http_server_close(server);
}

/*
 * Without waiting for the time that a connection may be idle between requests,
 * which is longer than the test for this many of them.
 */
static void a_full_server_makes_room(void **state)
{
    struct http_server *server = start(FEW);
    int *fds =
        connect_many(server, 5 * FEW, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");

    (void)state;
    expect_served(server);
    close_many(fds, 5 * FEW);
    http_server_close(server);
}

/* A request that does not become complete ends in the end. */
static void half_requests_end(void **state)
{
    static const char *const halves[] = {
        "GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab",
        "",
    };
    struct http_server *server = start(0);
    struct buf read = BUF_INIT(4096);
    int fds[ARRAY_LEN(halves)];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        fds[i] = web_client_connect(http_server_port(server));
        web_client_put(fds[i], halves[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        web_client_read_to_end(fds[i], &read);
        close(fds[i]);
    }
    expect_served(server);
    buf_release(&read);
    http_server_close(server);
}

/* ---- what is no request ---- */

static void expect_ended(const struct http_server *server, const char *text)
{
    struct buf read = BUF_INIT(MEGABYTE);
    int fd = web_client_connect(http_server_port(server));

    web_client_put(fd, text);
    web_client_read_to_end(fd, &read);
    if (strstr(buf_cstr(&read), "served"))
        fail_msg("%s was served", text);
    close(fd);
    buf_release(&read);
}

static void what_is_no_request_ends_the_connection(void **state)
{
    static const char *const texts[] = {
        "\x16\x03\x01\x02\x01 hello of TLS\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "CONNECT other.example:80 HTTP/1.1\r\nHost: x\r\n\r\n",
        "NONE / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
        "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n",
        "HEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
        "Content-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: x\r\n"
        "Content-Length: 99999999999999999999\r\n\r\n",
    };
    struct http_server *server = start(0);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        expect_ended(server, texts[i]);
    expect_served(server);
    http_server_close(server);
}

static void long_headers_end_the_connection(void **state)
{
    struct http_server *server = start(0);
    struct buf request = BUF_INIT(2 * MEGABYTE);
    struct buf read = BUF_INIT(4096);
    size_t before = heap_in_use();
    size_t length = HTTP_SERVER_HEADER_MAX + 4096;
    int fd = web_client_connect(http_server_port(server));

    (void)state;
    buf_text(&request, "GET / HTTP/1.1\r\nHost: x\r\nCookie: ");
    for (size_t i = 0; i < length; i++)
        buf_byte(&request, 'x');
    web_client_put_bytes(fd, request.data, request.length);
    web_client_read_to_end(fd, &read);
    assert_true(heap_in_use() < before + 2 * MEGABYTE);
    expect_served(server);
    close(fd);
    buf_release(&request);
    buf_release(&read);
    http_server_close(server);
}

/* ---- floods ---- */

/* Requests whose answers are not read. */
static void a_flood_of_requests_leaves_others_served(void **state)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    struct http_server *server = start(0);
    size_t before = heap_in_use();
    int fd = web_client_connect_small(http_server_port(server));

    (void)state;
    for (size_t i = 0; i < FLOOD; i++) {
        ssize_t put =
            send(fd, request, strlen(request), MSG_NOSIGNAL | MSG_DONTWAIT);

        /* The server does not read on, or has had enough. */
        if (put < 0)
            break;
        if (i % 500 == 0)
            expect_served(server);
    }
    expect_served(server);
    assert_true(heap_in_use() < before + 2 * MEGABYTE);
    close(fd);
    http_server_close(server);
}

/* The clients and the server have more sockets than a program usually may. */
static int allow_many_files(void **state)
{
    struct rlimit limit;

    (void)state;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return -1;
    if (limit.rlim_max < 3 * (rlim_t)MANY)
        return -1;
    limit.rlim_cur = limit.rlim_max < 8192 ? limit.rlim_max : 8192;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_connections_leave_others_served),
        cmocka_unit_test(half_requests_leave_others_served),
        cmocka_unit_test(a_full_server_makes_room),
        cmocka_unit_test(half_requests_end),
        cmocka_unit_test(what_is_no_request_ends_the_connection),
        cmocka_unit_test(long_headers_end_the_connection),
        cmocka_unit_test(a_flood_of_requests_leaves_others_served),
    };

    return cmocka_run_group_tests(tests, allow_many_files, NULL);
}
