#include "adb/lazy_keyring.h"

void lazy_keyring_init(struct lazy_keyring *lazy, const struct log *log)
{
    *lazy = (struct lazy_keyring){.log = log, .keys = KEYRING_INIT};
    pthread_mutex_init(&lazy->lock, NULL);
}

void lazy_keyring_release(struct lazy_keyring *lazy)
{
    keyring_release(&lazy->keys);
    pthread_mutex_destroy(&lazy->lock);
}

const struct keyring *lazy_keyring_get(struct lazy_keyring *lazy)
{
    struct err missing;

    pthread_mutex_lock(&lazy->lock);
    if (!lazy->was_read && !keyring_load(&lazy->keys, &missing))
        log_trace(lazy->log, LOG_CONN, "keys: %s", missing.text);
    lazy->was_read = true;
    pthread_mutex_unlock(&lazy->lock);
    return &lazy->keys;
}
