#include "tests/tools/farm_queue/test_farm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"
#include "tools/farm_queue/farm_run.h"
#include "tools/farm_queue/farm_schema.h"

static char url[512];

struct farm_db *test_farm_open(void)
{
    struct farm_db *db;
    struct err err = ERR_INIT;

    if (!farm_db_open(url, NULL, &db, &err))
        fail_msg("%s", err.text);
    return db;
}

int64_t test_farm_number(struct farm_db *db, const char *sql)
{
    const struct farm_request request = {.sql = sql};
    struct farm_rows *rows = NULL;
    struct err err = ERR_INIT;
    int64_t found;

    if (!farm_db_request(db, &request, deadline_in_ms(TEST_FARM_WAIT_MS), &rows,
                         &err))
        fail_msg("%s: %s", sql, err.text);
    found = farm_rows_count(rows) ? farm_rows_int(rows, 0, 0) : -1;
    farm_rows_release(rows);
    return found;
}

int test_farm_make_nothing(void **state)
{
    struct farm_db *db;
    struct err err = ERR_INIT;

    (void)state;
    snprintf(url, sizeof(url), "postgresql://owner@/proctor?host=%s",
             getenv("PROCTOR_PG_SOCKET"));
    db = test_farm_open();
    assert_true(farm_db_script(db, "DROP SCHEMA IF EXISTS proctor CASCADE",
                               deadline_in_ms(TEST_FARM_WAIT_MS), &err));
    farm_db_close(db);
    return 0;
}

int test_farm_make_queue(void **state)
{
    struct farm_db *db;
    struct err err = ERR_INIT;
    int before;

    (void)test_farm_make_nothing(state);
    db = test_farm_open();
    if (!farm_schema_init(db, &before, &err))
        fail_msg("%s", err.text);
    assert_int_equal(before, 0);
    farm_db_close(db);
    return 0;
}

static const char suite_text[] =
    "[{\"id\":\"one\",\"apps\":[\"a.b\"],\"kind\":\"state\",\"instruction\":"
    "\"x\",\"truth\":\"t\",\"needs\":[{\"say\":\"x\"}]},"
    "{\"id\":\"two\",\"apps\":[\"a.b\"],\"kind\":\"state\",\"instruction\":"
    "\"x\",\"truth\":\"t\",\"needs\":[{\"say\":\"x\"}]}]";

void test_farm_enqueue(struct farm_db *db, int repeats, int lease_ms)
{
    struct run_file file = {.id = mem_dup("run"), .plan.repeats = repeats};
    struct suite suite;
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    struct buf name = BUF_INIT(256);
    const struct farm_order order = {.file = &file,
                                     .suite = &suite,
                                     .suite_text = &text,
                                     .recordings = scratch_folder_path(),
                                     .lease_ms = lease_ms};
    struct err err = ERR_INIT;

    buf_text(&text, suite_text);
    if (!suite_parse(buf_cstr(&text), text.length, "suite.json", &suite, &err))
        fail_msg("%s", err.text);
    file.plan.suite = mem_dup("suite.json");
    file.plan.agent = mem_dup("gold");
    file.plan.retries = 1;
    memset(file.plan.suite_sha256, '0', SHA256_HEX_SIZE - 1);
    text_list_add(&file.plan.tasks, "one");
    text_list_add(&file.plan.tasks, "two");
    assert_true(run_file_save(&file, scratch_folder_path(), &err));
    if (!farm_run_enqueue(db, &order, &name, &err))
        fail_msg("%s", err.text);
    suite_release(&suite);
    run_file_release(&file);
    buf_release(&text);
    buf_release(&name);
}

static void count_warning(void *context, const char *text)
{
    struct test_worker *test = context;

    (void)text;
    test->warnings++;
}

void test_worker_start(struct test_worker *test, const char *name, int phones)
{
    struct farm_worker_options options = {
        .url = url, .name = name, .warn = count_warning, .context = test};
    struct err err = ERR_INIT;

    test->phones = json_new_array();
    test->warnings = 0;
    for (int i = 0; i < phones; i++) {
        struct cJSON *phone = json_add_object(test->phones, NULL);
        char serial[32];

        snprintf(serial, sizeof(serial), "phone-%d", i);
        json_add_string(phone, "serial", serial);
        json_add_string(json_add_array(phone, "offers"), NULL, "kind:builtin");
    }
    assert_true(cancel_init(&test->interrupt, &err));
    options.phones = test->phones;
    options.interrupt = &test->interrupt;
    if (!farm_worker_open(&options, &test->worker, &err))
        fail_msg("%s", err.text);
}

void test_worker_stop(struct test_worker *test)
{
    cancel_fire(&test->interrupt);
    farm_worker_close(test->worker);
    cJSON_Delete(test->phones);
    cancel_release(&test->interrupt);
}

void test_queue_join(struct test_queue *joined, const char *name, int phones)
{
    struct cJSON *none = json_new_array();
    struct farm_part part = {.job = &joined->job, .tasks = &joined->tasks};
    struct farm_store_options store = {.run = NULL};
    struct err err = ERR_INIT;

    *joined = (struct test_queue){.folder = BUF_INIT(4096)};
    test_worker_start(&joined->test, name, phones);
    if (!farm_worker_next(joined->test.worker, none, false, &joined->job, &err))
        fail_msg("%s", err.text);
    cJSON_Delete(none);
    assert_true(joined->job.run != 0);
    text_list_add(&joined->tasks, "one");
    text_list_add(&joined->tasks, "two");
    store.run = joined->job.name;
    store.where = joined->job.recordings;
    assert_true(farm_store_open(&store, &joined->store, &err));
    assert_true(joined->store->ops->work_folder(
        joined->store, farm_worker_id(joined->test.worker), &joined->folder,
        &err));
    part.worker = joined->test.worker;
    part.store = joined->store;
    part.folder = buf_cstr(&joined->folder);
    assert_true(farm_queue_open(&part, &joined->queue, &err));
}

void test_queue_leave(struct test_queue *joined)
{
    work_queue_close(joined->queue);
    farm_store_close(joined->store);
    farm_job_release(&joined->job);
    text_list_release(&joined->tasks);
    buf_release(&joined->folder);
    test_worker_stop(&joined->test);
}

bool test_queue_finish(struct test_queue *joined,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome)
{
    struct buf path = BUF_INIT(4096);
    struct err err = ERR_INIT;
    char *task = joined->tasks.items[item->task];
    struct run_result result = {
        .task = task,
        .repeat = item->repeat,
        .attempt = item->attempt,
        .episode = (char *)(uintptr_t) "episodes/x",
        .reason = joined->reason ? mem_dup(joined->reason) : NULL,
        .ending = outcome == WORK_QUEUE_VOID ? ENDING_VOID : ENDING_COMPLETE};
    bool counts;

    buf_printf(&path, "%s/", buf_cstr(&joined->folder));
    run_result_folder(task, item->repeat, item->attempt, &path);
    assert_true(file_make_folder(buf_cstr(&path), 0777, &err));
    counts = work_queue_finish(joined->queue, item, outcome,
                               outcome == WORK_QUEUE_RETURNED ? NULL : &result);
    free(result.reason);
    buf_release(&path);
    return counts;
}
