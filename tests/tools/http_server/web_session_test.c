/*
 * A page with a login: who gets it, and who does not. The clients send the
 * headers that browsers send.
 */
#include "tools/http_server/web_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/web_client.h"
#include "tools/http_server/web_files.h"
#include "tools/http_server/web_origin.h"

#define TEXT_MAX 4096

extern const struct embedded test_page;

static const struct web_file files[] = {
    {"/", &test_page, "page/index.html"},
    {"/page.js", &test_page, "page/page.js"},
};

struct fixture {
    struct http_server *server;
    struct web_session *session;
    uint16_t port;
    char token[TEXT_MAX];
    char cookie[TEXT_MAX]; /* "name=value" of a login; "": none yet */
    struct buf answer;
};

static void handle(void *context, const struct http_request *request)
{
    struct fixture *fixture = context;
    struct http_answer answer = {.status = 404, .body = BUF_INIT(0)};

    if (web_session_admit(fixture->session, fixture->server, request) &&
        !web_files_answer(files, ARRAY_LEN(files), fixture->server, request))
        http_server_answer(fixture->server, request->id, &answer);
}

static int admit(void *context, const struct http_request *request,
                 uint64_t client)
{
    struct fixture *fixture = context;

    (void)client;
    return web_session_admit_socket(fixture->session, fixture->server, request);
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct http_server_options options = {
        .body_max = TEXT_MAX,
        .answer_headers = web_session_headers,
        .handle = handle,
        .sockets = {.clients = 4,
                    .message_max = TEXT_MAX,
                    .queue_max = TEXT_MAX,
                    .admit = admit},
        .context = fixture,
    };
    struct buf url = BUF_INIT(TEXT_MAX);
    struct err err = ERR_INIT;

    *state = fixture;
    fixture->answer = (struct buf)BUF_INIT(65536);
    if (!web_session_open(&fixture->session, &err) ||
        !http_server_open(&options, &fixture->server, &err) ||
        !http_server_start(fixture->server, &err))
        return -1;
    fixture->port = http_server_port(fixture->server);
    web_session_url(fixture->session, fixture->server, &url);
    snprintf(fixture->token, sizeof(fixture->token), "%s",
             strstr(buf_cstr(&url), "?token=") + strlen("?token="));
    buf_release(&url);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    http_server_close(fixture->server);
    web_session_close(fixture->session);
    buf_release(&fixture->answer);
    free(fixture);
    return 0;
}

/* ---- clients ---- */

/* Send a request; {PORT} in the headers is the one of the server. */
static void ask(struct fixture *fixture, const char *method, const char *target,
                const char *headers)
{
    struct buf request = BUF_INIT(65536);
    int fd = web_client_connect(fixture->port);

    buf_printf(&request, "%s %s HTTP/1.1\r\n", method, target);
    for (const char *at = headers; *at; at++) {
        if (!strncmp(at, "{PORT}", 6)) {
            buf_printf(&request, "%u", (unsigned)fixture->port);
            at += 5;
        } else if (!strncmp(at, "{COOKIE}", 8)) {
            buf_text(&request, fixture->cookie);
            at += 7;
        } else {
            buf_byte(&request, *at);
        }
    }
    if (!strcmp(method, "POST"))
        buf_text(&request, "Content-Length: 0\r\n");
    buf_text(&request, "\r\n");
    web_client_ask(fd, buf_cstr(&request), &fixture->answer);
    close(fd);
    buf_release(&request);
}

static void expect(struct fixture *fixture, const char *part)
{
    web_client_expect(&fixture->answer, part);
}

static void log_in(struct fixture *fixture)
{
    char target[2 * TEXT_MAX];
    const char *cookie;

    snprintf(target, sizeof(target), "/?token=%s", fixture->token);
    ask(fixture, "GET", target, "Host: 127.0.0.1:{PORT}\r\n");
    expect(fixture, "HTTP/1.1 303");
    cookie = strstr(buf_cstr(&fixture->answer), "set-cookie: ");
    assert_non_null(cookie);
    cookie += strlen("set-cookie: ");
    snprintf(fixture->cookie, sizeof(fixture->cookie), "%.*s",
             (int)strcspn(cookie, ";"), cookie);
}

