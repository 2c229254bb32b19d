#include "tasks/trajectory.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/support/scratch.h"

#define KILLS 8
#define KILLS_FULL 200

static const char *folder_of(const char *name)
{
    static char folder[256];

    snprintf(folder, sizeof(folder), "%s/%s", scratch_path(), name);
    return folder;
}

static void begin(const char *name, struct trajectory_writer **writer)
{
    char task[] = "shop.sort";
    char agent[] = "random:7";
    struct trajectory_head head = {.task = task,
                                   .agent = agent,
                                   .attempt = 1,
                                   .width = 1080,
                                   .height = 2400,
                                   .started_ms = 1700000000000};
    struct err err;

    if (!trajectory_create(folder_of(name), &head, writer, &err))
        fail_msg("%s", err.text);
}

static bool see(struct trajectory_writer *writer, const char *screen,
                const char *tree, struct err *err)
{
    const struct trajectory_sight sight = {.screen = screen,
                                           .screen_size = strlen(screen),
                                           .tree = tree,
                                           .tree_size = strlen(tree),
                                           .package = "com.example",
                                           .at_ms = 5};

    return trajectory_see(writer, &sight, err);
}

static bool tap(struct trajectory_writer *writer, int x, struct err *err)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {x, 20}};

    return trajectory_act(writer, ACTOR_AGENT, &action, NULL, 9, err);
}

/* Two steps, whose first two sights show the same screen, and an end. */
static void write_episode(const char *name)
{
    const struct trajectory_reply reply = {.text = "Click(10,20)",
                                           .input_tokens = 700};
    struct trajectory_writer *writer;
    struct err err;

    begin(name, &writer);
    assert_true(see(writer, "one", "<tree/>", &err));
    assert_true(trajectory_reply(writer, &reply, &err));
    assert_true(tap(writer, 10, &err));
    assert_true(see(writer, "one", "<other/>", &err));
    assert_true(tap(writer, 30, &err));
    assert_true(see(writer, "two", "<other/>", &err));
    assert_true(trajectory_evidence(writer, "wifi", "on", &err));
    assert_true(trajectory_end(writer, ENDING_COMPLETE, "said so", 50, &err));
    trajectory_close(writer);
}

static void what_was_written_reads_back(void **state)
{
    struct trajectory read;
    struct buf content = BUF_INIT(100);
    struct err err;

    (void)state;
    write_episode("whole");
    if (!trajectory_load(folder_of("whole"), &read, &err))
        fail_msg("%s", err.text);
    assert_string_equal(read.head.task, "shop.sort");
    assert_int_equal(strlen(read.head.uuid), 36);
    assert_int_equal(read.count, 3);
    assert_string_equal(read.steps[0].reply, "Click(10,20)");
    assert_int_equal(read.steps[0].input_tokens, 700);
    assert_int_equal(read.steps[1].action.from.x, 30);
    assert_true(read.steps[2].seen);
    assert_false(read.steps[2].acted);
    assert_int_equal(read.ending, ENDING_COMPLETE);
    assert_string_equal(read.evidence[0].value, "on");
    assert_false(read.torn);
    assert_true(
        trajectory_read_file(&read, &read.steps[2].screen, &content, &err));
    assert_string_equal(buf_cstr(&content), "two");
    buf_release(&content);
    trajectory_release(&read);
    assert_true(trajectory_check(folder_of("whole"), &err));
}

/* A step that was asked for twice, and then kept from being done. */
static void write_blocked(const char *name)
{
    const struct trajectory_reply useless = {.text = "hm",
                                             .error = "there is no action",
                                             .latency_ms = 5,
                                             .output_tokens = 2,
                                             .cost = 0.25};
    const struct trajectory_reply reply = {.text = "home",
                                           .latency_ms = 6,
                                           .output_tokens = 3,
                                           .cost = 0.5,
                                           .picture_width = 540};
    const struct action home = {.kind = ACTION_HOME};
    const struct trajectory_deed deed = {.action = &home,
                                         .block = BLOCK_SPACE,
                                         .blocked = "not allowed",
                                         .doubt = "lost meanwhile"};
    struct trajectory_writer *writer;
    struct err err;

    begin(name, &writer);
    assert_true(trajectory_evidence_before(writer, "wifi", "off", &err));
    assert_true(see(writer, "one", "<tree/>", &err));
    assert_true(trajectory_reply(writer, &useless, &err));
    assert_true(trajectory_reply(writer, &reply, &err));
    assert_true(trajectory_do(writer, &deed, &err));
    trajectory_close(writer);
}

