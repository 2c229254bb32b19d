#include "runner/agents/agent_factory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"

/* The environment of one agent: a task, a screen, and its replies. */
static int bear_closed_pipes(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    return scratch_folder_enter(state);
}

struct world {
    struct agent_factory agents;
    struct agent *agent;
    char id[16];
    struct task task;
    struct observation seen;
    struct agent_view view;
    struct agent_reply reply;
};

static void world_open_with(struct world *world, const char *name, int in,
                            int out)
{
    struct agent_factory_options options = {.in = in, .out = out};
    struct err err = ERR_INIT;

    *world = (struct world){.id = "shop.sort"};
    if (!agent_factory_init(&world->agents, name, &options, &err) ||
        !world->agents.maker.make(&world->agents.maker, &world->agent, &err))
        fail_msg("%s", err.text);
    world->task.id = world->id;
    world->seen.screen = (struct extent){1080, 2400};
    world->view = (struct agent_view){
        .task = &world->task,
        .instruction = "Sort by price",
        .seen = &world->seen,
        .actions = (UINT32_C(1) << ACTION_KINDS) - 1,
        .steps_left = 15,
        .folder = scratch_folder_path(),
        .screen_file = "/tmp/screen.png",
    };
    agent_reply_init(&world->reply);
    if (world->agent->ops->begin)
        assert_true(
            world->agent->ops->begin(world->agent, &world->task, 0, &err));
}

static void world_open(struct world *world, const char *name)
{
    world_open_with(world, name, -1, -1);
}

static void world_close(struct world *world)
{
    agent_reply_release(&world->reply);
    if (world->agent->ops->end)
        world->agent->ops->end(world->agent);
    agent_close(world->agent);
    agent_factory_release(&world->agents);
}

static const struct agent_reply *decide(struct world *world, int64_t ms)
{
    struct err err = ERR_INIT;

    agent_reply_release(&world->reply);
    if (!world->agent->ops->decide(world->agent, &world->view,
                                   deadline_in_ms(ms), NULL, &world->reply,
                                   &err))
        fail_msg("%s", err.text);
    return &world->reply;
}

static enum action_kind does(struct world *world)
{
    const struct agent_reply *reply = decide(world, 60000);

    if (!reply->has_action)
        fail_msg("%s", reply->error.text);
    return reply->action.kind;
}

static void refuse(const char *name, enum err_code code, const char *reason)
{
    const struct agent_factory_options options = {.in = -1};
    struct agent_factory agents;
    struct err err = ERR_INIT;

    assert_false(agent_factory_init(&agents, name, &options, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, reason))
        fail_msg("%s\n  not: %s", err.text, reason);
}

static void unknown_agent_is_reported_with_the_known_ones(void **state)
{
    (void)state;
    refuse("rondom:7", ERR_INVALID, "did you mean \"random:7\"?");
    refuse("hooman", ERR_INVALID, "did you mean \"human\"?");
    refuse("selenium:7", ERR_INVALID, "random:SEED");
    refuse("random", ERR_INVALID, "random:SEED");
    refuse("random:x", ERR_INVALID, "give a number");
    refuse("random:-1", ERR_INVALID, "give a number");
    refuse("slips", ERR_INVALID, "slips:PERCENT");
    refuse("slips:101", ERR_INVALID, "percentage of wrong taps");
    refuse("slips:20:", ERR_INVALID, "percentage of wrong taps");
    refuse("slips:some", ERR_INVALID, "percentage of wrong taps");
    refuse("nothing:7", ERR_INVALID, "takes no argument");
    refuse("script:/nowhere/at/all", ERR_NOT_FOUND, "/nowhere/at/all");
}

static void random_agent_is_deterministic_for_a_seed(void **state)
{
    struct world a;
    struct world b;
    int differs = 0;

    (void)state;
    world_open(&a, "random:7");
    world_open(&b, "random:7");
    for (int i = 0; i < 200; i++) {
        does(&a);
        does(&b);
        assert_true(action_equal(&a.reply.action, &b.reply.action));
        if (a.reply.action.has_from) {
            assert_in_range(a.reply.action.from.x, 0, 1079);
            assert_in_range(a.reply.action.from.y, 0, 2399);
        }
    }
    world_close(&b);
    world_open(&b, "random:8");
    for (int i = 0; i < 200; i++) {
        does(&a);
        does(&b);
        differs += !action_equal(&a.reply.action, &b.reply.action);
    }
    assert_true(differs > 100);
    world_close(&a);
    world_close(&b);
}