#define OWN_HOST "Host: 127.0.0.1:{PORT}\r\n"
#define OWN_ORIGIN "Origin: http://127.0.0.1:{PORT}\r\n"
#define COOKIE "Cookie: {COOKIE}\r\n"
#define LONG_VALUE                                                             \
    "0123456789012345678901234567890123456789012345678901234567890123456789"   \
    "0123456789012345678901234567890123456789012345678901234567890123456789"

/* ---- the login ---- */

static void the_token_becomes_a_cookie(void **state)
{
    struct fixture *fixture = *state;
    char name[64];

    log_in(fixture);
    expect(fixture, "location: /\r\n");
    expect(fixture, "; Path=/; HttpOnly; SameSite=Strict\r\n");
    expect(fixture, "cache-control: no-store");
    snprintf(name, sizeof(name), "proctor-%u=", (unsigned)fixture->port);
    assert_memory_equal(fixture->cookie, name, strlen(name));
    assert_null(strstr(fixture->cookie, fixture->token));
    ask(fixture, "GET", "/", OWN_HOST COOKIE);
    expect(fixture, "HTTP/1.1 200");
    expect(fixture, "<title>A page</title>");
}

static void other_cookies_may_stand_around_it(void **state)
{
    struct fixture *fixture = *state;

    log_in(fixture);
    ask(fixture, "GET", "/", OWN_HOST "Cookie: a=1; {COOKIE}; proctor-1=x\r\n");
    expect(fixture, "HTTP/1.1 200");
    ask(fixture, "GET", "/", OWN_HOST "Cookie: x{COOKIE}\r\n");
    expect(fixture, "HTTP/1.1 401");
    /* The value under another name. */
    fixture->cookie[0] = 'P';
    ask(fixture, "GET", "/", OWN_HOST COOKIE);
    expect(fixture, "HTTP/1.1 401");
}

/* Another server of the same host can set one for a part of the paths. */
static void every_cookie_of_the_name_is_tried(void **state)
{
    static const char *const cases[] = {
        "proctor-{PORT}=wrong; {COOKIE}",
        "{COOKIE}; proctor-{PORT}=wrong",
        "proctor-{PORT}=; proctor-{PORT}=wrong; {COOKIE}",
        "proctor-{PORT}=" LONG_VALUE "; {COOKIE}",
    };
    struct fixture *fixture = *state;
    char headers[TEXT_MAX];

    log_in(fixture);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        snprintf(headers, sizeof(headers), OWN_HOST "Cookie: %s\r\n", cases[i]);
        ask(fixture, "GET", "/", headers);
        expect(fixture, "HTTP/1.1 200");
    }
    ask(fixture, "GET", "/",
        OWN_HOST "Cookie: proctor-{PORT}=wrong; proctor-{PORT}=x\r\n");
    expect(fixture, "HTTP/1.1 401");
}

static void nothing_is_served_without_a_login(void **state)
{
    static const struct {
        const char *target;
        const char *headers;
    } cases[] = {
        {"/", OWN_HOST},
        {"/page.js", OWN_HOST},
        {"/other", OWN_HOST},
        {"/?token=", OWN_HOST},
        {"/?token=wrong", OWN_HOST},
        {"/?token", OWN_HOST},
        {"/", OWN_HOST "Cookie: proctor-{PORT}=\r\n"},
        {"/", OWN_HOST "Cookie: proctor-{PORT}=wrong\r\n"},
        {"/", OWN_HOST "Cookie: proctor-{PORT}\r\n"},
        {"/", OWN_HOST "Cookie: ;;==;\r\n"},
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        ask(fixture, "GET", cases[i].target, cases[i].headers);
        expect(fixture, "HTTP/1.1 401");
        expect(fixture, "Open the address that proctor printed");
        assert_null(strstr(buf_cstr(&fixture->answer), "set-cookie"));
    }
}

