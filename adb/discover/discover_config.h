/*
 * The default configuration for discover, from the environment and the user's
 * files.
 */
#ifndef ADB_DISCOVER_DISCOVER_CONFIG_H
#define ADB_DISCOVER_DISCOVER_CONFIG_H

#include "adb/discover/discover.h"
#include "adb/trust/lazy_keyring.h"

/* Must not be moved while discover is used, which points into it. */
struct discover_config {
    struct server_client server;
    struct known_hosts known_hosts;
    struct lazy_keyring keys;
    struct auth_credentials credentials;
    struct mdns mdns;
    struct discover discover;
};

/*
 * Search everywhere. message (may be NULL) is called with context and messages
 * for the user, such as that a phone asks its owner, or is used through an adb
 * server; cancel and log are borrowed and may be NULL.
 *
 * A key that cannot be read or generated is not a failure here. Fails with
 * ERR_INVALID when the environment is invalid; everything except the server is
 * then initialized, and must be released.
 */
MUST_USE bool discover_config_init(struct discover_config *discover_config,
                                   discover_message_fn *message, void *context,
                                   const struct cancel *cancel,
                                   const struct log *log, struct err *err);
void discover_config_release(struct discover_config *discover_config);

#endif
