/* The protocol, with a phone that only counts. */
#include "tools/mcp/mcp_server.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tools/mcp/mcp_http.h"
#include "tools/mcp/mcp_stdio.h"

#define WAIT_MS 60000

#define MODERN_META                                                            \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","   \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* ---- a phone whose actions block until they are let go ---- */

struct fake_phone {
    struct mcp_phone phone;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int begun;   /* actions that were begun */
    bool blocks; /* an action waits until it is cancelled */
};

static bool fake_look(struct mcp_phone *phone, const struct cancel *cancel,
                      const struct observation **seen, struct err *err)
{
    (void)phone, (void)cancel, (void)seen;
    return err_set(err, ERR_LOST, "no screen");
}

static bool fake_act(struct mcp_phone *phone, const struct action *action,
                     const char *said, const struct cancel *cancel,
                     struct mcp_outcome *outcome, struct err *err)
{
    struct fake_phone *fake = (struct fake_phone *)phone;
    struct pollfd cancelled = {.fd = cancel_fd(cancel), .events = POLLIN};
    bool blocks;

    pthread_mutex_lock(&fake->lock);
    fake->begun++;
    blocks = fake->blocks;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->lock);
    if (blocks)
        (void)poll(&cancelled, 1, WAIT_MS);
    if (cancel_fired(cancel))
        return err_set(err, ERR_CANCELLED, "cancelled");
    buf_printf(&outcome->text, "did %s as %s", action_kind_name(action->kind),
               said);
    return true;
}

static void fake_close(struct mcp_phone *phone)
{
    (void)phone;
}

static const struct mcp_phone_ops fake_ops = {
    .look = fake_look, .act = fake_act, .close = fake_close};

/* ---- a server, and what it answered ---- */

#define ANSWERS_MAX 64

struct fixture {
    struct fake_phone fake;
    struct mcp_operator op;
    struct mcp_server *server;
    struct mcp_peer peer;
    uint64_t number;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *answers[ANSWERS_MAX]; /* by number; NULL: none yet */
    enum mcp_status statuses[ANSWERS_MAX];
};

static void take_answer(void *context, uint64_t number, enum mcp_status status,
                        struct buf *text)
{
    struct fixture *fixture = context;

    pthread_mutex_lock(&fixture->lock);
    assert_true(number < ANSWERS_MAX);
    assert_null(fixture->answers[number]);
    fixture->answers[number] = mem_dup(buf_cstr(text));
    fixture->statuses[number] = status;
    pthread_cond_broadcast(&fixture->changed);
    pthread_mutex_unlock(&fixture->lock);
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    struct mcp_server_options options = {
        .op = &fixture->op,
        .tools = {.aliases = true},
        .instructions = "use it",
        .answer = take_answer,
        .context = fixture,
    };
    struct err err = ERR_INIT;

    fixture->fake.phone.ops = &fake_ops;
    pthread_mutex_init(&fixture->fake.lock, NULL);
    deadline_cond_init(&fixture->fake.changed);
    pthread_mutex_init(&fixture->lock, NULL);
    deadline_cond_init(&fixture->changed);
    fixture->peer.id = 1;
    mcp_operator_init(&fixture->op, &fixture->fake.phone);
    *state = fixture;
    return !mcp_server_start(&options, &fixture->server, &err);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    mcp_server_stop(fixture->server);
    mcp_operator_release(&fixture->op);
    for (size_t i = 0; i < ANSWERS_MAX; i++)
        free(fixture->answers[i]);
    pthread_cond_destroy(&fixture->changed);
    pthread_mutex_destroy(&fixture->lock);
    pthread_cond_destroy(&fixture->fake.changed);
    pthread_mutex_destroy(&fixture->fake.lock);
    free(fixture);
    return 0;
}

static uint64_t send_text(struct fixture *fixture, const char *text)
{
    fixture->number++;
    mcp_server_handle(fixture->server, &fixture->peer, fixture->number, text,
                      strlen(text));
    return fixture->number;
}

/* Block until that message is answered. */
static const char *answer_to(struct fixture *fixture, uint64_t number)
{
    const struct timespec by = deadline_timespec(deadline_in_ms(WAIT_MS));

    pthread_mutex_lock(&fixture->lock);
    while (!fixture->answers[number])
        assert_int_equal(
            pthread_cond_timedwait(&fixture->changed, &fixture->lock, &by), 0);
    pthread_mutex_unlock(&fixture->lock);
    return fixture->answers[number];
}