static void wrong_tokens_are_limited(void **state)
{
    struct fixture *fixture = *state;
    char target[2 * TEXT_MAX];
    bool limited = false;

    log_in(fixture);
    for (size_t i = 0; i < 3 * (size_t)WEB_SESSION_WRONG_BURST; i++) {
        ask(fixture, "GET", "/?token=wrong", OWN_HOST);
        limited = limited || strstr(buf_cstr(&fixture->answer), " 429 ");
    }
    assert_true(limited);
    /* They keep no one out who knows the right one. */
    snprintf(target, sizeof(target), "/?token=%s", fixture->token);
    ask(fixture, "GET", target, OWN_HOST);
    expect(fixture, "HTTP/1.1 303");
    /* Who is logged in stays it. */
    ask(fixture, "GET", "/", OWN_HOST COOKIE);
    expect(fixture, "HTTP/1.1 200");
}

static void the_oldest_logins_end(void **state)
{
    struct fixture *fixture = *state;
    char first[TEXT_MAX];

    log_in(fixture);
    memcpy(first, fixture->cookie, sizeof(first));
    for (size_t i = 0; i < WEB_SESSIONS; i++)
        log_in(fixture);
    ask(fixture, "GET", "/", OWN_HOST COOKIE);
    expect(fixture, "HTTP/1.1 200");
    memcpy(fixture->cookie, first, sizeof(first));
    ask(fixture, "GET", "/", OWN_HOST COOKIE);
    expect(fixture, "HTTP/1.1 401");
}

/* ---- other sites ---- */

struct origin_case {
    const char *method;
    const char *headers;
    const char *status;
};

#define SITE(site_, mode_)                                                     \
    "Sec-Fetch-Site: " site_ "\r\nSec-Fetch-Mode: " mode_ "\r\n"
#define DEST(dest_) "Sec-Fetch-Dest: " dest_ "\r\n"

static void only_pages_of_this_server_may_ask(void **state)
{
    static const struct origin_case cases[] = {
        {"GET", "Host: localhost:{PORT}\r\n", " 200 "},
        {"GET", "Host: [::1]:{PORT}\r\n", " 200 "},
        /* A port that is forwarded. */
        {"GET", "Host: 127.0.0.1:9\r\n", " 200 "},
        {"GET", "Host: evil.example\r\n", " 403 "},
        {"GET", "Host: evil.example:{PORT}\r\n", " 403 "},
        {"GET", "Host: 127.0.0.1.evil.example:{PORT}\r\n", " 403 "},
        {"GET", OWN_HOST "Host: evil.example\r\n", " 403 "},
        {"GET", "", " 403 "},
        {"GET", OWN_HOST OWN_ORIGIN, " 200 "},
        {"POST", OWN_HOST OWN_ORIGIN, " 405 "},
        {"POST", OWN_HOST "Origin: http://evil.example\r\n", " 403 "},
        {"POST", OWN_HOST "Origin: null\r\n", " 403 "},
        {"POST", OWN_HOST "Origin: http://127.0.0.1\r\n", " 403 "},
        {"POST", OWN_HOST "Origin: http://127.0.0.1:9\r\n", " 403 "},
        {"POST", OWN_HOST "Origin: https://127.0.0.1:{PORT}\r\n", " 403 "},
        {"POST", OWN_HOST "Origin: http://localhost:{PORT}\r\n", " 403 "},
        {"GET", OWN_HOST SITE("none", "navigate"), " 200 "},
        {"GET", OWN_HOST SITE("same-origin", "no-cors"), " 200 "},
        {"GET", OWN_HOST SITE("cross-site", "navigate") DEST("document"),
         " 200 "},
        {"GET", OWN_HOST SITE("same-site", "navigate") DEST("document"),
         " 200 "},
        {"GET", OWN_HOST SITE("cross-site", "navigate"), " 403 "},
        {"GET", OWN_HOST SITE("cross-site", "navigate") DEST("iframe"),
         " 403 "},
        {"GET", OWN_HOST SITE("same-site", "navigate") DEST("iframe"), " 403 "},
        {"GET", OWN_HOST SITE("cross-site", "navigate") DEST("object"),
         " 403 "},
        {"GET", OWN_HOST SITE("cross-site", "no-cors") DEST("document"),
         " 403 "},
        {"GET", OWN_HOST SITE("cross-site", "no-cors"), " 403 "},
        {"GET", OWN_HOST SITE("same-site", "no-cors"), " 403 "},
        {"GET", OWN_HOST SITE("same-site", "cors"), " 403 "},
        {"POST", OWN_HOST SITE("cross-site", "navigate") DEST("document"),
         " 403 "},
    };
    struct fixture *fixture = *state;
    char headers[TEXT_MAX];

    log_in(fixture);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        snprintf(headers, sizeof(headers), "%s" COOKIE, cases[i].headers);
        ask(fixture, cases[i].method, "/", headers);
        if (!strstr(buf_cstr(&fixture->answer), cases[i].status))
            fail_msg("%s %s gets no%sbut %.20s", cases[i].method,
                     cases[i].headers, cases[i].status,
                     buf_cstr(&fixture->answer));
    }
}

