/* The queue itself, without phones, next to a separate PostgreSQL. */
#include "tools/farm_queue/farm_queue.h"

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/scratch_folder.h"
#include "tools/farm_queue/farm_run.h"
#include "tools/farm_queue/farm_schema.h"

#define WAIT_MS 120000

static char url[512];

/* ---- support ---- */

static struct farm_db *open_db(void)
{
    struct farm_db *db;
    struct err err = ERR_INIT;

    if (!farm_db_open(url, NULL, &db, &err))
        fail_msg("%s", err.text);
    return db;
}

static int64_t number(struct farm_db *db, const char *sql)
{
    const struct farm_request request = {.sql = sql};
    struct farm_rows *rows = NULL;
    struct err err = ERR_INIT;
    int64_t found;

    if (!farm_db_request(db, &request, deadline_in_ms(WAIT_MS), &rows, &err))
        fail_msg("%s: %s", sql, err.text);
    found = farm_rows_count(rows) ? farm_rows_int(rows, 0, 0) : -1;
    farm_rows_release(rows);
    return found;
}

/* An empty queue for each test. */
static int make_queue(void **state)
{
    struct farm_db *db;
    struct err err = ERR_INIT;
    int before;

    (void)state;
    snprintf(url, sizeof(url), "postgresql://owner@/proctor?host=%s",
             getenv("PROCTOR_PG_SOCKET"));
    db = open_db();
    assert_true(farm_db_script(db, "DROP SCHEMA IF EXISTS proctor CASCADE",
                               deadline_in_ms(WAIT_MS), &err));
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

/* Put a run of two tasks into the queue. */
static void enqueue(struct farm_db *db, int repeats, int lease_ms)
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

/* A worker with some built-in phones. */
struct test_worker {
    struct farm_worker *worker;
    struct cJSON *phones;
    struct cancel interrupt;
};

static void start_worker(struct test_worker *test, const char *name, int phones)
{
    struct farm_worker_options options = {.url = url, .name = name};
    struct err err = ERR_INIT;

    test->phones = json_new_array();
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

static void stop_worker(struct test_worker *test)
{
    cancel_fire(&test->interrupt);
    farm_worker_close(test->worker);
    cJSON_Delete(test->phones);
    cancel_release(&test->interrupt);
}

/* A worker in a run. */
struct test_queue {
    struct test_worker test;
    struct farm_job job;
    struct farm_store *store;
    struct text_list tasks;
    struct buf folder;
    struct work_queue *queue;
};

static void join_run(struct test_queue *joined, const char *name, int phones)
{
    struct cJSON *none = json_new_array();
    struct farm_queue_options options = {.job = &joined->job,
                                         .tasks = &joined->tasks};
    struct farm_store_options store = {.run = NULL};
    struct err err = ERR_INIT;

    *joined = (struct test_queue){.folder = BUF_INIT(4096)};
    start_worker(&joined->test, name, phones);
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
    options.worker = joined->test.worker;
    options.store = joined->store;
    options.folder = buf_cstr(&joined->folder);
    assert_true(farm_queue_open(&options, &joined->queue, &err));
}

static void leave_run(struct test_queue *joined)
{
    work_queue_close(joined->queue);
    farm_store_close(joined->store);
    farm_job_release(&joined->job);
    text_list_release(&joined->tasks);
    buf_release(&joined->folder);
    stop_worker(&joined->test);
}

/* What the runner does of an episode: its folder, and a result. */
static bool finish(struct test_queue *joined,
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
        .ending = outcome == WORK_QUEUE_VOID ? ENDING_VOID : ENDING_COMPLETE};
    bool counts;

    buf_printf(&path, "%s/", buf_cstr(&joined->folder));
    run_result_folder(task, item->repeat, item->attempt, &path);
    assert_true(file_make_folder(buf_cstr(&path), 0777, &err));
    counts = work_queue_finish(joined->queue, item, outcome,
                               outcome == WORK_QUEUE_RETURNED ? NULL : &result);
    buf_release(&path);
    return counts;
}

/* ---- tests ---- */

#define WORKERS 3
#define PHONES 4
#define REPEATS 50

struct claimer {
    struct test_queue *joined;
    size_t phone;
};

static void *claim_all(void *context)
{
    struct claimer *claimer = context;
    struct work_queue_item item;

    while (work_queue_claim(claimer->joined->queue, claimer->phone, &item))
        assert_true(finish(claimer->joined, &item, WORK_QUEUE_ENDED));
    return NULL;
}

static void each_episode_is_claimed_once_by_many(void **state)
{
    struct farm_db *db = open_db();
    struct test_queue joined[WORKERS];
    struct claimer claimers[WORKERS * PHONES];
    pthread_t threads[WORKERS * PHONES];

    (void)state;
    enqueue(db, REPEATS, 60000);
    for (size_t i = 0; i < WORKERS; i++)
        join_run(&joined[i], "many", PHONES);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        claimers[i] = (struct claimer){&joined[i % WORKERS], i / WORKERS};
        assert_int_equal(
            pthread_create(&threads[i], NULL, claim_all, &claimers[i]), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < WORKERS; i++)
        leave_run(&joined[i]);
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     2 * REPEATS);
    assert_int_equal(
        number(db, "SELECT count(*) FROM proctor.episodes WHERE state <> 2"),
        0);
    farm_db_close(db);
}

