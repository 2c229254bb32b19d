/* A queue in the PostgreSQL of with-postgres, workers of it, and their part in
 * a run: what tests of the queue share. */
#ifndef TESTS_TOOLS_FARM_QUEUE_TEST_FARM_H
#define TESTS_TOOLS_FARM_QUEUE_TEST_FARM_H

#include <stdatomic.h>

#include "base/cancel.h"
#include "tools/farm_queue/farm_queue.h"

#define TEST_FARM_WAIT_MS 120000

/* A connection as the owner of the queue; the caller closes it. */
struct farm_db *test_farm_open(void);

/* The first value of the first row, which is a number; -1: there is no row. */
int64_t test_farm_number(struct farm_db *db, const char *sql);

/* A cmocka setup: an empty queue of this version, or no queue at all. */
int test_farm_make_queue(void **state);
int test_farm_make_nothing(void **state);

/* Put a run of two tasks, "one" and "two", with one retry into the queue. */
void test_farm_enqueue(struct farm_db *db, int repeats, int lease_ms);

/* A worker with some built-in phones. */
struct test_worker {
    struct farm_worker *worker;
    struct cJSON *phones;
    struct cancel interrupt;
    atomic_int warnings; /* so far */
};

void test_worker_start(struct test_worker *test, const char *name, int phones);
void test_worker_stop(struct test_worker *test);

/* A worker in a run. */
struct test_queue {
    struct test_worker test;
    struct farm_job job;
    struct farm_store *store;
    struct text_list tasks;
    struct buf folder;
    struct work_queue *queue;
    const char *reason; /* of results; NULL: none */
};

void test_queue_join(struct test_queue *joined, const char *name, int phones);
void test_queue_leave(struct test_queue *joined);

/* What the runner does of an episode: its folder, and a result. Does it count?
 */
bool test_queue_finish(struct test_queue *joined,
                       const struct work_queue_item *item,
                       enum work_queue_outcome outcome);

#endif
