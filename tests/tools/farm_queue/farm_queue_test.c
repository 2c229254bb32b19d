/* The queue itself, without phones, next to a separate PostgreSQL. */
#include "tools/farm_queue/farm_queue.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/farm_queue/test_farm.h"

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
        assert_true(
            test_queue_finish(claimer->joined, &item, WORK_QUEUE_ENDED));
    return NULL;
}

static void each_episode_is_claimed_once_by_many(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined[WORKERS];
    struct claimer claimers[WORKERS * PHONES];
    pthread_t threads[WORKERS * PHONES];

    (void)state;
    test_farm_enqueue(db, REPEATS, 60000);
    for (size_t i = 0; i < WORKERS; i++)
        test_queue_join(&joined[i], "many", PHONES);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        claimers[i] = (struct claimer){&joined[i % WORKERS], i / WORKERS};
        assert_int_equal(
            pthread_create(&threads[i], NULL, claim_all, &claimers[i]), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < WORKERS; i++)
        test_queue_leave(&joined[i]);
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"),
        2 * REPEATS);
    assert_int_equal(
        test_farm_number(
            db, "SELECT count(*) FROM proctor.episodes WHERE state <> 2"),
        0);
    farm_db_close(db);
}

static void lost_lease_is_given_to_another_and_fenced_off(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue slow;
    struct test_queue quick;
    struct work_queue_item item;
    struct work_queue_item again;

    (void)state;
    test_farm_enqueue(db, 1, 60000);
    test_queue_join(&slow, "slow", 1);
    test_queue_join(&quick, "quick", 2);
    assert_true(work_queue_claim(slow.queue, 0, &item));
    assert_true(work_queue_heartbeat(slow.queue, &item));
    test_farm_number(
        db, "UPDATE proctor.episodes SET lease_until = clock_timestamp() - "
            "interval '1 ms' WHERE state = 1 RETURNING 1");
    assert_true(work_queue_claim(quick.queue, 0, &again));
    assert_true(work_queue_claim(quick.queue, 1, &again));
    assert_int_equal(again.task, item.task);
    assert_int_equal(again.attempt, item.attempt + 1);
    assert_false(test_queue_finish(&slow, &item, WORK_QUEUE_ENDED));
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"), 0);
    assert_true(test_queue_finish(&quick, &again, WORK_QUEUE_ENDED));
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"), 1);
    test_queue_leave(&slow);
    test_queue_leave(&quick);
    farm_db_close(db);
}

static void heartbeat_notices_a_lost_lease(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct work_queue_item item;
    struct deadline by = deadline_in_ms(TEST_FARM_WAIT_MS);

    (void)state;
    test_farm_enqueue(db, 1, 1000);
    test_queue_join(&joined, "w", 1);
    assert_true(work_queue_claim(joined.queue, 0, &item));
    test_farm_number(db,
                     "UPDATE proctor.episodes SET token = gen_random_uuid() "
                     "WHERE state = 1 RETURNING 1");
    while (work_queue_heartbeat(joined.queue, &item)) {
        assert_false(deadline_passed(by));
        usleep(10000);
    }
    test_queue_leave(&joined);
    farm_db_close(db);
}

static void void_attempt_is_repeated_within_bounds(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct work_queue_item item;

    (void)state;
    test_farm_enqueue(db, 1, 60000); /* one retry */
    test_queue_join(&joined, "w", 1);
    for (int i = 0; i < 4; i++) {
        assert_true(work_queue_claim(joined.queue, 0, &item));
        assert_int_equal(item.task, i % 2);
        assert_int_equal(item.attempt, i / 2);
        assert_true(test_queue_finish(&joined, &item, WORK_QUEUE_VOID));
    }
    assert_false(work_queue_claim(joined.queue, 0, &item));
    test_queue_leave(&joined);
    assert_int_equal(
        test_farm_number(
            db, "SELECT count(*) FROM proctor.episodes WHERE state = 3"),
        2);
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"), 4);
    farm_db_close(db);
}

