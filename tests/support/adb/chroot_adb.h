/* Stock adb, beside the adbd of peers/with-adbd. */
#ifndef TESTS_SUPPORT_ADB_CHROOT_ADB_H
#define TESTS_SUPPORT_ADB_CHROOT_ADB_H

#include "base/buf.h"

/*
 * Run "adb ARGUMENTS" of version 34.0.5, from the small Debian, with its own
 * server and keys and with delayed_ack, and append its output. Fails the
 * running test on errors.
 */
void chroot_adb(const char *arguments, struct buf *output);

/* The same with this system's adb and its running server. */
void host_adb(const char *arguments, struct buf *output);

#endif
