/*
 * The state of the phone that its commands work on: clock, files, properties,
 * settings, log, packages and processes.
 */
#ifndef TOOLS_PHONE_SYSTEM_HANDSET_H
#define TOOLS_PHONE_SYSTEM_HANDSET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/core/android_level.h"
#include "tools/phone/core/snapshot.h"
#include "tools/phone/core/virtual_clock.h"
#include "tools/phone/faults/faults.h"
#include "tools/phone/files/files.h"
#include "tools/phone/system/battery.h"
#include "tools/phone/system/installer.h"
#include "tools/phone/system/logs.h"
#include "tools/phone/system/notifications.h"
#include "tools/phone/system/packages.h"
#include "tools/phone/system/processes.h"
#include "tools/phone/system/props.h"
#include "tools/phone/system/settings.h"
#include "tools/phone/system/sockets.h"

struct handset {
    const struct android_level *android; /* index among several phones */
    struct virtual_clock clock;
    struct phone_files *root;  /* owned: the files as root sees them */
    struct phone_files *files; /* owned: the files as adb's shell sees them */
    struct phone_props props;
    struct phone_settings settings;
    struct phone_logs logs;
    struct phone_packages packages;
    struct apk_installer installer;
    struct phone_processes processes;
    struct phone_sockets sockets;
    struct phone_faults faults;
    struct string_map world; /* location and networks */
    struct phone_battery battery;
    struct phone_notifications notifications;
    atomic_bool stopping; /* the phone is switching off */
};

/* Zeros and NULLs stand for the defaults. */
struct handset_options {
    uint64_t seed; /* the same seed gives the same phone */
    const char *serial;
    const char *locale;
    enum android_version android;
    struct files_limits files;
};

/* A new phone. The same options always give the same phone. */
MUST_USE bool handset_init(struct handset *handset,
                           const struct handset_options *options,
                           struct err *err);
void handset_release(struct handset *handset);

/* Stop long work, from any thread: Lua apps are interrupted. */
void handset_stop(struct handset *handset);

/*
 * Reboot: resets volatile state, keeps stored state. No command may run
 * meanwhile.
 */
void handset_boot(struct handset *handset);

/* The parts of a snapshot; files first, as only they may not fit. */
#define HANDSET_PARTS 11

void handset_parts(struct handset *handset,
                   struct snapshot_part parts[static HANDSET_PARTS]);

#endif
