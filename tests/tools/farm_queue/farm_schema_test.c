/* The queue's schema: made, migrated and refused, and what a worker that is not
 * proctor may do with it. */
#include "tools/farm_queue/farm_schema.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/embedded.h"
#include "base/macros.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/farm_queue/test_farm.h"

extern const struct embedded farm_files;

static void script(struct farm_db *db, const char *sql)
{
    struct err err = ERR_INIT;

    if (!farm_db_script(db, sql, deadline_in_ms(TEST_FARM_WAIT_MS), &err))
        fail_msg("%.60s: %s", sql, err.text);
}

/* Is it refused? */
static bool refuses(struct farm_db *db, const char *sql)
{
    struct err err = ERR_INIT;

    return !farm_db_script(db, sql, deadline_in_ms(TEST_FARM_WAIT_MS), &err) &&
           err.code == ERR_REMOTE;
}

/* ---- versions ---- */

/* A queue as the first version of the program has made it. */
static int make_version_1(void **state)
{
    struct farm_db *db;

    (void)test_farm_make_nothing(state);
    db = test_farm_open();
    script(db, "CREATE SCHEMA proctor; CREATE TABLE proctor.schema_version "
               "(version int PRIMARY KEY, applied timestamptz NOT NULL "
               "DEFAULT clock_timestamp())");
    script(db, embedded_get(&farm_files, "schema/1.sql")->text);
    script(db, "INSERT INTO proctor.schema_version (version) VALUES (1)");
    farm_db_close(db);
    return 0;
}

#define SECRET "(SELECT secret FROM proctor.workers WHERE id = 1)"
#define TOKEN(n) "'00000000-0000-0000-0000-00000000000" n "'::uuid"
#define OFFER "'[\"kind:builtin\"]'"
#define CLAIM(n)                                                               \
    "SELECT episode FROM proctor.claim(1, " SECRET                             \
    ", 1, " TOKEN(n) ", 'p', " OFFER ")"
#define RESULT(steps, cost)                                                    \
    "'{\"ending\":\"complete\",\"steps\":" steps ",\"duration_ms\":1,"         \
    "\"input_tokens\":0,\"output_tokens\":0,\"cost\":" cost "}'"
#define FINISH(n, result)                                                      \
    "SELECT proctor.finish(1, " SECRET ", " n                                  \
    ", 0, " TOKEN(n) ", 'ended', " result ")::int"
/* Five episodes of the same task. */
#define ENQUEUE                                                                \
    "SELECT proctor.enqueue('run', 'gold', '{}', '[]', '/', 60000, 3, 5, "     \
    "NULL, NULL, '[{\"task\":\"one\",\"needs\":[\"kind:builtin\"]}]'); "       \
    "SELECT proctor.register('old', "                                          \
    "'[{\"serial\":\"p\",\"offers\":" OFFER_TEXT "}]')"
#define OFFER_TEXT "[\"kind:builtin\"]"

/* Its workers go on meanwhile. */
static void queue_of_version_1_is_migrated_with_its_runs(void **state)
{
    struct farm_db *db = test_farm_open();
    struct err err = ERR_INIT;
    int before = 0;

    (void)state;
    assert_false(farm_schema_check(db, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "proctor queue init"));
    script(db, ENQUEUE);
    script(db, "SELECT proctor.register('evil', "
               "'[{\"serial\":\"p\",\"offers\":{\"kind:real\":1}}]')");
    assert_int_equal(test_farm_number(db, CLAIM("1")), 1);
    assert_int_equal(test_farm_number(db, FINISH("1", RESULT("-1", "0"))), 1);
    assert_int_equal(test_farm_number(db, CLAIM("2")), 2);
    err = (struct err)ERR_INIT;
    if (!farm_schema_init(db, &before, &err))
        fail_msg("%s", err.text);
    assert_int_equal(before, 1);
    assert_true(farm_schema_check(db, &err));
    assert_int_equal(
        test_farm_number(db, "SELECT count(*) FROM proctor.heartbeat(1, " SECRET
                             ")"),
        1);
    assert_int_equal(test_farm_number(db, FINISH("2", RESULT("1", "0"))), 1);
    assert_int_equal(test_farm_number(db, "SELECT ended FROM "
                                          "proctor.run_states"),
                     2);
    assert_int_equal(test_farm_number(db, "SELECT count(*) FROM "
                                          "public.proctor_phones"),
                     1);
    farm_db_close(db);
}

/* A backup reads the tables: workers must not wait for it behind a change. */
static void migration_does_not_wait_long_for_a_table(void **state)
{
    struct farm_db *backup = test_farm_open();
    struct farm_db *db = test_farm_open();
    struct err err = ERR_INIT;
    int before = 0;

    (void)state;
    script(backup, "BEGIN; LOCK TABLE proctor.results IN ACCESS SHARE MODE");
    assert_false(farm_schema_init(db, &before, &err));
    assert_int_equal(err.code, ERR_BUSY);
    script(backup, "COMMIT");
    assert_true(farm_schema_init(db, &before, &err));
    assert_int_equal(before, 1);
    farm_db_close(backup);
    farm_db_close(db);
}

struct maker {
    pthread_t thread;
    int before;
};

static void *make(void *context)
{
    struct maker *maker = context;
    struct farm_db *db = test_farm_open();
    struct err err = ERR_INIT;

    if (!farm_schema_init(db, &maker->before, &err))
        fail_msg("%s", err.text);
    farm_db_close(db);
    return NULL;
}

