/* The HTTP server, with clients that write to its socket directly. */
#include "tools/http_server/http_server.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "tests/support/web_client.h"

#define BODY_MAX 4096
#define LARGE ((size_t)3 << 20)

/* What the handler does with a request, by its path. */
struct fixture {
    struct http_server *server;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t held; /* a request to /hold, which is not answered; 0: none */
    uint64_t gone; /* a request whose client has left; 0: none */
};

static void answer_text(struct fixture *fixture, uint64_t id, int status,
                        const char *text)
{
    static const struct http_header headers[] = {
        {"x-answer", "yes"}, {"cache-control", "no-store"}, {NULL, NULL}};
    struct http_answer answer = {.status = status,
                                 .type = "text/plain",
                                 .headers = headers,
                                 .body = BUF_INIT(LARGE)};

    buf_text(&answer.body, text);
    http_server_answer(fixture->server, id, &answer);
}

static void answer_large(struct fixture *fixture, uint64_t id)
{
    struct http_answer answer = {
        .status = 200, .type = "text/plain", .body = BUF_INIT(LARGE)};

    memset(buf_reserve(&answer.body, LARGE), 'x', LARGE);
    buf_commit(&answer.body, LARGE);
    http_server_answer(fixture->server, id, &answer);
}

static void handle(void *context, const struct http_request *request)
{
    struct fixture *fixture = context;
    const char *own = http_request_header(request, "x-own");
    const char *host = http_request_header(request, "host");
    char text[BODY_MAX + 512];
    char argument[64];

    if (!strcmp(request->path, "/hold")) {
        pthread_mutex_lock(&fixture->lock);
        fixture->held = request->id;
        pthread_cond_broadcast(&fixture->changed);
        pthread_mutex_unlock(&fixture->lock);
    } else if (!strcmp(request->path, "/large")) {
        answer_large(fixture, request->id);
    } else {
        if (!http_request_argument(request, "arg", argument, sizeof(argument)))
            argument[0] = '\0';
        snprintf(text, sizeof(text), "%s %s own=%s host=%s body=%s arg=%s end",
                 request->method, request->path, own ? own : "none",
                 host ? "given" : "none", request->body, argument);
        answer_text(fixture, request->id, 200, text);
    }
}

static void on_gone(void *context, uint64_t id)
{
    struct fixture *fixture = context;

    pthread_mutex_lock(&fixture->lock);
    fixture->gone = id;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
}

static int setup(void **state)
{
    static const char *const headers[] = {"x-own", NULL};
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct http_server_options options = {
        .body_max = BODY_MAX,
        .headers = headers,
        .handle = handle,
        .on_gone = on_gone,
        .context = fixture,
    };
    struct err err = ERR_INIT;

    pthread_mutex_init(&fixture->lock, NULL);
    deadline_cond_init(&fixture->changed);
    *state = fixture;
    return !http_server_open(&options, &fixture->server, &err) ||
           !http_server_start(fixture->server, &err);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_close(fixture->server);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->lock);
    free(fixture);
    return 0;
}

static uint64_t wait_for(struct fixture *fixture, const uint64_t *number)
{
    const struct timespec by =
        deadline_timespec(deadline_in_ms(WEB_CLIENT_WAIT_S * INT64_C(1000)));
    uint64_t found;

    pthread_mutex_lock(&fixture->lock);
    while (!*number)
        assert_int_equal(
            pthread_cond_timedwait(&fixture->changed, &fixture->lock, &by), 0);
    found = *number;
    pthread_mutex_unlock(&fixture->lock);
    return found;
}

static int connect_to(const struct fixture *fixture)
{
    return web_client_connect(http_server_port(fixture->server));
}

/* ---- the tests ---- */

static void requests_share_a_connection(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(
        fd, "POST /a HTTP/1.1\r\nHost: x\r\nX-Own: 7\r\nContent-Length: 3\r\n"
            "\r\nabc");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "HTTP/1.1 200");
    web_client_expect(&answer, "x-answer: yes");
    web_client_expect(&answer, "cache-control: no-store");
    web_client_expect(&answer, "POST /a own=7 host=given body=abc");
    buf_clear(&answer);
    web_client_put(fd, "GET /b?q=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "GET /b own=none host=given body=");
    buf_clear(&answer);
    web_client_put(fd, "DELETE /c HTTP/1.1\r\nHost: x\r\n\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "DELETE /c own=none");
    close(fd);
    buf_release(&answer);
}

/* Both answers are given during the call of the handler. */
static void requests_may_come_in_one_piece(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "POST /a HTTP/1.1\r\nHost: x\r\n"
                       "Content-Length: 3\r\n\r\nabc"
                       "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"
                       "GET /c HTTP/1.1\r\nHost: x\r\n\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "POST /a own=none host=given body=abc");
    buf_clear(&answer);
    web_client_get(fd, &answer);
    web_client_expect(&answer, "GET /b own=none");
    buf_clear(&answer);
    web_client_get(fd, &answer);
    web_client_expect(&answer, "GET /c own=none");
    close(fd);
    buf_release(&answer);
}

/* Served or not: it may not keep the server busy. */
static void a_body_in_one_piece_with_the_request_before_ends(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"
                       "POST /a HTTP/1.1\r\nHost: x\r\n"
                       "Content-Length: 3\r\n\r\nabc");
    assert_false(shutdown(fd, SHUT_WR));
    web_client_read_to_end(fd, &answer);
    web_client_expect(&answer, "GET /b own=none");
    close(fd);
    buf_release(&answer);
}

