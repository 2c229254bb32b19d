/*
 * Installing APKs: sessions that collect bytes, and the installation. The
 * number of sessions is limited, and their bytes count as the phone's files.
 */
#ifndef TOOLS_PHONE_SYSTEM_INSTALLER_H
#define TOOLS_PHONE_SYSTEM_INSTALLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/core/shared_bytes.h"
#include "tools/phone/files/files.h"
#include "tools/phone/system/packages.h"

#define INSTALLER_SESSIONS 8U

struct installer_options {
    bool replace; /* the default, as on phones */
    bool test;
    bool downgrade;
    bool grant;
};

struct installer_session {
    int id; /* 0: free */
    struct installer_options options;
    struct shared_bytes *base; /* referenced; the APK with the manifest */
};

struct apk_installer {
    pthread_mutex_t lock; /* guards everything below */
    struct installer_session sessions[INSTALLER_SESSIONS];
    int last_id;
};

void installer_init(struct apk_installer *installer);
void installer_release(struct apk_installer *installer);

/* A new session's id. When there are too many, the oldest is abandoned. */
int installer_create(struct apk_installer *installer,
                     const struct installer_options *options);

/*
 * Add an APK to a session; it stays the caller's. The first base APK is used,
 * splits are ignored. False if there is no such session.
 */
MUST_USE bool installer_write(struct apk_installer *installer, int id,
                              const char *split, struct shared_bytes *apk);

/* Remove a session: the caller releases its base. False if there is none. */
MUST_USE bool installer_take(struct apk_installer *installer, int id,
                             struct installer_session *session);

/*
 * Install an APK: its files, as root, and its package. Fails with Android's
 * text for "Failure [...]".
 */
MUST_USE bool installer_install(struct phone_packages *packages,
                                struct phone_files *root,
                                struct shared_bytes *apk,
                                const struct installer_options *options,
                                int64_t now, struct phone_package *package,
                                struct err *err);

#endif