/* The database would refuse it again: the attempt is void, and repeated. */
static void result_that_is_refused_makes_its_attempt_void(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct work_queue_item item;
    char reason[20001];

    (void)state;
    memset(reason, 'x', sizeof(reason) - 1);
    reason[sizeof(reason) - 1] = '\0';
    test_farm_enqueue(db, 1, 60000);
    test_queue_join(&joined, "w", 1);
    joined.reason = reason;
    for (int i = 0; i < 4; i++) {
        assert_true(work_queue_claim(joined.queue, 0, &item));
        assert_false(test_queue_finish(&joined, &item, WORK_QUEUE_ENDED));
    }
    assert_false(work_queue_claim(joined.queue, 0, &item));
    test_queue_leave(&joined);
    assert_int_equal(test_farm_number(db,
                                      "SELECT count(*) FROM proctor.episodes "
                                      "WHERE state = 3 AND tries = 2"),
                     2);
    farm_db_close(db);
}

struct finisher {
    struct test_queue *joined;
    struct work_queue_item item;
    bool counts;
};

static void *finish_one(void *context)
{
    struct finisher *finisher = context;

    finisher->counts =
        test_queue_finish(finisher->joined, &finisher->item, WORK_QUEUE_ENDED);
    return NULL;
}

static void full_disk_of_the_database_is_waited_out(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct finisher finisher = {.joined = &joined};
    struct err err = ERR_INIT;
    pthread_t thread;

    (void)state;
    test_farm_enqueue(db, 1, 60000);
    test_queue_join(&joined, "w", 1);
    assert_true(work_queue_claim(joined.queue, 0, &finisher.item));
    assert_true(farm_db_script(
        db,
        "CREATE FUNCTION proctor.fill() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'No space left' USING ERRCODE = '53100'; "
        "END$$; CREATE TRIGGER fill BEFORE INSERT ON proctor.results "
        "FOR EACH ROW EXECUTE FUNCTION proctor.fill()",
        deadline_in_ms(TEST_FARM_WAIT_MS), &err));
    assert_int_equal(pthread_create(&thread, NULL, finish_one, &finisher), 0);
    while (!joined.test.warnings)
        usleep(10000);
    assert_true(farm_db_script(db, "DROP TRIGGER fill ON proctor.results",
                               deadline_in_ms(TEST_FARM_WAIT_MS), &err));
    pthread_join(thread, NULL);
    assert_true(finisher.counts);
    test_queue_leave(&joined);
    farm_db_close(db);
}

/* Such as one whose answer never came, as the worker does another run now. */
static void lease_that_its_worker_does_not_know_ends(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct work_queue_item item;
    struct deadline by = deadline_in_ms(TEST_FARM_WAIT_MS);

    (void)state;
    test_farm_enqueue(db, 1, 1000);
    test_queue_join(&joined, "w", 1);
    assert_true(work_queue_claim(joined.queue, 0, &item));
    assert_int_equal(
        test_farm_number(db, "SELECT c.episode FROM proctor.workers w, "
                             "proctor.claim(w.id, w.secret, 1, "
                             "gen_random_uuid(), 'p', '[\"kind:builtin\"]') c"),
        2);
    while (test_farm_number(db,
                            "SELECT count(*) FROM proctor.episodes WHERE "
                            "id = 2 AND lease_until < clock_timestamp()") < 1) {
        assert_false(deadline_passed(by));
        usleep(10000);
    }
    assert_true(work_queue_heartbeat(joined.queue, &item));
    test_queue_leave(&joined);
    farm_db_close(db);
}

