/* Stock adb, next to what peers/with-adbd starts. */
#ifndef TESTS_SUPPORT_CHROOT_ADB_H
#define TESTS_SUPPORT_CHROOT_ADB_H

#include "base/buf.h"

/*
 * Run "adb ARGUMENTS" of version 34.0.5, from the small Debian, with a server
 * and keys of its own, and append what it prints. Fails the running test if
 * that is impossible.
 */
void chroot_adb(const char *arguments, struct buf *output);

/* The same with this system's adb, and the server that is there. */
void host_adb(const char *arguments, struct buf *output);

#endif
