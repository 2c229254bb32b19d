#include "runner/run/run_file.h"

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
#include "tasks/trajectory/run_results.h"
#include "tests/support/scratch_folder.h"

#define SHA256                                                                 \
    "0123456789012345678901234567890123456789012345678901234567890123"
#define HEAD                                                                   \
    "{\"format\":\"proctor-run\",\"version\":1,\"id\":\"a\","                  \
    "\"suite\":{\"path\":\"s\",\"sha256\":\"" SHA256 "\"}"

/* A plan with a value other than the default in almost every member. */
static struct run_plan make_plan(void)
{
    return (struct run_plan){.suite = mem_dup("/suites/phone.json"),
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
                             .noise = NOISE_HEAVY,
                             .mode = AGENT_MARKS,
                             .steps = 9,
                             .guard = mem_dup("deny.json"),
                             .unguarded = true,
                             .awake = true,
                             .no_animations = true,
                             .no_rotation = true,
                             .on_my_phone = true,
                             .realtime = true,
                             .limits_cost = true,
                             .max_cost = 2.5,
                             .limits_tokens = true,
                             .max_tokens = 7000,
                             .prices = mem_dup("prices.json"),
                             .model_cache = mem_dup("answers"),
                             .keyboard = mem_dup("kb.apk")};
}

static void assert_plan(const struct run_plan *plan)
{
    assert_string_equal(plan->suite, "/suites/phone.json");
    assert_string_equal(plan->tasks.items[0], "shop.cart");
    assert_string_equal(plan->agent, "random:7");
    assert_null(plan->profile);
    assert_string_equal(plan->devices.items[0], "phone:4");
    assert_string_equal(plan->locale, "zh");
    assert_string_equal(plan->faults, "drop:chance=0.1");
    assert_true(plan->seed == JSON_INT_MAX);
    assert_int_equal(plan->skin, 3);
    assert_int_equal(plan->repeats, 5);
    assert_int_equal(plan->retries, 1);
    assert_int_equal(plan->preset, POLICY_PROBENCH);
    assert_int_equal(plan->noise, NOISE_HEAVY);
    assert_int_equal(plan->mode, AGENT_MARKS);
    assert_int_equal(plan->steps, 9);
    assert_true(plan->via_server && plan->unguarded && plan->on_my_phone &&
                plan->awake && plan->no_animations && plan->no_rotation &&
                plan->realtime);
    assert_true(plan->limits_cost && plan->max_cost == 2.5);
    assert_true(plan->limits_tokens && plan->max_tokens == 7000);
    assert_string_equal(plan->prices, "prices.json");
    assert_string_equal(plan->model_cache, "answers");
    assert_string_equal(plan->keyboard, "kb.apk");
    assert_null(plan->observe_cache);
    assert_string_equal(plan->guard, "deny.json");
}

static void written_run_file_reads_back(void **state)
{
    const struct device_info facts = {
        .model = "Pixel", .android = "14", .screen = {1080, 2400}};
    struct run_file file = {.id = mem_dup("now"),
                            .created_ms = 1700000000000,
                            .proctor = mem_dup("0.1.0"),
                            .plan = make_plan()};
    struct run_file read;
    struct err err;

    (void)state;
    text_list_add(&file.plan.tasks, "shop.cart");
    text_list_add(&file.plan.devices, "phone:4");
    run_file_add_device(&file, "phone-0", true, &facts);
    run_file_add_app(&file, "phone-0", "org.shop", "3.2.1");
    run_file_add_device(&file, "phone-0", true, &facts);
    assert_true(run_file_save(&file, scratch_folder_path(), &err));
    if (!run_file_load(scratch_folder_path(), &read, &err))
        fail_msg("%s", err.text);
    assert_string_equal(read.id, "now");
    assert_plan(&read.plan);
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

static void names_of_version_1_are_read(void **state)
{
    static const char text[] =
        HEAD ",\"agent\":\"a\",\"preset\":\"usual\",\"options\":{\"still\":"
             "true,\"upright\":true,\"aimless\":true}}";
    struct run_file read;
    struct err err = ERR_INIT;

    (void)state;
    if (!run_file_parse(text, strlen(text), &read, &err))
        fail_msg("%s", err.text);
    assert_int_equal(read.plan.preset, POLICY_DEFAULT);
    assert_true(read.plan.no_animations && read.plan.no_rotation &&
                read.plan.on_my_phone);
    run_file_release(&read);
}

static void refuse(const char *text, const char *reason)
{
    struct run_file read;
    struct err err = ERR_INIT;

    assert_false(run_file_parse(text, strlen(text), &read, &err));
    if (!strstr(err.text, reason))
        fail_msg("%s\n  not: %s", err.text, reason);
}

static void invalid_run_files_are_refused(void **state)
{
    (void)state;
    refuse("[]", "object");
    refuse("{}", "format");
    refuse("{\"format\":\"proctor-run\",\"version\":3}", "version 3");
    refuse("{\"format\":\"other\",\"version\":1}", "proctor-run");
    refuse(HEAD "}", "agent");
    refuse(HEAD ",\"agent\":\"a\",\"preset\":\"hard\"}", "hard");
    refuse(HEAD ",\"agent\":\"a\",\"repeats\":0}", "repeats");
    refuse(HEAD ",\"agent\":\"a\",\"tasks\":[1]}", "tasks[0]");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"mode\":\"x\"}}", "mode");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"guard\":\"x\","
                "\"guard\":\"y\"}}",
           "options.guard: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"devices\":[],"
                "\"devices\":[]}}",
           "options.devices: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"mode\":\"tree\","
                "\"mode\":\"screen\"}}",
           "options.mode: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"retries\":1,"
                "\"steps\":2,\"retries\":3}}",
           "options.retries: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"steps\":1,"
                "\"steps\":2}}",
           "options.steps: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"max_cost\":1,"
                "\"max_cost\":2}}",
           "options.max_cost: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"options\":{\"max_tokens\":1,"
                "\"max_tokens\":2}}",
           "options.max_tokens: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"agent\":\"b\"}",
           "agent: it is given twice");
    refuse(HEAD ",\"agent\":\"a\",\"devices\":[{}]}", "serial");
    refuse(HEAD ",\"agent\":\"a\",\"devices\":[{\"serial\":\"s\","
                "\"apps\":{\"org.shop\":3}}]}",
           "org.shop");
}

