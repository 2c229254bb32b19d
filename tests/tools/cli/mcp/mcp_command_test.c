/* proctor mcp on standard input and output, with a client of our own. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

static const char proctor[] = PROCTOR_FOLDER "/proctor";
#define WAIT_MS 120000

/* A client, and its last result. */
struct client {
    struct child child;
    int id;
    struct cJSON *answer; /* owned */
};

static void start(struct client *client, const char *const *arguments)
{
    const struct child_command command = {.arguments = arguments,
                                          .errors = "errors"};
    struct err err = ERR_INIT;

    *client = (struct client){.child = CHILD_INIT};
    if (!child_start(&client->child, &command, &err))
        fail_msg("%s", err.text);
}

static void put(struct client *client, const char *line)
{
    struct err err = ERR_INIT;
    struct deadline by = deadline_in_ms(WAIT_MS);

    if (!child_write(&client->child, line, strlen(line), by, NULL, &err) ||
        !child_write(&client->child, "\n", 1, by, NULL, &err))
        fail_msg("%s", err.text);
}

/* Read the next line, which must be JSON. */
static const struct cJSON *get(struct client *client)
{
    struct buf line = BUF_INIT(CHILD_LINE_MAX);
    struct err err = ERR_INIT;

    cJSON_Delete(client->answer);
    client->answer = NULL;
    if (!child_read(&client->child, deadline_in_ms(WAIT_MS), NULL, &line,
                    &err) ||
        !json_parse(buf_cstr(&line), line.length, &client->answer, &err))
        fail_msg("%s: %s", err.text, buf_cstr(&line));
    buf_release(&line);
    return client->answer;
}

