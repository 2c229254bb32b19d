/* A stock adb that uses a phone of the test. */
#ifndef TESTS_SUPPORT_ADB_STOCK_ADB_H
#define TESTS_SUPPORT_ADB_STOCK_ADB_H

#include <stdint.h>

#include "base/buf.h"

struct stock_adb {
    /* Which adb: host_adb or chroot_adb. */
    void (*run)(const char *arguments, struct buf *output);
    uint16_t port; /* port of the phone on 127.0.0.1 */
};

/*
 * Run "adb -s PHONE COMMAND" in a shell of the computer. Fails the test unless
 * the output contains what is expected.
 */
void stock_adb_expect(const struct stock_adb *adb, const char *command,
                      const char *expected);

/* Repeat it until it does, for example when a phone returns. */
void stock_adb_await(const struct stock_adb *adb, const char *command,
                     const char *expected);

/* A command with the phone's address, such as "connect". */
void stock_adb_address(const struct stock_adb *adb, const char *command,
                       const char *expected);

/* Connect to the phone, and wait until it is usable. */
void stock_adb_connect(const struct stock_adb *adb);

#endif