static void a_step_sums_up_its_replies_and_says_who_blocked_it(void **state)
{
    const struct trajectory_step *step;
    struct trajectory read;
    struct err err;

    (void)state;
    write_blocked("blocked");
    if (!trajectory_load(folder_of("blocked"), &read, &err))
        fail_msg("%s", err.text);
    step = &read.steps[0];
    assert_string_equal(step->reply, "home");
    assert_null(step->reply_error);
    assert_int_equal(step->replies, 2);
    assert_int_equal(step->replies_useless, 1);
    assert_int_equal(step->output_tokens, 5);
    assert_int_equal(step->latency_ms, 11);
    assert_true(step->cost == 0.75);
    assert_int_equal(step->picture_width, 540);
    assert_int_equal(step->block, BLOCK_SPACE);
    assert_string_equal(step->blocked, "not allowed");
    assert_string_equal(step->action_doubt, "lost meanwhile");
    assert_true(read.evidence[0].before);
    trajectory_release(&read);
}

static void a_kept_screen_is_the_one_that_is_seen(void **state)
{
    struct trajectory_writer *writer;
    struct trajectory read;
    char *path = NULL;
    struct err err;

    (void)state;
    begin("kept", &writer);
    assert_true(trajectory_keep_screen(writer, "one", 3, &path, &err));
    assert_int_equal(access(path, R_OK), 0);
    assert_true(see(writer, "one", "<tree/>", &err));
    trajectory_close(writer);
    assert_true(trajectory_load(folder_of("kept"), &read, &err));
    assert_non_null(strstr(path, read.steps[0].screen.file));
    trajectory_release(&read);
    free(path);
}

static void equal_screens_are_stored_once(void **state)
{
    struct trajectory read;
    struct err err;

    (void)state;
    write_episode("once");
    assert_true(trajectory_load(folder_of("once"), &read, &err));
    assert_string_equal(read.steps[0].screen.file, "screens/0000.png");
    assert_string_equal(read.steps[1].screen.file, "screens/0000.png");
    assert_string_equal(read.steps[2].screen.file, "screens/0002.png");
    assert_string_equal(read.steps[2].tree.file, "trees/0001.xml");
    trajectory_release(&read);
}

static void an_episode_is_never_written_over(void **state)
{
    char task[] = "a";
    struct trajectory_head head = {.task = task};
    struct trajectory_writer *writer = NULL;
    struct err err;

    (void)state;
    write_episode("twice");
    assert_false(trajectory_create(folder_of("twice"), &head, &writer, &err));
    assert_non_null(strstr(err.text, "exists"));
    assert_null(writer);
}

static void save_events(const char *name, const char *text)
{
    char path[512];
    struct err err;

    mkdir(folder_of(name), 0777);
    snprintf(path, sizeof(path), "%s/events.jsonl", folder_of(name));
    assert_true(file_save(path, 0666, text, strlen(text), &err));
}

#define HEAD                                                                   \
    "{\"format\":\"proctor-trajectory\",\"version\":1,\"task\":\"t\","         \
    "\"uuid\":\"01234567-0123-4123-8123-0123456789ab\"}\n"

static void refuse(const char *events, const char *reason)
{
    struct trajectory read;
    struct err err = ERR_INIT;

    save_events("bad", events);
    assert_false(trajectory_load(folder_of("bad"), &read, &err));
    if (!strstr(err.text, reason))
        fail_msg("%s\n  not: %s", err.text, reason);
}

