/*
 * What the phone's commands work on, and the commands that need no screen:
 * its clock, files, properties, settings, log, packages and processes.
 */
#ifndef PHONE_HANDSET_H
#define PHONE_HANDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/phone/battery.h"
#include "tools/phone/command.h"
#include "tools/phone/faults.h"
#include "tools/phone/files.h"
#include "tools/phone/installer.h"
#include "tools/phone/logs.h"
#include "tools/phone/packages.h"
#include "tools/phone/processes.h"
#include "tools/phone/props.h"
#include "tools/phone/settings.h"
#include "tools/phone/snapshot.h"
#include "tools/phone/sockets.h"
#include "tools/phone/virtual_clock.h"

struct handset {
    struct virtual_clock clock;
    struct files *root;  /* owned: the files as the system sees them */
    struct files *files; /* owned: the same as adb's user sees them */
    struct props props;
    struct settings settings;
    struct logs logs;
    struct packages packages;
    struct installer installer;
    struct processes processes;
    struct sockets sockets;
    struct faults faults;
    struct pairs world; /* where it is, and what is around it */
    struct battery battery;
};

/* Zeros and NULLs stand for the defaults. */
struct handset_options {
    uint64_t seed; /* the same one gives the same phone */
    const char *serial;
    const char *locale;
    struct files_limits files;
};

/* A new phone. The same options always make the same one. */
MUST_USE bool handset_init(struct handset *handset,
                           const struct handset_options *options,
                           struct err *err);
void handset_release(struct handset *handset);

/*
 * Boot: what was only in memory is new, and what is stored stays. Nobody runs
 * a command meanwhile.
 */
void handset_boot(struct handset *handset);

/* The tables of its commands, for a shell. */
#define HANDSET_FAMILIES 7

void handset_families(struct handset *handset,
                      struct command_family families[HANDSET_FAMILIES]);

/* What of it is in a snapshot; the files first, as only they may not fit. */
#define HANDSET_PARTS 10

void handset_parts(struct handset *handset,
                   struct snapshot_part parts[static HANDSET_PARTS]);

#endif
