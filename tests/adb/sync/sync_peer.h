/* The way to a stock adbd, and files on both of its sides. */
#ifndef TESTS_ADB_SYNC_SYNC_PEER_H
#define TESTS_ADB_SYNC_SYNC_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "adb/device/device.h"
#include "adb/sync/sync.h"

#define REMOTE "/data/local/tmp"

/*
 * The tests run in a separate directory, which has a link "device" to the
 * device's REMOTE.
 */
struct sync_peer {
    bool through_server;
    struct device *device;
    struct sync *sync;
};

/* Set up and tear down a group of tests; the state is a struct sync_peer. */
int sync_peer_open_direct(void **state);
int sync_peer_open_through_server(void **state);
int sync_peer_close(void **state);

/* Another connection or session, which the caller closes. */
struct device *sync_peer_open_device(bool through_server);
struct sync *sync_peer_open_sync(struct device *device,
                                 const struct sync_options *options);

struct deadline sync_peer_soon(void);

/* Push, and wait until adbd has set the file's time, too. */
void sync_peer_push_to_the_end(struct sync_peer *peer, const char *source,
                               const char *target, struct sync_totals *totals);

/* Save bytes that hardly compress, different for each seed. */
void sync_peer_save_random(const char *path, size_t size, uint32_t seed);

/* The mode of a pulled file: the umask applies. */
mode_t sync_peer_pulled_mode(mode_t mode);

/* The mode in stock adbd: all users get the owner's permissions. */
mode_t sync_peer_adbd_mode(mode_t mode);

void sync_peer_assert_ok(bool done, const struct err *err);
void sync_peer_assert_fails(bool done, const struct err *err,
                            enum err_code code);
void sync_peer_assert_same_file(const char *a, const char *b);
void sync_peer_assert_same_facts(const char *a, const char *b,
                                 mode_t changed(mode_t));
void sync_peer_assert_empty(const char *path);

#endif
