/* Stock adb 34.0.5, from the small Debian that peers/with-adbd starts. */
#ifndef TESTS_SUPPORT_CHROOT_ADB_H
#define TESTS_SUPPORT_CHROOT_ADB_H

#include "base/buf.h"

/*
 * Run "adb ARGUMENTS" there, with a server and keys of its own, and append
 * what it prints. Fails the running test if that is impossible.
 */
void chroot_adb(const char *arguments, struct buf *output);

#endif
