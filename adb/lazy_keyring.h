/*
 * A keyring that is read when the first phone wants a key. Emulators and
 * phones behind an adb server want none, and OpenSSL takes longer to read one
 * than such a phone takes to run a command.
 */
#ifndef ADB_LAZY_KEYRING_H
#define ADB_LAZY_KEYRING_H

#include <pthread.h>

#include "adb/keyring.h"
#include "base/log.h"

struct lazy_keyring {
    const struct log *log; /* borrowed; may be NULL */
    pthread_mutex_t lock;  /* guards all below: phones may ask at once */
    bool was_read;
    struct keyring keys; /* never changes afterwards */
};

void lazy_keyring_init(struct lazy_keyring *lazy, const struct log *log);
void lazy_keyring_release(struct lazy_keyring *lazy);

/*
 * The keys, borrowed; they are read by the first call. Those that cannot be
 * read or made are missing, which the log tells: phones that want one say so.
 */
const struct keyring *lazy_keyring_get(struct lazy_keyring *lazy);

#endif