/* ---- results ---- */

static void make_folder(const char *name)
{
    char path[512];

    snprintf(path, sizeof(path), "%s/%s", scratch_folder_path(), name);
    if (mkdir(path, 0777) && access(path, X_OK))
        fail_msg("%s", path);
}

/* An attempt of two steps; ENDING_NONE: killed. */
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
    snprintf(path, sizeof(path), "%s/episodes/%s/0/%d", scratch_folder_path(),
             task, attempt);
    assert_true(trajectory_create(path, &head, &writer, &err));
    for (int i = 0; i < 2; i++) {
        assert_true(trajectory_reply(writer, &reply, &err));
        assert_true(trajectory_write_plain_action(writer, ACTOR_AGENT, &back,
                                                  NULL, 1, &err));
    }
    if (ending != ENDING_NONE)
        assert_true(trajectory_end(writer, ending, "why", 77, &err));
    trajectory_close(writer);
    free(head.task);
    free(head.phone);
    free(head.agent);
}

static void results_are_rebuilt_from_the_episodes(void **state)
{
    struct run_results scanned;
    struct run_results read;
    struct err err;

    (void)state;
    make_episode("b", 0, ENDING_VOID);
    make_episode("b", 1, ENDING_COMPLETE);
    make_episode("a", 0, ENDING_NONE);
    make_folder("episodes/a/0/1");  /* killed before its head was written */
    make_folder("episodes/a/0/01"); /* another folder */
    make_folder("episodes/Not A Task");
    assert_true(run_results_scan(scratch_folder_path(), &scanned, &err));
    assert_int_equal(scanned.count, 4);
    assert_string_equal(scanned.items[1].task, "a");
    assert_int_equal(scanned.items[1].attempt, 1);
    assert_int_equal(scanned.items[1].ending, ENDING_NONE);
    assert_true(run_results_save(scratch_folder_path(), &scanned, &err));
    run_results_release(&scanned);
    assert_true(run_results_load(scratch_folder_path(), &read, &err));
    assert_int_equal(read.count, 2);
    assert_string_equal(read.items[1].task, "b");
    assert_int_equal(read.items[1].ending, ENDING_COMPLETE);
    assert_int_equal(read.items[1].steps, 2);
    assert_int_equal(read.items[1].input_tokens, 20);
    assert_true(read.items[1].cost == 1.0);
    assert_int_equal(read.items[1].duration_ms, 77);
    assert_string_equal(read.items[1].episode, "episodes/b/0/1");
    assert_string_equal(read.items[1].phone, "phone-0");
    run_results_release(&read);
}

static void a_run_without_episodes_has_no_results(void **state)
{
    struct run_results results;
    char path[300];
    struct err err;

    (void)state;
    snprintf(path, sizeof(path), "%s/empty", scratch_folder_path());
    make_folder("empty");
    assert_true(run_results_scan(path, &results, &err));
    assert_int_equal(results.count, 0);
    run_results_release(&results);
}

static void invalid_result_line_is_named(void **state)
{
    const char text[] = "{\"task\":\"a\",\"episode\":\"e\","
                        "\"ending\":\"void\"}\n{\"task\":\"a\"}\n";
    struct run_results results;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(run_results_parse(text, strlen(text), &results, &err));
    assert_non_null(strstr(err.text, "line 2"));
    assert_true(run_results_parse(text, strlen(text) - 1, &results, &err));
    assert_int_equal(results.count, 1); /* the torn line is dropped */
    run_results_release(&results);
}

/* Opening a pipe for reading would wait for a writer. */
static void pipe_in_place_of_a_file_is_refused(void **state)
{
    struct run_file file;
    struct run_results results;
    char path[300];
    struct err err = ERR_INIT;

    (void)state;
    make_folder("piped");
    snprintf(path, sizeof(path), "%s/piped/run.json", scratch_folder_path());
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof(path), "%s/piped/results.jsonl",
             scratch_folder_path());
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof(path), "%s/piped", scratch_folder_path());
    assert_false(run_file_load(path, &file, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(run_results_load(path, &results, &err));
    assert_int_equal(err.code, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_run_file_reads_back),
        cmocka_unit_test(names_of_version_1_are_read),
        cmocka_unit_test(invalid_run_files_are_refused),
        cmocka_unit_test(results_are_rebuilt_from_the_episodes),
        cmocka_unit_test(a_run_without_episodes_has_no_results),
        cmocka_unit_test(invalid_result_line_is_named),
        cmocka_unit_test(pipe_in_place_of_a_file_is_refused),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