static const char *ask(struct fixture *fixture, const char *text)
{
    return answer_to(fixture, send_text(fixture, text));
}

static void expect(const char *answer, const char *part)
{
    if (!strstr(answer, part))
        fail_msg("%s\nlacks %s", answer, part);
}

static void initialize(struct fixture *fixture)
{
    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
               "\"params\":{\"protocolVersion\":\"2025-11-25\"}}"),
           "\"protocolVersion\":\"2025-11-25\"");
}

/* Block until the phone has begun so many actions. */
static void wait_begun(struct fake_phone *fake, int count)
{
    const struct timespec by = deadline_timespec(deadline_in_ms(WAIT_MS));

    pthread_mutex_lock(&fake->lock);
    while (fake->begun < count)
        assert_int_equal(
            pthread_cond_timedwait(&fake->changed, &fake->lock, &by), 0);
    pthread_mutex_unlock(&fake->lock);
}

/* ---- the tests ---- */

static void a_version_is_negotiated(void **state)
{
    (void)state;
    assert_string_equal(mcp_server_negotiate("2025-11-25"), "2025-11-25");
    assert_string_equal(mcp_server_negotiate("2025-06-18"), "2025-06-18");
    assert_string_equal(mcp_server_negotiate("2025-03-26"), "2024-11-05");
    assert_string_equal(mcp_server_negotiate("2024-11-05"), "2024-11-05");
    assert_string_equal(mcp_server_negotiate("2099-01-01"), "2025-11-25");
    assert_string_equal(mcp_server_negotiate("1.0"), "2025-11-25");
}

static void a_session_begins_with_initialize(void **state)
{
    struct fixture *fixture = *state;

    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"),
           "send initialize first");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"),
           "\"result\":{}");
    initialize(fixture);
    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}"),
           "\"name\":\"tap\"");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x/y\"}"),
           "-32601");
}

static void notifications_have_no_answer(void **state)
{
    struct fixture *fixture = *state;
    uint64_t number = send_text(
        fixture,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");

    assert_string_equal(answer_to(fixture, number), "");
    assert_int_equal(fixture->statuses[number], MCP_STATUS_ACCEPTED);
}

static void stateless_requests_need_no_session(void **state)
{
    struct fixture *fixture = *state;

    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\","
               "\"params\":{" MODERN_META "}}"),
           "\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\"");
    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\","
               "\"params\":{" MODERN_META "}}"),
           "\"resultType\":\"complete\"");
    expect(ask(fixture,
               "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
               "\"params\":{\"name\":\"press_key\",\"arguments\":{\"key\":"
               "\"home\"}," MODERN_META "}}"),
           "\"resultType\":\"complete\"");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\","
                        "\"params\":{" MODERN_META "}}"),
           "-32601");
}

static void an_unknown_version_is_refused_with_those_there_are(void **state)
{
    struct fixture *fixture = *state;
    uint64_t number = send_text(
        fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\","
                 "\"params\":{\"_meta\":{\"io.modelcontextprotocol/"
                 "protocolVersion\":\"1900-01-01\"}}}");

    expect(answer_to(fixture, number), "\"code\":-32022");
    expect(answer_to(fixture, number), "\"requested\":\"1900-01-01\"");
    assert_int_equal(fixture->statuses[number], MCP_STATUS_INVALID);
}

static void a_call_acts_and_says_what_happened(void **state)
{
    struct fixture *fixture = *state;

    initialize(fixture);
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":"
                        "\"tools/call\",\"params\":{\"name\":\"tap\","
                        "\"arguments\":{\"x\":1,\"y\":2}}}"),
           "did click as tap {\\\"x\\\":1,\\\"y\\\":2}");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":"
                        "\"tools/call\",\"params\":{\"name\":\"tap\","
                        "\"arguments\":{\"index\":2}}}"),
           "list the elements of the screen first");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":"
                        "\"tools/call\",\"params\":{\"name\":\"tap\"}}"),
           "\"isError\":true");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":"
                        "\"tools/call\",\"params\":{\"name\":\"rm\"}}"),
           "Unknown tool: rm");
    expect(ask(fixture, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":"
                        "\"tools/call\",\"params\":{\"name\":\"screenshot\"}}"),
           "no screen");
}