static void lost_lease_is_given_to_another_and_fenced_off(void **state)
{
    struct farm_db *db = open_db();
    struct test_queue slow;
    struct test_queue quick;
    struct work_queue_item item;
    struct work_queue_item again;

    (void)state;
    enqueue(db, 1, 60000);
    join_run(&slow, "slow", 1);
    join_run(&quick, "quick", 2);
    assert_true(work_queue_claim(slow.queue, 0, &item));
    assert_true(work_queue_heartbeat(slow.queue, &item));
    number(db, "UPDATE proctor.episodes SET lease_until = clock_timestamp() - "
               "interval '1 ms' WHERE state = 1 RETURNING 1");
    assert_true(work_queue_claim(quick.queue, 0, &again));
    assert_true(work_queue_claim(quick.queue, 1, &again));
    assert_int_equal(again.task, item.task);
    assert_int_equal(again.attempt, item.attempt + 1);
    assert_false(finish(&slow, &item, WORK_QUEUE_ENDED));
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     0);
    assert_true(finish(&quick, &again, WORK_QUEUE_ENDED));
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     1);
    leave_run(&slow);
    leave_run(&quick);
    farm_db_close(db);
}

static void heartbeat_notices_a_lost_lease(void **state)
{
    struct farm_db *db = open_db();
    struct test_queue joined;
    struct work_queue_item item;
    struct deadline by = deadline_in_ms(WAIT_MS);

    (void)state;
    enqueue(db, 1, 1000);
    join_run(&joined, "w", 1);
    assert_true(work_queue_claim(joined.queue, 0, &item));
    number(db, "UPDATE proctor.episodes SET token = gen_random_uuid() "
               "WHERE state = 1 RETURNING 1");
    while (work_queue_heartbeat(joined.queue, &item)) {
        assert_false(deadline_passed(by));
        usleep(10000);
    }
    leave_run(&joined);
    farm_db_close(db);
}

static void void_attempt_is_repeated_within_bounds(void **state)
{
    struct farm_db *db = open_db();
    struct test_queue joined;
    struct work_queue_item item;

    (void)state;
    enqueue(db, 1, 60000); /* one retry */
    join_run(&joined, "w", 1);
    for (int i = 0; i < 4; i++) {
        assert_true(work_queue_claim(joined.queue, 0, &item));
        assert_int_equal(item.task, i % 2);
        assert_int_equal(item.attempt, i / 2);
        assert_true(finish(&joined, &item, WORK_QUEUE_VOID));
    }
    assert_false(work_queue_claim(joined.queue, 0, &item));
    leave_run(&joined);
    assert_int_equal(
        number(db, "SELECT count(*) FROM proctor.episodes WHERE state = 3"), 2);
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     4);
    farm_db_close(db);
}

