/*
 * Where phones are looked for on this computer, and what is shown to them:
 * everything that discover needs, as the environment and the user's files say.
 */
#ifndef ADB_PLACES_H
#define ADB_PLACES_H

#include "adb/discover.h"
#include "adb/lazy_keyring.h"

/* Must stay where it is while discover is used, which points into it. */
struct places {
    struct server server;
    struct known known;
    struct lazy_keyring keys;
    struct auth_credentials credentials;
    struct mdns mdns;
    struct discover discover;
};

/*
 * Look everywhere. tell (may be NULL) is told, with context, that a phone asks
 * its owner, or is used through the server that holds it; cancel and log are
 * borrowed and may be NULL.
 *
 * A key that cannot be read or made is no failure: phones that want one say
 * so. Fails with ERR_INVALID when the environment makes no sense; places is
 * then complete but for the server, and is to be released all the same.
 */
MUST_USE bool places_init(struct places *places, discover_tell_fn *tell,
                          void *context, const struct cancel *cancel,
                          const struct log *log, struct err *err);
void places_release(struct places *places);

#endif
