/* A stock adb that uses a phone of the test's own. */
#ifndef TESTS_SUPPORT_STOCK_ADB_H
#define TESTS_SUPPORT_STOCK_ADB_H

#include <stdint.h>

#include "base/buf.h"

struct stock_adb {
    /* Which one: host_adb or chroot_adb. */
    void (*run)(const char *arguments, struct buf *output);
    uint16_t port; /* the phone's, on 127.0.0.1 */
};

/*
 * Run "adb -s PHONE COMMAND" in a shell of the computer's. Fails the test
 * unless it prints what is expected, somewhere.
 */
void stock_adb_expect(const struct stock_adb *adb, const char *command,
                      const char *expected);

/* Again and again until it does, as it will once a phone is back. */
void stock_adb_await(const struct stock_adb *adb, const char *command,
                     const char *expected);

/* A command with the phone's address, such as "connect". */
void stock_adb_address(const struct stock_adb *adb, const char *command,
                       const char *expected);

/* Connect to the phone, and wait until it can be used. */
void stock_adb_connect(const struct stock_adb *adb);

#endif
