#include "runner/run_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tasks/results.h"
#include "tests/support/scratch.h"

#define SHA256                                                                 \
    "0123456789012345678901234567890123456789012345678901234567890123"
#define HEAD                                                                   \
    "{\"format\":\"proctor-run\",\"version\":1,\"id\":\"a\","                  \
    "\"suite\":{\"path\":\"s\",\"sha256\":\"" SHA256 "\"}"

static void what_was_written_reads_back(void **state)
{
    const struct facts facts = {
        .model = "Pixel", .android = "14", .screen = {1080, 2400}};
    struct run_file file = {.id = mem_dup("now"),
                            .created_ms = 1700000000000,
                            .proctor = mem_dup("0.1.0")};
    struct run_file read;
    struct err err;

    (void)state;
    file.plan = (struct run_plan){.suite = mem_dup("/suites/phone.json"),
                                  .suite_sha256 = SHA256,
                                  .agent = mem_dup("random:7"),
                                  .locale = mem_dup("zh"),
                                  .faults = mem_dup("drop:chance=0.1"),
                                  .via_server = true,
                                  .seed = JSON_INT_MAX,
                                  .skin = 3,
                                  .repeats = 5,
                                  .retries = 1,
                                  .preset = POLICY_PROBENCH,
                                  .mode = AGENT_MARKS,
                                  .steps = 9,
                                  .guard = mem_dup("deny.json"),
                                  .unguarded = true,
                                  .awake = true,
                                  .still = true,
                                  .upright = true,
                                  .aimless = true};
    texts_add(&file.plan.tasks, "shop.cart");
    texts_add(&file.plan.devices, "phone:4");
    run_file_add_device(&file, "phone-0", true, &facts);
    run_file_add_app(&file, "phone-0", "org.shop", "3.2.1");
    run_file_add_device(&file, "phone-0", true, &facts);
    assert_true(run_file_save(&file, scratch_path(), &err));
    if (!run_file_load(scratch_path(), &read, &err))
        fail_msg("%s", err.text);
    assert_string_equal(read.id, "now");
    assert_string_equal(read.plan.suite, "/suites/phone.json");
    assert_string_equal(read.plan.tasks.items[0], "shop.cart");
    assert_string_equal(read.plan.agent, "random:7");
    assert_null(read.plan.profile);
    assert_string_equal(read.plan.devices.items[0], "phone:4");
    assert_string_equal(read.plan.locale, "zh");
    assert_string_equal(read.plan.faults, "drop:chance=0.1");
    assert_true(read.plan.seed == JSON_INT_MAX);
    assert_int_equal(read.plan.skin, 3);
    assert_int_equal(read.plan.repeats, 5);
    assert_int_equal(read.plan.retries, 1);
    assert_int_equal(read.plan.preset, POLICY_PROBENCH);
    assert_int_equal(read.plan.mode, AGENT_MARKS);
    assert_int_equal(read.plan.steps, 9);
    assert_true(read.plan.via_server && read.plan.unguarded &&
                read.plan.aimless && read.plan.awake && read.plan.still &&
                read.plan.upright);
    assert_string_equal(read.plan.guard, "deny.json");
    assert_int_equal(read.device_count, 1);
    assert_true(read.devices[0].builtin);
    assert_true(run_file_has_app(&read, "phone-0", "org.shop"));
    assert_false(run_file_has_app(&read, "phone-0", "org.other"));
    assert_false(run_file_has_app(&read, "phone-1", "org.shop"));
    assert_string_equal(read.devices[0].apps->child->valuestring, "3.2.1");
    assert_string_equal(read.devices[0].facts.model, "Pixel");
    assert_int_equal(read.devices[0].facts.screen.height, 2400);
    run_file_release(&read);
    run_file_release(&file);
}

static void refuse(const char *text, const char *reason)
{
    struct run_file read;
    struct err err = ERR_INIT;

    assert_false(run_file_parse(text, strlen(text), &read, &err));
    if (!strstr(err.text, reason))
        fail_msg("%s\n  not: %s", err.text, reason);
}

static void what_is_no_run_is_named(void **state)
{
    (void)state;
    refuse("[]", "object");
    refuse("{}", "format");
    refuse("{\"format\":\"proctor-run\",\"version\":2}", "version 2");
    refuse("{\"format\":\"other\",\"version\":1}", "proctor-run");
    refuse(HEAD "}", "agent");
    refuse(HEAD ",\"agent\":\"a\",\"preset\":\"hard\"}", "hard");
    refuse(HEAD ",\"agent\":\"a\",\"repeats\":0}", "repeats");
    refuse(HEAD ",\"agent\":\"a\",\"tasks\":[1]}", "tasks[0]");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"mode\":\"x\"}}", "mode");
    refuse(HEAD ",\"agent\":\"a\",\"devices\":[{}]}", "serial");
    refuse(HEAD ",\"agent\":\"a\",\"devices\":[{\"serial\":\"s\","
                "\"apps\":{\"org.shop\":3}}]}",
           "org.shop");
}