/* What a lost connection repeats changes nothing the second time. */
static void repeated_requests_have_one_effect(void **state)
{
    struct farm_db *db = open_db();

    (void)state;
    enqueue(db, 1, 60000);
    number(db, "SELECT 1 FROM proctor.register('w', '[]')");
#define SECRET "(SELECT secret FROM proctor.workers)"
#define TOKEN "'00000000-0000-0000-0000-000000000001'"
#define CLAIM                                                                  \
    "SELECT episode FROM proctor.claim(1, " SECRET ", 1, " TOKEN               \
    ", 'p', '[\"kind:builtin\"]')"
#define FINISH                                                                 \
    "SELECT proctor.finish(1, " SECRET ", 1, 0, " TOKEN                        \
    ", 'ended', '{\"ending\":\"complete\",\"steps\":1,\"duration_ms\":1,"      \
    "\"input_tokens\":0,\"output_tokens\":0}')::int"
    assert_int_equal(number(db, CLAIM), 1);
    assert_int_equal(number(db, CLAIM), 1);
    assert_int_equal(number(db, FINISH), 1);
    assert_int_equal(number(db, FINISH), 1);
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     1);
    farm_db_close(db);
}

struct second_claim {
    struct test_queue *joined;
    struct work_queue_item item;
    bool claimed;
};

static void *claim_second(void *context)
{
    struct second_claim *second = context;

    second->claimed = work_queue_claim(second->joined->queue, 1, &second->item);
    return NULL;
}

/* Both phones would record into the same folder. */
static void attempt_given_twice_is_first_ended_by_the_other_phone(void **state)
{
    struct farm_db *db = open_db();
    struct test_queue joined;
    struct second_claim second = {.joined = &joined};
    struct work_queue_item first;
    pthread_t thread;

    (void)state;
    enqueue(db, 1, 60000);
    join_run(&joined, "twice", 2);
    assert_true(work_queue_claim(joined.queue, 0, &first));
    /* As a crash of the database forgets it. */
    number(db, "UPDATE proctor.episodes SET state = 0, token = NULL, "
               "worker = NULL, lease_until = NULL WHERE state = 1 RETURNING 1");
    assert_int_equal(pthread_create(&thread, NULL, claim_second, &second), 0);
    while (work_queue_heartbeat(joined.queue, &first))
        usleep(1000);
    assert_false(finish(&joined, &first, WORK_QUEUE_ENDED));
    pthread_join(thread, NULL);
    assert_true(second.claimed);
    assert_memory_equal(&second.item, &first, sizeof(first));
    assert_true(finish(&joined, &second.item, WORK_QUEUE_ENDED));
    assert_int_equal(number(db, "SELECT count(*) FROM public.proctor_results"),
                     1);
    leave_run(&joined);
    farm_db_close(db);
}

struct waiter {
    struct test_worker test;
    struct farm_job job;
    int64_t found_ns;
};

static void *wait_for_run(void *context)
{
    struct waiter *waiter = context;
    struct cJSON *none = json_new_array();
    struct err err = ERR_INIT;

    if (!farm_worker_next(waiter->test.worker, none, true, &waiter->job, &err))
        fail_msg("%s", err.text);
    waiter->found_ns = clock_ns();
    cJSON_Delete(none);
    return NULL;
}

#define COMMITS                                                                \
    "SELECT xact_commit FROM pg_stat_database WHERE datname = 'proctor'"
#define IDLE_S 4
#define REACTION_MS 100

