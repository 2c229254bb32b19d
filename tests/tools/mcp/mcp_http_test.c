/* Who may ask the MCP server over HTTP, and how often. */
#include "tools/mcp/mcp_http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/web_client.h"

#define ANSWER_MAX 65536

struct fixture {
    struct mcp_phone phone;
    struct mcp_operator op;
    struct secret_token token;
    struct mcp_http *http;
    struct buf answer;
};

/* ---- a phone that is never used ---- */

static bool no_look(struct mcp_phone *phone, const struct cancel *cancel,
                    const struct observation **seen, struct err *err)
{
    (void)phone, (void)cancel, (void)seen;
    return err_set(err, ERR_LOST, "no screen");
}

static bool no_act(struct mcp_phone *phone, const struct action *action,
                   const char *said, const struct cancel *cancel,
                   struct mcp_outcome *outcome, struct err *err)
{
    (void)phone, (void)action, (void)said, (void)cancel, (void)outcome;
    return err_set(err, ERR_LOST, "no phone");
}

static void no_close(struct mcp_phone *phone)
{
    (void)phone;
}

static const struct mcp_phone_ops ops = {
    .look = no_look, .act = no_act, .close = no_close};

/* ---- the server ---- */

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct mcp_http_options options = {
        .token = &fixture->token,
        .server = {.op = &fixture->op, .instructions = "use it"},
    };
    struct err err = ERR_INIT;

    fixture->phone.ops = &ops;
    fixture->answer = (struct buf)BUF_INIT(ANSWER_MAX);
    mcp_operator_init(&fixture->op, &fixture->phone);
    *state = fixture;
    return !secret_token_make(&fixture->token, &err) ||
           !mcp_http_start(&options, &fixture->http, &err);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    mcp_http_stop(fixture->http);
    mcp_operator_release(&fixture->op);
    buf_release(&fixture->answer);
    free(fixture);
    return 0;
}

/* ---- clients ---- */

/* The status of the answer; headers are whole lines. */
static int ask(struct fixture *fixture, const char *token, const char *headers)
{
    struct buf request = BUF_INIT(ANSWER_MAX);
    int fd = web_client_connect(mcp_http_port(fixture->http));

    buf_text(&request, "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    if (token)
        buf_printf(&request, "Authorization: Bearer %s\r\n", token);
    buf_text(&request, headers);
    buf_text(&request, "\r\n");
    web_client_ask(fd, buf_cstr(&request), &fixture->answer);
    close(fd);
    buf_release(&request);
    web_client_expect(&fixture->answer, "HTTP/1.1 ");
    return (int)strtol(buf_cstr(&fixture->answer) + strlen("HTTP/1.1 "), NULL,
                       10);
}

/* Allowed, but there is nothing to read: 405. */
static void expect_allowed(struct fixture *fixture)
{
    assert_int_equal(ask(fixture, fixture->token.text, ""), 405);
}

/* ---- the tests ---- */

static void requests_without_the_token_use_up_nothing(void **state)
{
    struct fixture *fixture = *state;
    bool limited = false;

    assert_int_equal(ask(fixture, NULL, ""), 401);
    assert_int_equal(ask(fixture, "wrong", ""), 401);
    for (size_t i = 0; i < 2 * (size_t)MCP_HTTP_BURST; i++)
        limited = ask(fixture, i % 2 ? "wrong" : NULL, "") == 429 || limited;
    assert_true(limited);
    for (size_t i = 0; i < MCP_HTTP_BURST / 10; i++)
        expect_allowed(fixture);
}

static void pages_of_other_sites_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const char *token = fixture->token.text;

    assert_int_equal(ask(fixture, token, "Sec-Fetch-Site: cross-site\r\n"),
                     403);
    assert_int_equal(ask(fixture, NULL, "Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_int_equal(ask(fixture, token, "Sec-Fetch-Site: none\r\n"), 405);
    /* They do not count as wrong tokens either. */
    for (size_t i = 0; i < 2 * (size_t)MCP_HTTP_WRONG_BURST; i++)
        (void)ask(fixture, NULL, "Sec-Fetch-Site: cross-site\r\n");
    assert_int_equal(ask(fixture, NULL, ""), 401);
    expect_allowed(fixture);
}

int main(void)
{
#define HTTP_TEST(name_) cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        HTTP_TEST(requests_without_the_token_use_up_nothing),
        HTTP_TEST(pages_of_other_sites_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