static void initialize(struct client *client)
{
    put(client, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","
                "\"params\":{\"protocolVersion\":\"2025-06-18\","
                "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\","
                "\"version\":\"1\"}}}");
    assert_non_null(cJSON_GetObjectItem(get(client), "result"));
    put(client,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

/* Call a tool; returns its first text, valid until the next call. */
static const char *call(struct client *client, const char *tool,
                        const char *arguments)
{
    const struct cJSON *answer, *content;
    char line[1024];

    snprintf(line, sizeof(line),
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\","
             "\"params\":{\"name\":\"%s\",\"arguments\":%s}}",
             ++client->id, tool, arguments);
    put(client, line);
    answer = get(client);
    assert_int_equal(cJSON_GetObjectItem(answer, "id")->valueint, client->id);
    content =
        cJSON_GetObjectItem(cJSON_GetObjectItem(answer, "result"), "content");
    assert_non_null(content);
    return cJSON_GetObjectItem(content->child, "text")->valuestring;
}

static bool failed(const struct client *client)
{
    return cJSON_IsTrue(cJSON_GetObjectItem(
        cJSON_GetObjectItem(client->answer, "result"), "isError"));
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("%s\nlacks %s", text, part);
}

/* Tap the listed element of this name. */
static const char *tap(struct client *client, const char *name)
{
    const char *list = call(client, "list_elements", "{}");
    char quoted[64], arguments[64];
    const char *at;

    snprintf(quoted, sizeof(quoted), "'%s'", name);
    at = strstr(list, quoted);
    if (!at)
        fail_msg("%s\nlacks %s", list, quoted);
    while (at > list && at[-1] != '\n')
        at--;
    snprintf(arguments, sizeof(arguments), "{\"index\":%ld}",
             strtol(at, NULL, 10));
    return call(client, "tap", arguments);
}

/* Wait for its end, however long it takes. */
static int wait_for_end(struct client *client)
{
    int status = 0;

    assert_int_equal(waitpid(client->child.pid, &status, 0), client->child.pid);
    child_end_input(&client->child);
    close(client->child.out);
    buf_release(&client->child.received);
    cJSON_Delete(client->answer);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Close its input, as a client that leaves does. */
static int leave(struct client *client)
{
    child_end_input(&client->child);
    return wait_for_end(client);
}

/* ---- a phone ---- */

static void a_client_uses_a_phone(void **state)
{
    static const char *const arguments[] = {proctor, "mcp", "--device", "phone",
                                            NULL};
    struct client client;

    (void)state;
    start(&client, arguments);
    initialize(&client);
    expect(call(&client, "list_phones", "{}"), "\"id\":\"phone-0\"");
    expect(tap(&client, "Settings"), "tapped");
    assert_false(failed(&client));
    /* Their numbers are those of another screen now. */
    expect(call(&client, "tap", "{\"index\":1}"), "list them again");
    assert_true(failed(&client));
    expect(call(&client, "screenshot", "{\"max_size\":400}"),
           "multiply positions");
    expect(call(&client, "press_key", "{\"key\":\"home\",\"screenshot\":true}"),
           "Home");
    expect(call(&client, "list_apps", "{}"), "com.android.settings");
    expect(call(&client, "open_app", "{\"text\":\"no such app\"}"),
           "not carried out");
    expect(call(&client, "wait", "{\"milliseconds\":1200}"), "waited");
    expect(call(&client, "finish", "{\"answer\":\"7\"}"), "No task");
    assert_int_equal(leave(&client), 0);
}

/* A phone that is reached over ADB is the user's own. */
static void a_guard_watches_the_users_own_phone(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("calls",
                     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
                     "\"params\":{\"protocolVersion\":\"2025-11-25\"}}\n"
                     "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
                     "\"params\":{\"name\":\"list_phones\"}}\n"
                     "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
                     "\"params\":{\"name\":\"open_app\",\"arguments\":"
                     "{\"text\":\"com.android.vending\"}}}\n"
                     "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\","
                     "\"params\":{\"name\":\"mobile_open_url\",\"arguments\":"
                     "{\"url\":\"http://a/\"}}}\n");
    RUN(&run, 0,
        "mkfifo port; proctor phone --port 0 >port 2>/dev/null & phone=$!; "
        "read -r port <port; proctor mcp -s 127.0.0.1:$port <calls; "
        "status=$?; kill $phone; exit $status");
    SAYS(run.out, "\\\"guarded\\\":true");
    SAYS(run.out, "com.android.vending must never be used");
    SAYS(run.out, "is not allowed on the user's own phone");
    command_run_release(&run);
}

/* ---- a task ---- */

static void start_task(struct client *client, const char *folder)
{
    const char *const arguments[] = {proctor,         "mcp",   "--task",
                                     "settings.dark", "--out", folder,
                                     "--locale",      "en",    NULL};

    start(client, arguments);
    initialize(client);
}

static void a_client_does_a_task_and_is_scored(void **state)
{
    struct command_run run = {0};
    struct client client;

    (void)state;
    start_task(&client, "done");
    expect(call(&client, "get_task", "{}"), "dark theme");
    expect(tap(&client, "Display"), "Steps left: ");
    expect(tap(&client, "Dark theme"), "Steps left: ");
    expect(call(&client, "finish", "{\"success\":true}"),
           "Verdict by the rules: success");
    assert_false(failed(&client));
    expect(call(&client, "screenshot", "{}"), "The episode is over");
    assert_true(failed(&client));
    assert_int_equal(leave(&client), 0);
    RUN(&run, 0, "cat done/episodes/settings.dark/0/0/truth.json");
    SAYS(run.out, "\"met\":true");
    command_run_release(&run);
    RUN(&run, 0, "grep -c tap done/episodes/settings.dark/0/0/events.jsonl");
    command_run_release(&run);
}

static void a_client_that_leaves_fails_the_task(void **state)
{
    struct command_run run = {0};
    struct client client;

    (void)state;
    start_task(&client, "left");
    expect(call(&client, "press_key", "{\"key\":\"back\"}"), "Steps left");
    assert_int_equal(leave(&client), 0);
    RUN(&run, 0, "cat left/results.jsonl");
    SAYS(run.out, "\"ending\":\"fail\"");
    SAYS(run.out, "the client disconnected");
    command_run_release(&run);
}

static void the_end_of_the_budget_is_reported(void **state)
{
    static const char *const arguments[] = {proctor,         "mcp",   "--task",
                                            "settings.dark", "--out", "short",
                                            "--steps",       "2",     NULL};
    struct client client;

    (void)state;
    start(&client, arguments);
    initialize(&client);
    expect(call(&client, "press_key", "{\"key\":\"home\"}"), "Steps left: 1");
    expect(call(&client, "press_key", "{\"key\":\"back\"}"),
           "The episode is over");
    assert_true(failed(&client));
    expect(call(&client, "tap", "{\"x\":1,\"y\":1}"), "no steps are left");
    assert_true(failed(&client));
    assert_int_equal(leave(&client), 0);
}

static void what_an_episode_cannot_record_is_refused(void **state)
{
    struct client client;

    (void)state;
    start_task(&client, "refused");
    put(&client, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                 "\"params\":{\"name\":\"mobile_open_url\",\"arguments\":"
                 "{\"url\":\"http://a/\"}}}");
    assert_non_null(cJSON_GetObjectItem(get(&client), "error"));
    assert_int_equal(leave(&client), 0);
}

/* ---- ends ---- */

static void a_signal_ends_it_and_the_phone_is_restored(void **state)
{
    static const char *const arguments[] = {proctor, "mcp", "--device", "phone",
                                            NULL};
    struct command_run run = {0};
    struct client client;

    (void)state;
    start(&client, arguments);
    initialize(&client);
    /* Typing selects a keyboard, which is restored. */
    expect(call(&client, "type", "{\"text\":\"a\"}"), "typed");
    kill(client.child.pid, SIGTERM);
    assert_int_equal(wait_for_end(&client), 130);
    RUN(&run, 1, "grep 'not restored' errors");
    command_run_release(&run);
}

static void options_that_need_others_are_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor mcp --out x </dev/null");
    SAYS(run.errors, "need --task");
    command_run_release(&run);
    RUN(&run, 2, "proctor mcp --device phone:2 </dev/null");
    SAYS(run.errors, "one phone");
    command_run_release(&run);
    RUN(&run, 2, "proctor mcp --task settings.drak </dev/null");
    SAYS(run.errors, "settings.dark");
    command_run_release(&run);
    RUN(&run, 2, "proctor run phone --agent mcp -t settings.dark");
    SAYS(run.errors, "proctor mcp --task");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_uses_a_phone),
        cmocka_unit_test(a_guard_watches_the_users_own_phone),
        cmocka_unit_test(a_client_does_a_task_and_is_scored),
        cmocka_unit_test(a_client_that_leaves_fails_the_task),
        cmocka_unit_test(the_end_of_the_budget_is_reported),
        cmocka_unit_test(what_an_episode_cannot_record_is_refused),
        cmocka_unit_test(a_signal_ends_it_and_the_phone_is_restored),
        cmocka_unit_test(options_that_need_others_are_refused),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