/* ---- results ---- */

static void make_folder(const char *name)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", scratch_path(), name);
    if (mkdir(path, 0777) && access(path, X_OK))
        fail_msg("%s", path);
}

/* An attempt of two steps; ENDING_NONE: it was killed. */
static void make_episode(const char *task, int attempt,
                         enum trajectory_ending ending)
{
    const struct trajectory_reply reply = {
        .text = "back", .input_tokens = 10, .cost = 0.5};
    const struct action back = {.kind = ACTION_BACK};
    struct trajectory_head head = {.task = mem_dup(task),
                                   .attempt = attempt,
                                   .phone = mem_dup("phone-0"),
                                   .agent = mem_dup("nothing")};
    struct trajectory_writer *writer;
    char path[512];
    struct err err;

    make_folder("episodes");
    snprintf(path, sizeof(path), "episodes/%s", task);
    make_folder(path);
    snprintf(path, sizeof(path), "episodes/%s/0", task);
    make_folder(path);
    snprintf(path, sizeof(path), "%s/episodes/%s/0/%d", scratch_path(), task,
             attempt);
    assert_true(trajectory_create(path, &head, &writer, &err));
    for (int i = 0; i < 2; i++) {
        assert_true(trajectory_reply(writer, &reply, &err));
        assert_true(trajectory_act(writer, ACTOR_AGENT, &back, NULL, 1, &err));
    }
    if (ending != ENDING_NONE)
        assert_true(trajectory_end(writer, ending, "why", 77, &err));
    trajectory_close(writer);
    free(head.task);
    free(head.phone);
    free(head.agent);
}

static void results_are_made_again_from_the_episodes(void **state)
{
    struct results scanned;
    struct results read;
    struct err err;

    (void)state;
    make_episode("b", 0, ENDING_VOID);
    make_episode("b", 1, ENDING_COMPLETE);
    make_episode("a", 0, ENDING_NONE);
    make_folder("episodes/a/0/1");  /* killed before its head was there */
    make_folder("episodes/a/0/01"); /* not ours */
    make_folder("episodes/Not A Task");
    assert_true(results_scan(scratch_path(), &scanned, &err));
    assert_int_equal(scanned.count, 4);
    assert_string_equal(scanned.items[1].task, "a");
    assert_int_equal(scanned.items[1].attempt, 1);
    assert_int_equal(scanned.items[1].ending, ENDING_NONE);
    assert_true(results_save(scratch_path(), &scanned, &err));
    results_release(&scanned);
    assert_true(results_load(scratch_path(), &read, &err));
    assert_int_equal(read.count, 2);
    assert_string_equal(read.items[1].task, "b");
    assert_int_equal(read.items[1].ending, ENDING_COMPLETE);
    assert_int_equal(read.items[1].steps, 2);
    assert_int_equal(read.items[1].input_tokens, 20);
    assert_true(read.items[1].cost == 1.0);
    assert_int_equal(read.items[1].duration_ms, 77);
    assert_string_equal(read.items[1].episode, "episodes/b/0/1");
    assert_string_equal(read.items[1].phone, "phone-0");
    results_release(&read);
}

static void a_run_without_episodes_has_no_results(void **state)
{
    struct results results;
    char path[300];
    struct err err;

    (void)state;
    snprintf(path, sizeof(path), "%s/empty", scratch_path());
    make_folder("empty");
    assert_true(results_scan(path, &results, &err));
    assert_int_equal(results.count, 0);
    results_release(&results);
}

static void a_line_that_is_no_result_is_named(void **state)
{
    const char text[] = "{\"task\":\"a\",\"episode\":\"e\","
                        "\"ending\":\"void\"}\n{\"task\":\"a\"}\n";
    struct results results;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(results_parse(text, strlen(text), &results, &err));
    assert_non_null(strstr(err.text, "line 2"));
    assert_true(results_parse(text, strlen(text) - 1, &results, &err));
    assert_int_equal(results.count, 1); /* the torn line is dropped */
    results_release(&results);
}

/* Opening a pipe for reading would wait for somebody who writes. */
static void a_pipe_is_no_file_of_a_run(void **state)
{
    struct run_file file;
    struct results results;
    char path[300];
    struct err err = ERR_INIT;

    (void)state;
    make_folder("piped");
    snprintf(path, sizeof(path), "%s/piped/run.json", scratch_path());
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof(path), "%s/piped/results.jsonl", scratch_path());
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof(path), "%s/piped", scratch_path());
    assert_false(run_file_load(path, &file, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(results_load(path, &results, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back),
        cmocka_unit_test(what_is_no_run_is_named),
        cmocka_unit_test(results_are_made_again_from_the_episodes),
        cmocka_unit_test(a_run_without_episodes_has_no_results),
        cmocka_unit_test(a_line_that_is_no_result_is_named),
        cmocka_unit_test(a_pipe_is_no_file_of_a_run),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
