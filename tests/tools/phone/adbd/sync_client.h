/* A sync client of ours, connected to a phone. */
#ifndef TESTS_TOOLS_PHONE_ADBD_SYNC_CLIENT_H
#define TESTS_TOOLS_PHONE_ADBD_SYNC_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/sync/sync.h"
#include "tests/tools/phone/adbd/sync_phone.h"

#define SYNC_TALK_REMOTE "/data/local/tmp"
#define SYNC_CLIENT_MTIME INT64_C(1600000000)

struct sync_client {
    struct file_phone phone;
    struct device *host;
    struct sync *sync;
};

/* Connect to a new phone; the caller stops it. */
struct sync_client *sync_client_start(const struct files_limits *limits,
                                      feature_set features);
void sync_client_stop(struct sync_client *client);

/* For cmocka: a client with all features. */
int sync_client_set_up(void **state);
int sync_client_tear_down(void **state);

/* Open the session again, with that compression. */
void sync_client_open(struct sync_client *client,
                      enum sync_compression compression);

/* Only ends a hang. */
struct deadline sync_client_deadline(void);

/* Fail the test with err's text, unless it is done. */
void assert_ok(bool done, const struct err *err);

/* Push a file of that size, with SYNC_TALK_MTIME and the mode 0640. */
bool sync_client_send(struct sync_client *client, const char *path, size_t size,
                      struct err *err);

/* Push a file of that size and pull it; fail the test if it has changed. */
void sync_client_round_trip(struct sync_client *client, size_t size);

#endif
