#include "tasks/trajectory/trajectory.h"

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
#include "tests/support/scratch_folder.h"

#define KILLS 8
#define KILLS_FULL 200

static const char *folder_of(const char *name)
{
    static char folder[256];

    snprintf(folder, sizeof(folder), "%s/%s", scratch_folder_path(), name);
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
    const struct trajectory_observation observation = {
        .screen = screen,
        .screen_size = strlen(screen),
        .tree = tree,
        .tree_size = strlen(tree),
        .package = "com.example",
        .at_ms = 5};

    return trajectory_write_observation(writer, &observation, err);
}

static bool tap(struct trajectory_writer *writer, int x, struct err *err)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {x, 20}};

    return trajectory_write_plain_action(writer, ACTOR_AGENT, &action, NULL, 9,
                                         err);
}

/* Two steps, whose first two observations show the same screen, and an end. */
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

static void written_episode_reads_back(void **state)
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

/* A step with two replies, which was then blocked. */
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
    const struct step_action step_action = {.action = &home,
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
    assert_true(trajectory_write_action(writer, &step_action, &err));
    assert_true(trajectory_doubt(writer, "no text arrived", &err));
    trajectory_close(writer);
}

static void step_sums_its_replies_and_names_the_blocker(void **state)
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
    assert_string_equal(step->action_doubt, "lost meanwhile; no text arrived");
    assert_true(step->contradicted);
    assert_true(read.evidence[0].before);
    trajectory_release(&read);
}

static void stored_screen_is_the_observed_one(void **state)
{
    struct trajectory_writer *writer;
    struct trajectory read;
    char *path = NULL;
    struct err err;

    (void)state;
    begin("kept", &writer);
    assert_true(trajectory_store_screen(writer, "one", 3, &path, &err));
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

static void existing_episode_is_never_overwritten(void **state)
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

static void invalid_events_are_named(void **state)
{
    (void)state;
    refuse("", "there is no head");
    refuse("[]\n", "line 1: expected an object");
    refuse("{}\n", "format");
    refuse("{\"format\":\"proctor-trajectory\",\"version\":3}\n", "version 3");
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

static void changed_file_is_detected(void **state)
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

/* Writes steps without an end, until it is killed. */
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

/* Opening a pipe for reading would wait for a writer. */
static void pipe_in_place_of_events_is_refused(void **state)
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

static void resume(const char *name, struct trajectory_writer **writer)
{
    struct err err = ERR_INIT;

    if (!trajectory_continue(folder_of(name), writer, &err))
        fail_msg("%s", err.text);
}

static void unfinished_episode_goes_on(void **state)
{
    struct trajectory_writer *writer;
    struct trajectory read;
    char path[512];
    FILE *events;
    struct err err = ERR_INIT;

    (void)state;
    begin("more", &writer);
    assert_true(see(writer, "one", "<tree/>", &err));
    assert_true(tap(writer, 10, &err));
    assert_true(see(writer, "two", "<other/>", &err));
    trajectory_close(writer);
    snprintf(path, sizeof(path), "%s/events.jsonl", folder_of("more"));
    events = fopen(path, "a");
    assert_non_null(events);
    fputs("{\"event\":\"act", events); /* torn by a kill */
    fclose(events);
    resume("more", &writer);
    assert_int_equal(trajectory_next_step(writer), 1);
    assert_true(see(writer, "one", "<other/>", &err)); /* it looks otherwise */
    assert_true(tap(writer, 30, &err));
    assert_true(see(writer, "three", "<third/>", &err));
    assert_true(trajectory_end(writer, ENDING_COMPLETE, NULL, 9, &err));
    trajectory_close(writer);
    assert_true(trajectory_check(folder_of("more"), &err));
    assert_true(trajectory_load(folder_of("more"), &read, &err));
    assert_int_equal(read.count, 3);
    assert_false(read.torn);
    assert_string_equal(read.steps[1].screen.file, "screens/0000.png");
    assert_string_equal(read.steps[1].tree.file, "trees/0001.xml");
    assert_int_equal(read.steps[1].action.from.x, 30);
    trajectory_release(&read);
}

/* A file that an event names is not overwritten by another observation. */
static void repeated_observation_replaces_the_one_before(void **state)
{
    struct trajectory_writer *writer;
    struct trajectory read;
    struct err err = ERR_INIT;

    (void)state;
    begin("repeated", &writer);
    assert_true(see(writer, "one", "<tree/>", &err));
    assert_true(see(writer, "two", "<other/>", &err));
    assert_true(tap(writer, 10, &err));
    assert_true(see(writer, "three", "<third/>", &err));
    trajectory_close(writer);
    assert_true(trajectory_check(folder_of("repeated"), &err));
    assert_true(trajectory_load(folder_of("repeated"), &read, &err));
    assert_string_equal(read.steps[0].screen.file, "screens/0001.png");
    assert_string_equal(read.steps[1].screen.file, "screens/0002.png");
    trajectory_release(&read);
}

static void ended_episode_is_not_continued(void **state)
{
    struct trajectory_writer *writer = NULL;
    struct err err = ERR_INIT;

    (void)state;
    write_episode("ended");
    assert_false(trajectory_continue(folder_of("ended"), &writer, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_null(writer);
}

static void target_and_secret_read_back(void **state)
{
    char mask[] = "••••";
    const struct action action = {
        .kind = ACTION_TYPE, .secret = true, .text = mask};
    struct node_selector target = {.has_point = true, .point = {3, 4}};
    const struct step_action step = {
        .actor = ACTOR_HUMAN, .action = &action, .target = &target};
    struct trajectory_writer *writer;
    struct trajectory read;
    struct err err = ERR_INIT;

    (void)state;
    text_list_add(&target.id, "password");
    begin("target", &writer);
    assert_true(trajectory_write_action(writer, &step, &err));
    trajectory_close(writer);
    if (!trajectory_load(folder_of("target"), &read, &err))
        fail_msg("%s", err.text);
    assert_true(read.steps[0].action.secret);
    assert_string_equal(read.steps[0].target->id.items[0], "password");
    assert_int_equal(read.steps[0].target->point.y, 4);
    trajectory_release(&read);
    text_list_release(&target.id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unfinished_episode_goes_on),
        cmocka_unit_test(repeated_observation_replaces_the_one_before),
        cmocka_unit_test(ended_episode_is_not_continued),
        cmocka_unit_test(target_and_secret_read_back),
        cmocka_unit_test(written_episode_reads_back),
        cmocka_unit_test(step_sums_its_replies_and_names_the_blocker),
        cmocka_unit_test(stored_screen_is_the_observed_one),
        cmocka_unit_test(equal_screens_are_stored_once),
        cmocka_unit_test(existing_episode_is_never_overwritten),
        cmocka_unit_test(invalid_events_are_named),
        cmocka_unit_test(a_torn_last_line_is_dropped),
        cmocka_unit_test(changed_file_is_detected),
        cmocka_unit_test(a_kill_at_any_moment_leaves_a_valid_episode),
        cmocka_unit_test(pipe_in_place_of_events_is_refused),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