static void run_that_cannot_be_recorded_is_left_to_others(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct work_queue_item item;
    struct buf path = BUF_INIT(4096);
    struct err err = ERR_INIT;

    (void)state;
    test_farm_enqueue(db, 1, 60000);
    test_queue_join(&joined, "w", 1);
    /* What an earlier claim has left cannot be put aside. */
    buf_printf(&path, "%s/episodes", buf_cstr(&joined.folder));
    file_remove_tree(buf_cstr(&path));
    assert_true(file_save(buf_cstr(&path), 0666, "", 0, &err));
    assert_false(work_queue_claim(joined.queue, 0, &item));
    assert_false(farm_queue_check(joined.queue, &err));
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM proctor.episodes WHERE "
                             "state = 0"),
        2);
    test_queue_leave(&joined);
    (void)unlink(buf_cstr(&path));
    buf_release(&path);
    farm_db_close(db);
}

/* What a lost connection repeats changes nothing the second time. */
static void repeated_requests_have_one_effect(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    test_farm_enqueue(db, 1, 60000);
    test_farm_number(db, "SELECT 1 FROM proctor.register('w', '[]')");
#define SECRET "(SELECT secret FROM proctor.workers)"
#define TOKEN "'00000000-0000-0000-0000-000000000001'"
#define CLAIM                                                                  \
    "SELECT episode FROM proctor.claim(1, " SECRET ", 1, " TOKEN               \
    ", 'p', '[\"kind:builtin\"]')"
#define FINISH                                                                 \
    "SELECT proctor.finish(1, " SECRET ", 1, 0, " TOKEN                        \
    ", 'ended', '{\"ending\":\"complete\",\"steps\":1,\"duration_ms\":1,"      \
    "\"input_tokens\":0,\"output_tokens\":0}')::int"
    assert_int_equal(test_farm_number(db, CLAIM), 1);
    assert_int_equal(test_farm_number(db, CLAIM), 1);
    assert_int_equal(test_farm_number(db, FINISH), 1);
    assert_int_equal(test_farm_number(db, FINISH), 1);
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"), 1);
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
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct second_claim second = {.joined = &joined};
    struct work_queue_item first;
    pthread_t thread;

    (void)state;
    test_farm_enqueue(db, 1, 60000);
    test_queue_join(&joined, "twice", 2);
    assert_true(work_queue_claim(joined.queue, 0, &first));
    /* As a crash of the database forgets it. */
    test_farm_number(
        db, "UPDATE proctor.episodes SET state = 0, token = NULL, "
            "worker = NULL, lease_until = NULL WHERE state = 1 RETURNING 1");
    assert_int_equal(pthread_create(&thread, NULL, claim_second, &second), 0);
    while (work_queue_heartbeat(joined.queue, &first))
        usleep(1000);
    assert_false(test_queue_finish(&joined, &first, WORK_QUEUE_ENDED));
    pthread_join(thread, NULL);
    assert_true(second.claimed);
    assert_memory_equal(&second.item, &first, sizeof(first));
    assert_true(test_queue_finish(&joined, &second.item, WORK_QUEUE_ENDED));
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM public.proctor_results"), 1);
    test_queue_leave(&joined);
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
    struct farm_db *db = test_farm_open();
    int64_t fastest_ns = INT64_MAX;

    (void)state;
    for (int round = 0; round < 4; round++) {
        struct waiter waiter = {.found_ns = 0};
        pthread_t thread;
        int64_t commits;
        int64_t start_ns;

        test_worker_start(&waiter.test, "idle", 1);
        assert_int_equal(pthread_create(&thread, NULL, wait_for_run, &waiter),
                         0);
        commits = test_farm_number(db, COMMITS);
        sleep(round ? 1 : IDLE_S);
        if (!round) /* of this connection: 2 */
            assert_in_range(test_farm_number(db, COMMITS) - commits, 0,
                            IDLE_S + 2);
        test_farm_enqueue(db, 1, 60000);
        start_ns = clock_ns();
        pthread_join(thread, NULL);
        if (waiter.found_ns - start_ns < fastest_ns)
            fastest_ns = waiter.found_ns - start_ns;
        test_farm_number(db,
                         "UPDATE proctor.episodes SET state = 2 RETURNING 1");
        farm_job_release(&waiter.job);
        test_worker_stop(&waiter.test);
    }
    assert_true(fastest_ns < REACTION_MS * INT64_C(1000000));
    farm_db_close(db);
}

