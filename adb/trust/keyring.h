/*
 * The keys of this computer: the user's own, shared with Android's adb, and
 * those named by ADB_VENDOR_KEYS.
 */
#ifndef ADB_TRUST_KEYRING_H
#define ADB_TRUST_KEYRING_H

#include <stddef.h>

#include "adb/trust/key.h"

#define KEYRING_MAX 32

struct keyring {
    struct key *keys[KEYRING_MAX]; /* owned; the user's own first */
    size_t count;
};

#define KEYRING_INIT                                                           \
    {                                                                          \
        .count = 0                                                             \
    }

void keyring_release(struct keyring *keyring);

/*
 * Append the public keys in text, one per line, as phones store them. Invalid
 * lines, and those after the first KEYRING_MAX, are skipped.
 */
void keyring_parse(struct keyring *keyring, const char *text, size_t length);

/* The path of the user's own key: ~/.android/adbkey. ERR_NOT_FOUND: no HOME. */
MUST_USE bool keyring_path(struct buf *path, struct err *err);

/* Called for each key that cannot be used, with the reason. */
typedef void keyring_problem_fn(void *context, const char *problem);

/*
 * Read all usable keys: the user's own, which is generated if it does not exist
 * (readable by its owner only), and those of keyring_add_vendors. problem (may
 * be NULL) is called for each key that cannot be used.
 */
void keyring_load(struct keyring *keyring, keyring_problem_fn *problem,
                  void *context);

/*
 * Add the keys that ADB_VENDOR_KEYS names: files, or directories with *.adb_key
 * files in them, separated by colons.
 */
void keyring_add_vendors(struct keyring *keyring, keyring_problem_fn *problem,
                         void *context);

#endif
