/*
 * The two ports of an emulator: its console, and ADB one above. A pair belongs
 * to one process of all users of this computer, until that releases it or ends.
 *
 * Pairs are above those that adb servers and `proctor devices` search, so that
 * only the process that starts an emulator finds it.
 */
#ifndef RUNNER_FARM_PHONES_EMULATOR_PORTS_H
#define RUNNER_FARM_PHONES_EMULATOR_PORTS_H

#include <stdint.h>

#include "runner/device/file_lock.h"

#define EMULATOR_PORTS_FIRST 5586
#define EMULATOR_PORTS_LAST 5680 /* the last that the emulator accepts */
#define EMULATOR_PORTS_COUNT                                                   \
    ((EMULATOR_PORTS_LAST - EMULATOR_PORTS_FIRST) / 2 + 1)

/*
 * Take a pair on which no program listens; *console is the lower one. Release
 * the lock to give it back. Fails with ERR_BUSY when none is free.
 */
MUST_USE bool emulator_ports_take(struct file_lock *lock, uint16_t *console,
                                  struct err *err);

/* Does no program listen on the pair? */
bool emulator_ports_are_free(uint16_t console);

#endif