static void queue_is_made_once_by_many(void **state)
{
    struct maker makers[4] = {{.before = -1}};
    int made = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(makers); i++)
        assert_int_equal(
            pthread_create(&makers[i].thread, NULL, make, &makers[i]), 0);
    for (size_t i = 0; i < ARRAY_LEN(makers); i++) {
        pthread_join(makers[i].thread, NULL);
        made += !makers[i].before;
    }
    assert_int_equal(made, 1);
}

static void queue_of_a_later_version_is_refused(void **state)
{
    struct farm_db *db = test_farm_open();
    struct err err = ERR_INIT;
    int before = 0;

    (void)state;
    assert_true(farm_schema_check(db, &err));
    assert_true(farm_schema_init(db, &before, &err));
    assert_int_equal(before, FARM_SCHEMA_VERSION);
    test_farm_number(
        db, "INSERT INTO proctor.schema_version VALUES (99) RETURNING 1");
    assert_false(farm_schema_check(db, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_false(farm_schema_init(db, &before, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    test_farm_number(db, "DELETE FROM proctor.schema_version RETURNING 1");
    assert_false(farm_schema_check(db, &err));
    farm_db_close(db);
}

/* ---- a worker that is not proctor ---- */

static void result_with_impossible_figures_is_refused(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    script(db, ENQUEUE);
    assert_int_equal(test_farm_number(db, CLAIM("1")), 1);
    assert_true(refuses(db, FINISH("1", RESULT("-1", "0"))));
    assert_true(refuses(db, FINISH("1", RESULT("1", "-0.5"))));
    assert_true(refuses(db, FINISH("1", RESULT("1", "\"NaN\""))));
    assert_true(refuses(db, FINISH("1", RESULT("1", "\"Infinity\""))));
    assert_int_equal(test_farm_number(db, FINISH("1", RESULT("1", "null"))), 1);
    farm_db_close(db);
}

static void offer_that_is_no_list_is_refused(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    assert_true(refuses(db, "SELECT proctor.register('x', '[{\"serial\":\"a\","
                            "\"offers\":{\"kind:real\":1}}]')"));
    assert_true(refuses(db, "SELECT proctor.register('x', '[{\"serial\":\"a\","
                            "\"offers\":\"kind:real\"}]')"));
    farm_db_close(db);
}

#define HAS_RUN                                                                \
    "SELECT (suite IS NOT NULL)::int FROM proctor.get_run(1, " SECRET ", 1)"
#define DESCRIBE "SELECT proctor.describe_devices(1, " SECRET ", 1, '{}')"

static void worker_gets_no_run_that_is_over(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    script(db, ENQUEUE);
    assert_int_equal(test_farm_number(db, HAS_RUN), 1);
    script(db, "SELECT proctor.cancel('run')");
    assert_int_equal(test_farm_number(db, HAS_RUN), 0);
    script(db, "SELECT proctor.retry('run')");
    assert_int_equal(test_farm_number(db, HAS_RUN), 1);
    script(db, "UPDATE proctor.episodes SET state = 2");
    assert_int_equal(test_farm_number(db, HAS_RUN), 0);
    farm_db_close(db);
}

#define UNMET "SELECT count(*) FROM proctor.unmet_needs"

static void run_that_no_phone_can_do_is_named(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    script(db, ENQUEUE);
    assert_int_equal(test_farm_number(db, UNMET), 0);
    script(db, "UPDATE proctor.phones SET offers = '[]'");
    assert_int_equal(test_farm_number(db,
                                      UNMET " WHERE run = 'run' AND needs = "
                                            "'kind:builtin'"),
                     1);
    script(db, "UPDATE proctor.phones SET offers = '[\"kind:builtin\"]'; "
               "UPDATE proctor.workers SET stopped = true");
    assert_int_equal(test_farm_number(db, UNMET), 1);
    script(db, "SELECT proctor.cancel('run')");
    assert_int_equal(test_farm_number(db, UNMET), 0);
    farm_db_close(db);
}

static void worker_describes_phones_only_of_a_run_that_it_does(void **state)
{
    struct farm_db *db = test_farm_open();

    (void)state;
    script(db, ENQUEUE);
    assert_true(refuses(db, DESCRIBE));
    assert_int_equal(test_farm_number(db, CLAIM("1")), 1);
    script(db, DESCRIBE);
    assert_int_equal(test_farm_number(db, FINISH("1", RESULT("1", "0"))), 1);
    script(db, DESCRIBE);
    farm_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(queue_of_version_1_is_migrated_with_its_runs,
                               make_version_1),
        cmocka_unit_test_setup(migration_does_not_wait_long_for_a_table,
                               make_version_1),
        cmocka_unit_test_setup(queue_is_made_once_by_many,
                               test_farm_make_nothing),
        cmocka_unit_test_setup(queue_of_a_later_version_is_refused,
                               test_farm_make_queue),
        cmocka_unit_test_setup(result_with_impossible_figures_is_refused,
                               test_farm_make_queue),
        cmocka_unit_test_setup(offer_that_is_no_list_is_refused,
                               test_farm_make_queue),
        cmocka_unit_test_setup(worker_gets_no_run_that_is_over,
                               test_farm_make_queue),
        cmocka_unit_test_setup(run_that_no_phone_can_do_is_named,
                               test_farm_make_queue),
        cmocka_unit_test_setup(
            worker_describes_phones_only_of_a_run_that_it_does,
            test_farm_make_queue),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