/* What a HEAD request gets ends with the headers. */
static void head_has_the_headers_only(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "HEAD /a HTTP/1.1\r\nHost: x\r\n"
                       "Connection: close\r\n\r\n");
    web_client_read_to_end(fd, &answer);
    web_client_expect(&answer, "HTTP/1.1 200");
    web_client_expect(&answer, "content-length: ");
    assert_string_equal(answer.data + answer.length - 4, "\r\n\r\n");
    close(fd);
    buf_release(&answer);
}

static void arguments_are_decoded(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "GET /a?arg=%41%26b&other=2 HTTP/1.1\r\nHost: x\r\n"
                       "\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "arg=A&b end");
    close(fd);
    buf_release(&answer);
}

static void a_body_may_come_in_pieces(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Le");
    web_client_put(fd, "ngth: 6\r\n\r\nab");
    web_client_put(fd, "cdef");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "body=abcdef");
    close(fd);
    buf_release(&answer);
}

static void another_thread_answers_later(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(
        fd, "POST /hold HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    answer_text(fixture, wait_for(fixture, &fixture->held), 201, "later");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "HTTP/1.1 201");
    web_client_expect(&answer, "later");
    close(fd);
    buf_release(&answer);
}

static void a_client_that_leaves_is_reported(void **state)
{
    struct fixture *fixture = *state;
    int fd = connect_to(fixture);
    uint64_t held;

    web_client_put(
        fd, "POST /hold HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    held = wait_for(fixture, &fixture->held);
    close(fd);
    assert_int_equal(wait_for(fixture, &fixture->gone), held);
    /* An answer without a client is dropped. */
    answer_text(fixture, held, 200, "late");
}

static void large_answers_are_sent_in_pieces(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(2 * LARGE);
    int fd = connect_to(fixture);

    web_client_put(fd, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    web_client_get(fd, &answer);
    assert_true(answer.length > LARGE);
    assert_int_equal(answer.data[answer.length - 1], 'x');
    close(fd);
    buf_release(&answer);
}

static void *stop(void *context)
{
    http_server_stop(context);
    return NULL;
}

/* The answer does not fit into the buffers of the sockets. */
static void answers_are_sent_before_it_stops(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(2 * LARGE);
    int fd = connect_to(fixture);
    pthread_t thread;

    web_client_put(fd, "GET /hold HTTP/1.1\r\nHost: x\r\n\r\n");
    answer_large(fixture, wait_for(fixture, &fixture->held));
    assert_int_equal(pthread_create(&thread, NULL, stop, fixture->server), 0);
    web_client_get(fd, &answer);
    assert_true(answer.length > LARGE);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(fd);
    buf_release(&answer);
}

static void bodies_have_a_length_within_the_limit(void **state)
{
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    web_client_put(
        fd, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4097\r\n\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "HTTP/1.1 413");
    close(fd);
    buf_clear(&answer);
    fd = connect_to(fixture);
    web_client_put(
        fd, "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            "1\r\na\r\n0\r\n\r\n");
    web_client_get(fd, &answer);
    web_client_expect(&answer, "HTTP/1.1 411");
    close(fd);
    buf_release(&answer);
}

/* Other computers may come only with TLS. */
static void addresses_are_loopback_without_tls(void **state)
{
    static const struct {
        const char *address;
        bool may;
    } cases[] = {
        {"127.0.0.1", true}, {"127.0.0.2", true},  {"::1", true},
        {"0.0.0.0", false},  {"10.0.0.1", false},  {"::", false},
        {"lo", false},       {"localhost", false}, {"", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct http_server_options options = {.address =
                                                        cases[i].address};
        struct http_server *server = NULL;
        struct err err = ERR_INIT;
        bool opened = http_server_open(&options, &server, &err);

        if (opened != cases[i].may)
            fail_msg("%s: %s", cases[i].address, err.text);
        if (!opened)
            assert_int_equal(err.code, ERR_INVALID);
        http_server_close(server);
    }
}

static void bodies_may_be_empty(void **state)
{
    static const char *const methods[] = {"POST", "PUT", "PATCH", "DELETE"};
    struct fixture *fixture = *state;
    struct buf answer = BUF_INIT(LARGE);
    int fd = connect_to(fixture);

    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        char request[128];

        snprintf(request, sizeof(request),
                 "%s /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                 methods[i]);
        web_client_ask(fd, request, &answer);
        web_client_expect(&answer, methods[i]);
        web_client_expect(&answer, "HTTP/1.1 200");
    }
    close(fd);
    buf_release(&answer);
}

static void a_port_in_use_is_reported(void **state)
{
    struct fixture *fixture = *state;
    static const char *const headers[] = {NULL};
    const struct http_server_options options = {
        .port = http_server_port(fixture->server),
        .headers = headers,
        .handle = handle,
    };
    struct http_server *second = NULL;
    struct err err = ERR_INIT;

    assert_false(http_server_open(&options, &second, &err));
    assert_int_equal(err.code, ERR_BUSY);
}

int main(void)
{
#define SERVER_TEST(name_)                                                     \
    cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        SERVER_TEST(requests_share_a_connection),
        SERVER_TEST(requests_may_come_in_one_piece),
        SERVER_TEST(a_body_in_one_piece_with_the_request_before_ends),
        SERVER_TEST(head_has_the_headers_only),
        SERVER_TEST(arguments_are_decoded),
        SERVER_TEST(a_body_may_come_in_pieces),
        SERVER_TEST(another_thread_answers_later),
        SERVER_TEST(a_client_that_leaves_is_reported),
        SERVER_TEST(large_answers_are_sent_in_pieces),
        SERVER_TEST(answers_are_sent_before_it_stops),
        SERVER_TEST(bodies_have_a_length_within_the_limit),
        SERVER_TEST(bodies_may_be_empty),
        SERVER_TEST(a_port_in_use_is_reported),
        SERVER_TEST(addresses_are_loopback_without_tls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
