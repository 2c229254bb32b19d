/* A new phone's files, and a daemon that serves only sync. */
#ifndef TESTS_TOOLS_PHONE_ADBD_SYNC_PHONE_H
#define TESTS_TOOLS_PHONE_ADBD_SYNC_PHONE_H

#include "adb/daemon/daemon.h"
#include "adb/device/device.h"
#include "tools/phone/adbd/sync_server.h"

struct file_phone {
    int64_t time;
    struct phone_files *root;
    struct phone_files *shell; /* what hosts see */
    struct sync_server server;
    struct daemon_service service;
    struct daemon *daemon;
};

/* limits may be NULL. Both fail the running test on errors. */
void file_phone_start(struct file_phone *phone,
                      const struct files_limits *limits, feature_set features);

/* A host that is connected; close it before the phone is stopped. */
struct device *file_phone_connect(struct file_phone *phone);

void file_phone_stop(struct file_phone *phone);

/* All features of a phone for files. */
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
