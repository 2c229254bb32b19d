#include "tests/support/adb/torture.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"

/* All trials, and the progress of the workers. */
struct plan {
    size_t count;
    torture_fn *run;
    void *context;
    atomic_size_t next;
    atomic_size_t bad;
};

struct worker {
    struct plan *plan;
    size_t number;
    pthread_t thread;
};

static void *work(void *context)
{
    const struct worker *worker = context;
    struct plan *plan = worker->plan;
    size_t i;

    while ((i = atomic_fetch_add(&plan->next, 1)) < plan->count) {
        if (!plan->run(plan->context, worker->number, i))
            atomic_fetch_add(&plan->bad, 1);
    }
    return NULL;
}

void torture_run(size_t count, torture_fn *run, void *context)
{
    struct plan plan = {.count = count, .run = run, .context = context};
    struct worker workers[TORTURE_WORKERS];

    assert_true(count > 0);
    for (size_t i = 0; i < TORTURE_WORKERS; i++) {
        workers[i] = (struct worker){.plan = &plan, .number = i};
        assert_int_equal(
            pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < TORTURE_WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    assert_int_equal(atomic_load(&plan.bad), 0);
}

bool torture_is_full(void)
{
    const char *full = getenv("PROCTOR_FULL");

    return full && *full == '1';
}

static size_t count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

int torture_setup(void **state)
{
    size_t *before = mem_new(1, sizeof(*before));

    *before = count_descriptors();
    *state = before;
    return 0;
}

int torture_teardown(void **state)
{
    bool same = *(size_t *)*state == count_descriptors();

    free(*state);
    return same ? 0 : -1;
}
