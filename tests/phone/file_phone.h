/* A new phone's files, and a daemon that serves nothing but sync. */
#ifndef TESTS_PHONE_FILE_PHONE_H
#define TESTS_PHONE_FILE_PHONE_H

#include "adb/daemon.h"
#include "adb/device.h"
#include "tools/phone/sync_server.h"

struct file_phone {
    int64_t time;
    struct files *root;
    struct files *shell; /* what hosts see */
    struct sync_server server;
    struct daemon_service service;
    struct daemon *daemon;
};

/* limits may be NULL. Both fail the running test where they cannot. */
void file_phone_start(struct file_phone *phone,
                      const struct files_limits *limits, feature_set features);

/* A host that is connected; close it before the phone is stopped. */
struct device *file_phone_connect(struct file_phone *phone);

void file_phone_stop(struct file_phone *phone);

/* Everything a phone can do with files. */
#define FILE_PHONE_FEATURES                                                    \
    (FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |               \
     FEATURE_BIT(FEATURE_SENDRECV_V2) |                                        \
     FEATURE_BIT(FEATURE_SENDRECV_V2_BROTLI) |                                 \
     FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4) |                                    \
     FEATURE_BIT(FEATURE_SENDRECV_V2_ZSTD) |                                   \
     FEATURE_BIT(FEATURE_SENDRECV_V2_DRY_RUN_SEND) |                           \
     FEATURE_BIT(FEATURE_FIXED_PUSH_MKDIR) |                                   \
     FEATURE_BIT(FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP) |                       \
     FEATURE_BIT(FEATURE_DELAYED_ACK))

#endif