/* The fastest of some: a busy machine slows down single ones. */
static void idle_worker_asks_rarely_and_reacts_at_once(void **state)
{
    struct farm_db *db = open_db();
    int64_t fastest_ns = INT64_MAX;

    (void)state;
    for (int round = 0; round < 4; round++) {
        struct waiter waiter = {.found_ns = 0};
        pthread_t thread;
        int64_t commits;
        int64_t start_ns;

        start_worker(&waiter.test, "idle", 1);
        assert_int_equal(pthread_create(&thread, NULL, wait_for_run, &waiter),
                         0);
        commits = number(db, COMMITS);
        sleep(round ? 1 : IDLE_S);
        if (!round) /* of this connection: 2 */
            assert_in_range(number(db, COMMITS) - commits, 0, IDLE_S + 2);
        enqueue(db, 1, 60000);
        start_ns = clock_ns();
        pthread_join(thread, NULL);
        if (waiter.found_ns - start_ns < fastest_ns)
            fastest_ns = waiter.found_ns - start_ns;
        number(db, "UPDATE proctor.episodes SET state = 2 RETURNING 1");
        farm_job_release(&waiter.job);
        stop_worker(&waiter.test);
    }
    assert_true(fastest_ns < REACTION_MS * INT64_C(1000000));
    farm_db_close(db);
}

static void phone_is_locked_for_one_worker(void **state)
{
    struct test_worker first;
    struct test_worker second;
    struct farm_db *db = open_db();
    struct farm_rows *rows;
    struct err err = ERR_INIT;

    (void)state;
    start_worker(&first, "first", 1);
    start_worker(&second, "second", 1);
    assert_true(farm_worker_lock_phone(first.worker, "serial 7", &err));
    assert_false(farm_worker_lock_phone(second.worker, "serial 7", &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_true(farm_worker_lock_phone(second.worker, "serial 8", &err));
    /* A worker whose connection was lost takes its locks again. */
    number(db, "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE "
               "locktype = 'advisory'");
    assert_true(farm_worker_request(first.worker,
                                    "SELECT proctor.heartbeat($1, $2)", NULL, 0,
                                    &rows, &err));
    farm_rows_release(rows);
    do
        assert_false(farm_worker_lock_phone(second.worker, "serial 7", &err));
    while (err.code == ERR_UNREACHABLE);
    assert_int_equal(err.code, ERR_BUSY);
    stop_worker(&first);
    stop_worker(&second);
    farm_db_close(db);
}

static void queue_of_a_later_version_is_refused(void **state)
{
    struct farm_db *db = open_db();
    struct err err = ERR_INIT;
    int before = 0;

    (void)state;
    assert_true(farm_schema_check(db, &err));
    assert_true(farm_schema_init(db, &before, &err));
    assert_int_equal(before, FARM_SCHEMA_VERSION);
    number(db, "INSERT INTO proctor.schema_version VALUES (99) RETURNING 1");
    assert_false(farm_schema_check(db, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_false(farm_schema_init(db, &before, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    number(db, "DELETE FROM proctor.schema_version RETURNING 1");
    assert_false(farm_schema_check(db, &err));
    farm_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_episode_is_claimed_once_by_many,
                               make_queue),
        cmocka_unit_test_setup(lost_lease_is_given_to_another_and_fenced_off,
                               make_queue),
        cmocka_unit_test_setup(heartbeat_notices_a_lost_lease, make_queue),
        cmocka_unit_test_setup(void_attempt_is_repeated_within_bounds,
                               make_queue),
        cmocka_unit_test_setup(repeated_requests_have_one_effect, make_queue),
        cmocka_unit_test_setup(
            attempt_given_twice_is_first_ended_by_the_other_phone, make_queue),
        cmocka_unit_test_setup(idle_worker_asks_rarely_and_reacts_at_once,
                               make_queue),
        cmocka_unit_test_setup(phone_is_locked_for_one_worker, make_queue),
        cmocka_unit_test_setup(queue_of_a_later_version_is_refused, make_queue),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
