/* Our host's side of sync in talk with the phone's. */
#ifndef TESTS_PHONE_SYNC_TALK_H
#define TESTS_PHONE_SYNC_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/sync.h"
#include "tests/phone/file_phone.h"

#define SYNC_TALK_REMOTE "/data/local/tmp"
#define SYNC_TALK_MTIME INT64_C(1600000000)

struct sync_talk {
    struct file_phone phone;
    struct device *host;
    struct sync *sync;
};

/* A talk on a new phone, to be stopped. */
struct sync_talk *sync_talk_start(const struct files_limits *limits,
                                  feature_set features);
void sync_talk_stop(struct sync_talk *talk);

/* For cmocka: a talk with all features. */
int sync_talk_set_up(void **state);
int sync_talk_tear_down(void **state);

/* Begin anew, with that compression. */
void sync_talk_open(struct sync_talk *talk, enum sync_compression compression);

/* Later than anything takes that does not hang. */
struct deadline sync_talk_soon(void);

/* Fail the test, in the words of err, unless it is done. */
void assert_ok(bool done, const struct err *err);

/* Push a file of that size, with SYNC_TALK_MTIME and the mode 0640. */
bool sync_talk_send(struct sync_talk *talk, const char *path, size_t size,
                    struct err *err);

/* Push a file of that size and pull it; fail the test if it has changed. */
void sync_talk_there_and_back(struct sync_talk *talk, size_t size);

#endif
