/*
 * A keyring that is loaded when the first phone asks for a key. Emulators and
 * phones behind an adb server ask for none, and loading a key with OpenSSL
 * takes longer than running a command on such a phone.
 */
#ifndef ADB_TRUST_LAZY_KEYRING_H
#define ADB_TRUST_LAZY_KEYRING_H

#include <pthread.h>

#include "adb/trust/keyring.h"
#include "base/log.h"

struct lazy_keyring {
    const struct log *log;       /* borrowed; may be NULL */
    keyring_problem_fn *problem; /* may be NULL: as keyring_load */
    void *context;               /* for problem */
    pthread_mutex_t
        lock; /* guards all below: several phones may ask at the same time */
    bool was_read;
    struct keyring keys; /* not changed after loading */
    char first_problem[sizeof(((struct err *)NULL)->text)]; /* as keys */
};

void lazy_keyring_init(struct lazy_keyring *lazy, keyring_problem_fn *problem,
                       void *context, const struct log *log);
void lazy_keyring_release(struct lazy_keyring *lazy);

/*
 * The keys, borrowed; the first call loads them. Keys that cannot be read or
 * generated are missing, and reported to problem.
 */
const struct keyring *lazy_keyring_get(struct lazy_keyring *lazy);

/* The reason why the first unusable key cannot be used; "": there is none. */
const char *lazy_keyring_first_problem(struct lazy_keyring *lazy);

#endif
