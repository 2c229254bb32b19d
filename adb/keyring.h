/*
 * All keys this computer may show to a phone: the user's own, shared with
 * Android's adb, and those that ADB_VENDOR_KEYS names.
 */
#ifndef ADB_KEYRING_H
#define ADB_KEYRING_H

#include <stddef.h>

#include "adb/key.h"

#define KEYRING_MAX 32

struct keyring {
    struct key *keys[KEYRING_MAX]; /* owned; the user's own comes first */
    size_t count;
};

#define KEYRING_INIT                                                           \
    {                                                                          \
        .count = 0                                                             \
    }

void keyring_release(struct keyring *keyring);

/*
 * Append the public keys of text, one a line, as phones keep them. Lines that
 * are none, and those after the first KEYRING_MAX, are skipped.
 */
void keyring_parse(struct keyring *keyring, const char *text, size_t length);

/* Where the user's own key is: ~/.android/adbkey. ERR_NOT_FOUND: no home. */
MUST_USE bool keyring_path(struct buf *path, struct err *err);

/*
 * Read all keys. The user's own is made when it is not there, readable by its
 * owner alone. What ADB_VENDOR_KEYS names (files, or directories with
 * *.adb_key files in them, separated by colons) must be readable.
 * On failure keyring holds those that were read before; release it anyway.
 */
MUST_USE bool keyring_load(struct keyring *keyring, struct err *err);

#endif