/* Also with a lease of an hour, of which a third is much. */
static void working_worker_shows_that_it_is_alive(void **state)
{
    struct farm_db *db = test_farm_open();
    struct test_queue joined;
    struct deadline by = deadline_in_ms(TEST_FARM_WAIT_MS);

    (void)state;
    test_farm_enqueue(db, 1, 3600000);
    test_queue_join(&joined, "w", 1);
    test_farm_number(db, "UPDATE proctor.workers SET seen = seen - "
                         "interval '1 hour' RETURNING 1");
    while (test_farm_number(db, "SELECT count(*) FROM proctor.workers WHERE "
                                "seen > clock_timestamp() - "
                                "interval '1 minute'") < 1) {
        assert_false(deadline_passed(by));
        usleep(100000);
    }
    test_queue_leave(&joined);
    farm_db_close(db);
}

static void phone_is_locked_for_one_worker(void **state)
{
    struct test_worker first;
    struct test_worker second;
    struct farm_db *db = test_farm_open();
    struct farm_rows *rows;
    struct err err = ERR_INIT;

    (void)state;
    test_worker_start(&first, "first", 1);
    test_worker_start(&second, "second", 1);
    assert_true(farm_worker_lock_phone(first.worker, "serial 7", &err));
    assert_false(farm_worker_lock_phone(second.worker, "serial 7", &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_true(farm_worker_lock_phone(second.worker, "serial 8", &err));
    /* A worker whose connection was lost takes its locks again. */
    test_farm_number(
        db, "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE "
            "locktype = 'advisory'");
    assert_true(farm_worker_request(first.worker,
                                    "SELECT proctor.heartbeat($1, $2)", NULL, 0,
                                    &rows, &err));
    farm_rows_release(rows);
    do
        assert_false(farm_worker_lock_phone(second.worker, "serial 7", &err));
    while (err.code == ERR_UNREACHABLE);
    assert_int_equal(err.code, ERR_BUSY);
    test_worker_stop(&first);
    test_worker_stop(&second);
    farm_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_episode_is_claimed_once_by_many,
                               test_farm_make_queue),
        cmocka_unit_test_setup(lost_lease_is_given_to_another_and_fenced_off,
                               test_farm_make_queue),
        cmocka_unit_test_setup(heartbeat_notices_a_lost_lease,
                               test_farm_make_queue),
        cmocka_unit_test_setup(void_attempt_is_repeated_within_bounds,
                               test_farm_make_queue),
        cmocka_unit_test_setup(result_that_is_refused_makes_its_attempt_void,
                               test_farm_make_queue),
        cmocka_unit_test_setup(full_disk_of_the_database_is_waited_out,
                               test_farm_make_queue),
        cmocka_unit_test_setup(lease_that_its_worker_does_not_know_ends,
                               test_farm_make_queue),
        cmocka_unit_test_setup(run_that_cannot_be_recorded_is_left_to_others,
                               test_farm_make_queue),
        cmocka_unit_test_setup(repeated_requests_have_one_effect,
                               test_farm_make_queue),
        cmocka_unit_test_setup(
            attempt_given_twice_is_first_ended_by_the_other_phone,
            test_farm_make_queue),
        cmocka_unit_test_setup(idle_worker_asks_rarely_and_reacts_at_once,
                               test_farm_make_queue),
        cmocka_unit_test_setup(working_worker_shows_that_it_is_alive,
                               test_farm_make_queue),
        cmocka_unit_test_setup(phone_is_locked_for_one_worker,
                               test_farm_make_queue),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
