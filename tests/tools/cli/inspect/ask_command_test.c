/* proctor ask, and profiles on the command line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/model_server.h"
#include "tests/tools/cli/command_run.h"

#define KEY "sk-test-9Pd2kF7jTq5xMw8L"

static void answer(void *context, const struct model_question *question,
                   struct model_answer *reply)
{
    (void)context;
    if (strstr(question->body, "refuse")) {
        reply->body = mem_dup("{\"choices\":[{\"message\":{\"refusal\":"
                              "\"I would rather not\"}}]}");
        return;
    }
    reply->body = mem_dup(
        "{\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":\"I \\u001b"
        "[31msee.\\nAction: click(start_box='(98,210)')\"},\"finish_reason\":"
        "\"stop\"}],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}");
}

static int start_server(void **state)
{
    struct model_server *server = model_server_start(answer, NULL);
    char url[64];

    *state = server;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/v1",
             model_server_port(server));
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("OPENAI_API_KEY", KEY, 1);
    return 0;
}

static int stop_server(void **state)
{
    model_server_stop(*state);
    return 0;
}

static void a_reply_is_printed_clean(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor ask --model openai:m 'What is this?'");
    SAYS(run.out, "I ?[31msee.\n");
    SAYS(run.errors, "12 tokens in, 3 out");
    command_run_release(&run);
}

static void profile_parses_the_action(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor ask --json -m openai:m -p ui-tars -i '" ASK_PICTURE "' Go");
    SAYS(run.out, "\"action\":{\"action\":\"click\",\"x\":");
    SAYS(run.out, "\"served\":\"m-1\"");
    command_run_release(&run);
}

static void refusal_has_its_exit_code(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor ask -m openai:m 'refuse this'");
    SAYS(run.errors, "refused: I would rather not");
    command_run_release(&run);
}

static void show_request_sends_nothing(void **state)
{
    struct command_run run = {0};
    int before = model_server_questions(*state);

    RUN(&run, 0,
        "proctor ask -m openai:m -p claude-computer -i '" ASK_PICTURE
        "' --show-request Go 2>&1; ANTHROPIC_API_KEY=" KEY
        " proctor ask -m anthropic:m -p claude-computer -i '" ASK_PICTURE
        "' --show-request Go");
    SAYS(run.out, "the profile claude-computer is for anthropic:MODEL");
    SAYS(run.out, "bytes…");
    SAYS(run.out, "\"x-api-key: ****");
    SAYS(run.out, "\"display_width_px\":");
    SAYS(run.out, "anthropic-beta: computer-use");
    assert_null(strstr(buf_cstr(&run.out), KEY));
    RUN(&run, 0,
        "unset OPENAI_API_KEY OPENAI_BASE_URL; "
        "proctor ask -m openai:m --show-request Go");
    SAYS(run.out, "https://api.openai.com/");
    assert_int_equal(model_server_questions(*state), before);
    command_run_release(&run);
}

static void mistakes_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor ask Hello");
    SAYS(run.errors, "--model");
    RUN(&run, 2, "proctor ask -m openai:m");
    SAYS(run.errors, "--image");
    RUN(&run, 2, "proctor ask -m gpt-4o Hello");
    SAYS(run.errors, "openai:");
    RUN(&run, 2, "proctor ask -m openai:m -p ui-tar Hello");
    SAYS(run.errors, "did you mean \"ui-tars\"?");
    command_run_release(&run);
}

static void users_profile_is_used(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "d=$(mktemp -d) && echo '{\"extends\":\"generic\",\"name\":\"mine\","
        "\"coords\":\"unit\"}' >$d/mine.json && echo 'Click(0.5, 0.25)' |"
        "proctor parse --profile $d/mine.json --screen 1000x2000; rm -r $d");
    SAYS(run.out, "\"x\":500,\"y\":500");
    command_run_release(&run);
}

static void doctor_lists_services_without_keys(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "ADB_SERVER_SOCKET=tcp:127.0.0.1:9 env -u ANTHROPIC_API_KEY proctor "
        "doctor");
    SAYS(run.out, "openai: and responses: can be asked");
    assert_null(strstr(buf_cstr(&run.out), "anthropic:"));
    assert_null(strstr(buf_cstr(&run.out), KEY));
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_is_printed_clean),
        cmocka_unit_test(profile_parses_the_action),
        cmocka_unit_test(refusal_has_its_exit_code),
        cmocka_unit_test(show_request_sends_nothing),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(users_profile_is_used),
        cmocka_unit_test(doctor_lists_services_without_keys),
    };

    return cmocka_run_group_tests(tests, start_server, stop_server);
}
