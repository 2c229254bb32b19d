#include "adb/trust/lazy_keyring.h"

#include <stdio.h>

void lazy_keyring_init(struct lazy_keyring *lazy, keyring_problem_fn *problem,
                       void *context, const struct log *log)
{
    *lazy = (struct lazy_keyring){
        .log = log, .problem = problem, .context = context};
    pthread_mutex_init(&lazy->lock, NULL);
}

void lazy_keyring_release(struct lazy_keyring *lazy)
{
    keyring_release(&lazy->keys);
    pthread_mutex_destroy(&lazy->lock);
}

static void note_problem(void *context, const char *problem)
{
    struct lazy_keyring *lazy = context;

    log_trace(lazy->log, LOG_CONN, "keys: %s", problem);
    if (!*lazy->first_problem)
        snprintf(lazy->first_problem, sizeof(lazy->first_problem), "%s",
                 problem);
    if (lazy->problem)
        lazy->problem(lazy->context, problem);
}

const struct keyring *lazy_keyring_get(struct lazy_keyring *lazy)
{
    pthread_mutex_lock(&lazy->lock);
    if (!lazy->was_read)
        keyring_load(&lazy->keys, note_problem, lazy);
    lazy->was_read = true;
    pthread_mutex_unlock(&lazy->lock);
    return &lazy->keys;
}

const char *lazy_keyring_first_problem(struct lazy_keyring *lazy)
{
    (void)lazy_keyring_get(lazy);
    return lazy->first_problem;
}