/* ---- sockets ---- */

static void try_upgrade(struct fixture *fixture, const char *headers,
                        const char *status)
{
    int fd = web_client_connect(fixture->port);

    buf_clear(&fixture->answer);
    web_client_upgrade(fd, headers, &fixture->answer);
    if (!strstr(buf_cstr(&fixture->answer), status))
        fail_msg("%s gets no%sbut %.20s", headers, status,
                 buf_cstr(&fixture->answer));
    close(fd);
}

static void sockets_need_a_login_and_the_own_origin(void **state)
{
    struct fixture *fixture = *state;
    char own[TEXT_MAX], other[TEXT_MAX], headers[2 * TEXT_MAX];

    log_in(fixture);
    snprintf(own, sizeof(own),
             "Host: 127.0.0.1:%u\r\nOrigin: http://127.0.0.1:%u\r\n",
             (unsigned)fixture->port, (unsigned)fixture->port);
    snprintf(other, sizeof(other),
             "Host: 127.0.0.1:%u\r\nOrigin: http://127.0.0.1:9\r\n",
             (unsigned)fixture->port);
    try_upgrade(fixture, own, " 401 ");
    snprintf(headers, sizeof(headers), "%sCookie: %s\r\n", other,
             fixture->cookie);
    try_upgrade(fixture, headers, " 403 ");
    snprintf(headers, sizeof(headers), "Host: 127.0.0.1:%u\r\nCookie: %s\r\n",
             (unsigned)fixture->port, fixture->cookie);
    try_upgrade(fixture, headers, " 403 ");
    snprintf(headers, sizeof(headers),
             "Host: evil.example\r\nOrigin: http://evil.example\r\n"
             "Cookie: %s\r\n",
             fixture->cookie);
    try_upgrade(fixture, headers, " 403 ");
    snprintf(headers, sizeof(headers), "%sCookie: %s\r\n", own,
             fixture->cookie);
    try_upgrade(fixture, headers, " 101 ");
}

/* ---- files ---- */

static void files_have_a_type_and_security_headers(void **state)
{
    static const char *const expected[] = {
        "content-type: text/javascript; charset=utf-8\r\n",
        "content-security-policy: default-src 'none'; script-src 'self'; ",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff\r\n",
        "referrer-policy: no-referrer\r\n",
        "cross-origin-resource-policy: same-origin\r\n",
        "cache-control: no-cache\r\n",
        "document.title",
    };
    struct fixture *fixture = *state;

    log_in(fixture);
    ask(fixture, "GET", "/page.js", OWN_HOST COOKIE);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        expect(fixture, expected[i]);
    assert_null(strstr(buf_cstr(&fixture->answer), "unsafe"));
}