static void random_agent_uses_allowed_actions_only(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, "random:1");
    world.view.actions = 1U << ACTION_CLICK | 1U << ACTION_BACK;
    for (int i = 0; i < 200; i++) {
        enum action_kind kind = does(&world);

        assert_true(kind == ACTION_CLICK || kind == ACTION_BACK);
    }
    world_close(&world);
}

static void nothing_agent_completes_at_once(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, "nothing");
    assert_int_equal(does(&world), ACTION_COMPLETE);
    world_close(&world);
}

static const char *save(const char *name, const char *text)
{
    static char path[256];
    struct err err;

    snprintf(path, sizeof(path), "%s/%s", scratch_folder_path(), name);
    assert_true(file_save(path, 0777, text, strlen(text), &err));
    return path;
}

static void script_agent_replies_its_lines_and_completes(void **state)
{
    struct world world;
    char name[300];
    struct err err;

    (void)state;
    snprintf(name, sizeof(name), "script:%s",
             save("script", "# a comment\nclick 10 20\n\nI do not know\n"
                            "{\"action\":\"type\",\"text\":\"hi\"}"));
    world_open(&world, name);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(does(&world), ACTION_CLICK);
        assert_int_equal(world.reply.action.from.y, 20);
        assert_false(decide(&world, 60000)->has_action);
        assert_string_equal(buf_cstr(&world.reply.text), "I do not know");
        assert_int_equal(does(&world), ACTION_TYPE);
        assert_string_equal(world.reply.action.text, "hi");
        assert_int_equal(does(&world), ACTION_COMPLETE);
        assert_true(world.agent->ops->begin(world.agent, &world.task, i, &err));
    }
    world_close(&world);
}

static void script_with_invalid_utf8_is_refused(void **state)
{
    char path[256];
    char name[300];
    struct err err;

    (void)state;
    snprintf(path, sizeof(path), "%s/binary", scratch_folder_path());
    assert_true(file_save(path, 0666, "click 1 2\n\0\n", 12, &err));
    snprintf(name, sizeof(name), "script:%s", path);
    refuse(name, ERR_INVALID, "byte 11 is not text");
}

static void human_agent_reads_commands(void **state)
{
    struct world world;
    int in[2];
    int out[2];
    char asked[4096] = "";
    struct err err;

    (void)state;
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    world_open_with(&world, "human", in[0], out[1]);
    assert_true(write(in[1], "swipe up\ntap 5 6\nhm\n", 20) == 20);
    assert_int_equal(does(&world), ACTION_SWIPE);
    assert_true(read(out[0], asked, sizeof(asked) - 1) > 0);
    assert_non_null(strstr(asked, "Sort by price"));
    assert_non_null(strstr(asked, "/tmp/screen.png"));
    assert_int_equal(does(&world), ACTION_CLICK);
    assert_false(decide(&world, 60000)->has_action);
    close(in[1]);
    agent_reply_release(&world.reply);
    assert_false(world.agent->ops->decide(world.agent, &world.view,
                                          deadline_in_ms(60000), NULL,
                                          &world.reply, &err));
    assert_int_equal(err.code, ERR_INVALID);
    world_close(&world);
    close(in[0]);
    close(out[0]);
    close(out[1]);
}

static void program_gets_the_task_and_its_reply_is_used(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, "exec:while read -r line; do case $line in "
                       "*'\"instruction\":\"Sort by price\"'*) "
                       "echo '{\"action\":\"click\",\"x\":3,\"y\":4,"
                       "\"usage\":{\"input_tokens\":9}}';; "
                       "esac; done");
    assert_int_equal(does(&world), ACTION_CLICK);
    assert_int_equal(world.reply.action.from.x, 3);
    assert_int_equal(world.reply.usage.input_tokens, 9);
    assert_int_equal(does(&world), ACTION_CLICK);
    world_close(&world);
}

static void a_program_may_work_in_another_folder(void **state)
{
    struct world world;
    char path[256];

    (void)state;
    snprintf(path, sizeof(path), "%s", save("picture.png", "\x89PNG"));
    world_open(&world, "exec:cd / && read -r line && "
                       "test -s \"$(echo \"$line\" | "
                       "sed 's/.*\"screen\":\"//; s/\".*//')\" && "
                       "echo back || echo home");
    world.view.screen_file = "picture.png";
    assert_int_equal(does(&world), ACTION_BACK);
    world_close(&world);
}

static void model_reply_of_a_program_is_parsed_by_family(void **state)
{
    struct world world;

    (void)state;
    world_open(
        &world,
        "exec:read x; printf '%s\\n' '{\"reply\":\"Thought: a.\\nAction: "
        "click(start_box=\\\"(10,20)\\\")\"}'; read x; echo nonsense");
    assert_int_equal(does(&world), ACTION_CLICK);
    assert_non_null(strstr(buf_cstr(&world.reply.text), "Thought"));
    assert_false(decide(&world, 10000)->has_action);
    world_close(&world);
}