#define PRESS(id_)                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id_ ",\"method\":\"tools/call\","          \
    "\"params\":{\"name\":\"press_key\",\"arguments\":{\"key\":\"home\"}}}"
#define CANCEL(id_)                                                            \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","             \
    "\"params\":{\"requestId\":" #id_ "}}"

static void running_and_waiting_calls_can_be_cancelled(void **state)
{
    struct fixture *fixture = *state;
    uint64_t running, waiting;

    initialize(fixture);
    fixture->fake.blocks = true;
    running = send_text(fixture, PRESS(7));
    wait_begun(&fixture->fake, 1);
    waiting = send_text(fixture, PRESS(8));
    (void)send_text(fixture, CANCEL(8));
    assert_string_equal(answer_to(fixture, waiting), "");
    (void)send_text(fixture, CANCEL(7));
    assert_string_equal(answer_to(fixture, running), "");
    pthread_mutex_lock(&fixture->fake.lock);
    fixture->fake.blocks = false;
    pthread_mutex_unlock(&fixture->fake.lock);
    expect(ask(fixture, PRESS(9)), "did home");
}

static void another_peer_cannot_cancel_a_call(void **state)
{
    struct fixture *fixture = *state;
    uint64_t running;

    initialize(fixture);
    fixture->fake.blocks = true;
    running = send_text(fixture, PRESS(7));
    wait_begun(&fixture->fake, 1);
    fixture->peer.id = 2;
    (void)send_text(fixture, CANCEL(7));
    assert_null(fixture->answers[running]);
    fixture->peer.id = 1;
    (void)send_text(fixture, CANCEL(7));
    assert_string_equal(answer_to(fixture, running), "");
}

static void too_many_waiting_calls_are_refused(void **state)
{
    struct fixture *fixture = *state;

    initialize(fixture);
    fixture->fake.blocks = true;
    (void)send_text(fixture, PRESS(100));
    wait_begun(&fixture->fake, 1);
    for (int i = 0; i < MCP_SERVER_QUEUE_MAX; i++)
        (void)send_text(fixture, PRESS(101));
    expect(ask(fixture, PRESS(102)), "too many calls are waiting");
}

/* ---- lines ---- */

struct line_count {
    int lines;
    int too_long;
};

static void count_line(void *context, const struct buf *line, bool too_long)
{
    struct line_count *count = context;

    (void)line;
    count->lines += !too_long;
    count->too_long += too_long;
}

static void long_lines_are_dropped_and_reported_once(void **state)
{
    struct mcp_lines lines = MCP_LINES_INIT;
    struct line_count count = {0};
    char *part = mem_new(JSONRPC_MESSAGE_MAX, 1);

    (void)state;
    memset(part, 'x', JSONRPC_MESSAGE_MAX);
    mcp_lines_add(&lines, "a\n\nb\nc", 6, count_line, &count);
    assert_int_equal(count.lines, 2);
    for (int i = 0; i < 3; i++)
        mcp_lines_add(&lines, part, JSONRPC_MESSAGE_MAX, count_line, &count);
    assert_true(lines.line.capacity <= 2 * JSONRPC_MESSAGE_MAX);
    mcp_lines_add(&lines, "\nd\n", 3, count_line, &count);
    assert_int_equal(count.lines, 3);
    assert_int_equal(count.too_long, 1);
    mcp_lines_release(&lines);
    free(part);
}

/* ---- origins ---- */

int main(void)
{
#define SERVER_TEST(name_)                                                     \
    cmocka_unit_test_setup_teardown(name_, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_negotiated),
        SERVER_TEST(a_session_begins_with_initialize),
        SERVER_TEST(notifications_have_no_answer),
        SERVER_TEST(stateless_requests_need_no_session),
        SERVER_TEST(an_unknown_version_is_refused_with_those_there_are),
        SERVER_TEST(a_call_acts_and_says_what_happened),
        SERVER_TEST(running_and_waiting_calls_can_be_cancelled),
        SERVER_TEST(another_peer_cannot_cancel_a_call),
        SERVER_TEST(too_many_waiting_calls_are_refused),
        cmocka_unit_test(long_lines_are_dropped_and_reported_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