static void a_file_that_is_known_is_not_sent_again(void **state)
{
    struct fixture *fixture = *state;
    char headers[TEXT_MAX];
    const char *etag;

    log_in(fixture);
    ask(fixture, "GET", "/page.js", OWN_HOST COOKIE);
    etag = strstr(buf_cstr(&fixture->answer), "etag: ");
    assert_non_null(etag);
    snprintf(headers, sizeof(headers),
             OWN_HOST COOKIE "If-None-Match: %.*s\r\n",
             (int)strcspn(etag + 6, "\r"), etag + 6);
    ask(fixture, "GET", "/page.js", headers);
    expect(fixture, "HTTP/1.1 304");
    assert_null(strstr(buf_cstr(&fixture->answer), "document.title"));
    ask(fixture, "GET", "/", headers);
    expect(fixture, "HTTP/1.1 200");
}

static void only_the_table_is_served(void **state)
{
    static const char *const targets[] = {
        "/page/page.js",      "/index.html",           "/../page.js/x",
        "/%2e%2e/etc/passwd", "/page.js%00",           "/page.js/",
        "//etc/passwd",       "/..%2f..%2fetc/passwd",
    };
    struct fixture *fixture = *state;

    log_in(fixture);
    for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
        struct buf request = BUF_INIT(TEXT_MAX);
        int fd = web_client_connect(fixture->port);

        buf_printf(&request,
                   "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: %s\r\n"
                   "Connection: close\r\n\r\n",
                   targets[i], fixture->cookie);
        buf_clear(&fixture->answer);
        web_client_put(fd, buf_cstr(&request));
        web_client_read_to_end(fd, &fixture->answer);
        if (strstr(buf_cstr(&fixture->answer), " 200 "))
            fail_msg("%s is served", targets[i]);
        close(fd);
        buf_release(&request);
    }
}

/* ---- names ---- */

static void only_this_computer_is_an_origin(void **state)
{
    (void)state;
    assert_true(web_origin_is_loopback_host("127.0.0.1:8765"));
    assert_true(web_origin_is_loopback_host("localhost"));
    assert_true(web_origin_is_loopback_host("LocalHost:1"));
    assert_true(web_origin_is_loopback_host("[::1]:80"));
    assert_false(web_origin_is_loopback_host("localhost.evil.example"));
    assert_false(web_origin_is_loopback_host("127.0.0.1.evil.example:80"));
    assert_false(web_origin_is_loopback_host("evil.example"));
    assert_false(web_origin_is_loopback_host("127.0.0.1:"));
    assert_false(web_origin_is_loopback_host("127.0.0.1:80a"));
    assert_false(web_origin_is_loopback_host(""));
    assert_true(web_origin_is_loopback("http://localhost:6274"));
    assert_false(web_origin_is_loopback("http://evil.example"));
    assert_false(web_origin_is_loopback("null"));
    assert_false(web_origin_is_loopback("localhost"));
}

int main(void)
{
#define SESSION_TEST(name_)                                                    \
    cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        SESSION_TEST(the_token_becomes_a_cookie),
        SESSION_TEST(other_cookies_may_stand_around_it),
        SESSION_TEST(every_cookie_of_the_name_is_tried),
        SESSION_TEST(nothing_is_served_without_a_login),
        SESSION_TEST(wrong_tokens_are_limited),
        SESSION_TEST(the_oldest_logins_end),
        SESSION_TEST(only_pages_of_this_server_may_ask),
        SESSION_TEST(sockets_need_a_login_and_the_own_origin),
        SESSION_TEST(files_have_a_type_and_security_headers),
        SESSION_TEST(a_file_that_is_known_is_not_sent_again),
        SESSION_TEST(only_the_table_is_served),
        cmocka_unit_test(only_this_computer_is_an_origin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
