/*
 * Installing APKs: sessions that collect bytes, and what becomes of them.
 * Sessions are few, and their bytes are paid for by the phone's files.
 */
#ifndef PHONE_INSTALLER_H
#define PHONE_INSTALLER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/blob.h"
#include "tools/phone/files.h"
#include "tools/phone/packages.h"

#define INSTALLER_SESSIONS 8U

struct installer_options {
    bool replace; /* unless told otherwise, as phones do */
    bool test;
    bool downgrade;
    bool grant;
};

struct installer_session {
    int id; /* 0: free */
    struct installer_options options;
    struct blob *base; /* held; the APK that names the package */
};

struct installer {
    pthread_mutex_t lock; /* guards all below */
    struct installer_session sessions[INSTALLER_SESSIONS];
    int last_id;
};

void installer_init(struct installer *installer);
void installer_release(struct installer *installer);

/* Its id. The oldest one is abandoned where there are too many. */
int installer_create(struct installer *installer,
                     const struct installer_options *options);

/*
 * Give a session an APK, which stays the caller's. The first one that is a
 * base is taken; splits are of no use here. False when there is no session.
 */
MUST_USE bool installer_write(struct installer *installer, int id,
                              const char *split, struct blob *apk);

/* Take a session out: the caller drops its base. False when there is none. */
MUST_USE bool installer_take(struct installer *installer, int id,
                             struct installer_session *session);

/*
 * Install an APK: its files as root sees them, and its package. Fails with
 * what Android says in "Failure [...]".
 */
MUST_USE bool installer_install(struct packages *packages, struct files *root,
                                struct blob *apk,
                                const struct installer_options *options,
                                int64_t now, struct package *package,
                                struct err *err);

#endif
