/* A separate program, because it tests the first use of libxml2. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/thread_group.h"
#include "process_provider/tree/tree.h"

#define THREADS 4

struct readers {
    pthread_barrier_t start;
    atomic_int read;
};

static void read_one(void *context)
{
    static const char dump[] =
        "<hierarchy rotation=\"0\"><node index=\"0\" text=\"a\" "
        "bounds=\"[0,0][10,10]\"/></hierarchy>";
    struct readers *readers = context;
    struct tree tree = TREE_INIT;
    struct err err;

    pthread_barrier_wait(&readers->start);
    atomic_fetch_add(&readers->read,
                     tree_read(&tree, dump, strlen(dump), &err));
    tree_release(&tree);
}

static void threads_may_read_their_first_trees_in_parallel(void **state)
{
    struct readers readers = {.read = 0};

    (void)state;
    pthread_barrier_init(&readers.start, NULL, THREADS);
    thread_group_share(THREADS, read_one, &readers);
    pthread_barrier_destroy(&readers.start);
    assert_int_equal(readers.read, THREADS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_may_read_their_first_trees_in_parallel),
    };

    return cmocka_run_group_tests_name("tree_threads", tests, NULL, NULL);
}