static void program_gets_the_picture_in_base64_on_request(void **state)
{
    struct world world;
    char path[256];

    (void)state;
    snprintf(path, sizeof(path), "%s", save("picture.png", "\x89PNG"));
    world_open(&world, "exec:read x; echo '{\"want\":\"picture\"}'; read x; "
                       "case $x in *'\"base64\":\"iVBORw==\"'*) echo back;; "
                       "*) echo home;; esac");
    world.view.screen_file = path;
    assert_int_equal(does(&world), ACTION_BACK);
    world_close(&world);
}

static void crashed_program_fails_the_episode(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, "exec:echo oops >&2; exit 3");
    assert_int_equal(does(&world), ACTION_FAIL);
    assert_non_null(strstr(world.reply.action.text, "status 3: oops ("));
    assert_non_null(strstr(world.reply.action.text, "/agent.log)"));
    world_close(&world);
    world_open(&world, "exec:printf 'Traceback:\\n  x.py\\nNameError: y\\n\\n' "
                       ">&2; exit 1");
    assert_int_equal(does(&world), ACTION_FAIL);
    assert_non_null(
        strstr(world.reply.action.text, "status 1: NameError: y ("));
    world_close(&world);
    world_open(&world, "exec:kill -SEGV $$");
    assert_int_equal(does(&world), ACTION_FAIL);
    assert_non_null(strstr(world.reply.action.text, "status 139"));
    world_close(&world);
}

static void stderr_of_a_program_is_stored(void **state)
{
    struct buf log = BUF_INIT(1 << 20);
    struct world world;
    char path[256];
    struct err err;

    (void)state;
    world_open(&world, "exec:echo a complaint >&2");
    does(&world);
    world_close(&world);
    snprintf(path, sizeof(path), "%s/agent.log", scratch_folder_path());
    assert_true(file_load(path, &log, &err));
    assert_non_null(strstr(buf_cstr(&log), "a complaint"));
    buf_release(&log);
}

static void silent_program_ends_with_the_time_budget(void **state)
{
    struct world world;
    struct err err = ERR_INIT;
    int64_t start = clock_ns();

    (void)state;
    world_open(&world, "exec:trap '' TERM; sleep 60 & wait");
    assert_false(world.agent->ops->decide(world.agent, &world.view,
                                          deadline_in_ms(100), NULL,
                                          &world.reply, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    world_close(&world);
    assert_true(clock_ns() - start < INT64_C(50000000000));
}

static void program_with_endless_output_is_stopped(void **state)
{
    struct world world;

    (void)state;
    world_open(&world, "exec:tr '\\0' x < /dev/zero");
    assert_int_equal(does(&world), ACTION_FAIL);
    assert_non_null(strstr(world.reply.action.text, "MiB in a line"));
    world_close(&world);
}

static void missing_command_is_a_usage_error(void **state)
{
    struct world world;
    struct err err = ERR_INIT;

    (void)state;
    world_open(&world, "exec:no-such-program-as-this");
    assert_false(world.agent->ops->decide(world.agent, &world.view,
                                          deadline_in_ms(60000), NULL,
                                          &world.reply, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "no-such-program-as-this"));
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_agent_is_reported_with_the_known_ones),
        cmocka_unit_test(random_agent_is_deterministic_for_a_seed),
        cmocka_unit_test(random_agent_uses_allowed_actions_only),
        cmocka_unit_test(nothing_agent_completes_at_once),
        cmocka_unit_test(script_agent_replies_its_lines_and_completes),
        cmocka_unit_test(script_with_invalid_utf8_is_refused),
        cmocka_unit_test(human_agent_reads_commands),
        cmocka_unit_test(program_gets_the_task_and_its_reply_is_used),
        cmocka_unit_test(a_program_may_work_in_another_folder),
        cmocka_unit_test(model_reply_of_a_program_is_parsed_by_family),
        cmocka_unit_test(program_gets_the_picture_in_base64_on_request),
        cmocka_unit_test(crashed_program_fails_the_episode),
        cmocka_unit_test(stderr_of_a_program_is_stored),
        cmocka_unit_test(silent_program_ends_with_the_time_budget),
        cmocka_unit_test(program_with_endless_output_is_stopped),
        cmocka_unit_test(missing_command_is_a_usage_error),
    };

    return cmocka_run_group_tests(tests, bear_closed_pipes,
                                  scratch_folder_leave);
}
