/*
 * One emulator that this program started: a read-only copy of an AVD, without a
 * window, on its own pair of ports.
 *
 *     stopped ──start──▶ booting ──boot──▶ ready ──stop──▶ stopped
 *                           └───────┬────────┘
 *                                   ▼  it ends without being asked to
 *                                 ended ──stop──▶ stopped
 *
 * proctor-supervisor ends it, with all processes that it started, also when
 * this program is killed.
 */
#ifndef RUNNER_FARM_PHONES_EMULATOR_PROCESS_H
#define RUNNER_FARM_PHONES_EMULATOR_PROCESS_H

#include <pthread.h>
#include <stdbool.h>

#include "adb/discover/discover.h"
#include "base/child.h"
#include "runner/device/emulator.h"
#include "runner/device/file_lock.h"

#define EMULATOR_OUTPUT_MAX ((size_t)16 * 1024)

/* Borrowed. */
struct emulator_process_options {
    const char *program;    /* the SDK's emulator */
    const char *supervisor; /* path of proctor-supervisor */
    const char *avd;
    const char *arguments; /* more of its options, separated by spaces; NULL:
                              none */
    int64_t boot_ms;       /* how long it may take to boot */
    const struct discover *discover; /* keys, cancel and log are used */
};

struct emulator_process {
    const struct emulator_process_options *options; /* borrowed */
    uint16_t console;
    char serial[32];
    struct file_lock ports;
    struct child child; /* the supervisor; its pid is 0 when stopped */
    pthread_t reader;   /* reads its output while it is not stopped */

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t ending;
    bool ended;
    struct buf output; /* the last of it */
};

/* Lease a pair of ports; nothing is started. Fails as emulator_ports_take. */
MUST_USE bool emulator_process_open(
    struct emulator_process *process,
    const struct emulator_process_options *options, struct err *err);

/* Stop it, and give its ports back. */
void emulator_process_close(struct emulator_process *process);

/*
 * Start it if it is stopped or has ended, and block until Android has booted;
 * *device is then a new connection to it. Fails with ERR_LOST and the
 * emulator's own reason when it ends, with ERR_TIMEOUT when it takes longer
 * than the options allow, and with ERR_CANCELLED. A failure leaves it stopped.
 */
MUST_USE bool emulator_process_boot(struct emulator_process *process,
                                    struct device **device, struct err *err);

/*
 * Open a connection to one that has booted. Fails with ERR_LOST and its reason
 * when it is stopped or has ended, and as device_open_emulator.
 */
MUST_USE bool emulator_process_connect(struct emulator_process *process,
                                       struct deadline by,
                                       struct device **device, struct err *err);

/*
 * The same after a connection was lost: when it fails, blocks for some seconds
 * more to see whether the emulator has ended.
 */
MUST_USE bool emulator_process_reconnect(struct emulator_process *process,
                                         struct deadline by,
                                         struct device **device,
                                         struct err *err);

#endif