static void what_breaks_the_format_is_named(void **state)
{
    (void)state;
    refuse("", "there is no head");
    refuse("[]\n", "line 1: expected an object");
    refuse("{}\n", "format");
    refuse("{\"format\":\"proctor-trajectory\",\"version\":2}\n", "version 2");
    refuse(HEAD "{\"event\":\"action\",\"step\":3}\n", "3 is out of order");
    refuse(HEAD "{\"event\":\"action\",\"step\":0,\"actor\":\"x\"}\n", "actor");
    refuse(HEAD "{\"event\":\"action\",\"step\":0,\"actor\":\"agent\","
                "\"action\":\"fly\"}\n",
           "there is no \"fly\"");
    refuse(HEAD "{\"event\":\"observation\",\"step\":0,\"screen\":{"
                "\"file\":\"../../etc/passwd\",\"sha256\":\"0\"}}\n",
           "no such name");
    refuse(HEAD "{\"event\":\"observation\",\"step\":0,\"tree\":{"
                "\"file\":\"trees/0000.xml\",\"sha256\":\"0\"}}\n",
           "64 digits");
    refuse(HEAD "{\"event\":\"reply\",\"step\":0,\"cost\":-1}\n", "cost");
    refuse(HEAD "{\"event\":\"action\",\"step\":0,\"actor\":\"agent\","
                "\"action\":\"back\",\"blocked_by\":\"mom\"}\n",
           "blocked_by");
    refuse(HEAD "{\"event\":\"end\",\"ending\":\"later\"}\n", "ending");
    refuse(HEAD "{\"event\":\"end\",\"ending\":\"void\"}\n"
                "{\"event\":\"evidence\"}\n",
           "after the end");
}

static void a_torn_last_line_is_dropped(void **state)
{
    struct trajectory read;
    struct err err;

    (void)state;
    save_events("torn", HEAD "{\"event\":\"observation\",\"step\":0}\n"
                             "{\"event\":\"act");
    assert_true(trajectory_load(folder_of("torn"), &read, &err));
    assert_true(read.torn);
    assert_int_equal(read.count, 1);
    trajectory_release(&read);
}

static void a_changed_file_is_noticed(void **state)
{
    char path[512];
    struct err err;

    (void)state;
    write_episode("changed");
    snprintf(path, sizeof(path), "%s/trees/0001.xml", folder_of("changed"));
    assert_true(file_save(path, 0666, "<else/>", 7, &err));
    assert_false(trajectory_check(folder_of("changed"), &err));
    assert_non_null(strstr(err.text, "not what was recorded"));
}

/* Write steps without an end, until killed. */
static void write_forever(const char *name)
{
    struct trajectory_writer *writer;
    struct err err;

    begin(name, &writer);
    for (int i = 0; i < TRAJECTORY_STEPS_MAX; i++) {
        char screen[32];

        snprintf(screen, sizeof(screen), "screen %d", i);
        if (!see(writer, screen, "<tree/>", &err) || !tap(writer, i, &err))
            break;
    }
    _exit(1);
}

static void a_kill_at_any_moment_leaves_a_valid_episode(void **state)
{
    int kills = getenv("PROCTOR_FULL") ? KILLS_FULL : KILLS;

    (void)state;
    for (int i = 0; i < kills; i++) {
        char name[32];
        char events[512];
        struct stat stat_ = {0};
        struct err err;
        pid_t child;

        snprintf(name, sizeof(name), "killed-%d", i);
        snprintf(events, sizeof(events), "%s/events.jsonl", folder_of(name));
        child = fork();
        if (child == 0)
            write_forever(name);
        while (stat(events, &stat_) || stat_.st_size < 700 * (i + 1))
            usleep(100);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (!trajectory_check(folder_of(name), &err))
            fail_msg("%s", err.text);
    }
}

/* Opening a pipe for reading would wait for somebody who writes. */
static void a_pipe_holds_no_events(void **state)
{
    struct trajectory trajectory;
    char path[300];
    struct err err = ERR_INIT;

    (void)state;
    assert_int_equal(mkdir(folder_of("piped"), 0777), 0);
    snprintf(path, sizeof(path), "%s/events.jsonl", folder_of("piped"));
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(trajectory_load(folder_of("piped"), &trajectory, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back),
        cmocka_unit_test(a_step_sums_up_its_replies_and_says_who_blocked_it),
        cmocka_unit_test(a_kept_screen_is_the_one_that_is_seen),
        cmocka_unit_test(equal_screens_are_stored_once),
        cmocka_unit_test(an_episode_is_never_written_over),
        cmocka_unit_test(what_breaks_the_format_is_named),
        cmocka_unit_test(a_torn_last_line_is_dropped),
        cmocka_unit_test(a_changed_file_is_noticed),
        cmocka_unit_test(a_kill_at_any_moment_leaves_a_valid_episode),
        cmocka_unit_test(a_pipe_holds_no_events),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
