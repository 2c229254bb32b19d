/*
 * One process per phone, for all users of this computer.
 *
 * A phone has several names: "emulator-5554" is "127.0.0.1:5555", which is
 * "localhost:5555", and a phone on USB may be on the network as well. So there
 * are two locks: one by the address, taken before anything is sent to the
 * phone, and one by what the phone itself reports, taken when it is connected.
 */
#ifndef RUNNER_DEVICE_PHONE_LOCK_H
#define RUNNER_DEVICE_PHONE_LOCK_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "base/buf.h"
#include "runner/device/file_lock.h"

struct phone_lock {
    struct file_lock address;
    struct file_lock identity;
    enum file_lock_use use;
};

#define PHONE_LOCK_INIT                                                        \
    {                                                                          \
        .address = FILE_LOCK_INIT, .identity = FILE_LOCK_INIT                  \
    }

/*
 * Lock the phone of this serial. Blocks while the name of a host is resolved,
 * and for some seconds at most while another process uses the phone briefly.
 * Fails with ERR_BUSY, and names the process that has it, or with ERR_DENIED
 * and as file_lock_take.
 */
MUST_USE bool phone_lock_take(struct phone_lock *lock, const char *serial,
                              struct err *err);

/* The same for a use of some seconds at most: other processes wait for its end
 * instead of failing. */
MUST_USE bool phone_lock_take_briefly(struct phone_lock *lock,
                                      const char *serial, struct err *err);

/*
 * Is the phone of this serial locked, and not only briefly, also by this
 * process? *process is then who has it, 0: not known. Blocks while the name of
 * a host is resolved.
 */
bool phone_lock_is_taken(const char *serial, long *process);

/*
 * Lock it under what it reports of itself, too; a phone that reports nothing
 * unique keeps the first lock alone. Fails as phone_lock_take and shell_run.
 */
MUST_USE bool phone_lock_identify(struct phone_lock *lock,
                                  struct device *device, struct deadline by,
                                  struct err *err);

void phone_lock_release(struct phone_lock *lock); /* not locked is fine */

/*
 * Lock a name among all processes and users of this computer that is not the
 * name of a phone. Fails as phone_lock_take.
 */
MUST_USE bool phone_lock_take_name(struct file_lock *lock, const char *name,
                                   struct err *err);

/*
 * Append what the phone reports that no other phone does; nothing, if it
 * reports nothing unique. Fails as shell_run.
 */
MUST_USE bool phone_lock_read_identity(struct device *device,
                                       struct deadline by, struct buf *identity,
                                       struct err *err);

/* Append the address that a serial stands for, the same for all its names. */
void phone_lock_address(const char *serial, struct buf *address);

/*
 * Append what is unique in the output of the command that asks a phone for its
 * identity. False: nothing is.
 */
bool phone_lock_identity(const char *output, struct buf *identity);

#endif
