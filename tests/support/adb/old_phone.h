/*
 * A device like one with Android 4.4, on a TCP port of this computer: protocol
 * version 0x01000000, payloads of 4096 bytes, no features, no exec: service,
 * and a shell: service that runs each command with sh on a real terminal.
 *
 * It serves one connection at a time, as adbd of 4.4 does: one that is made
 * while another is open is accepted and never answered.
 */
#ifndef TESTS_SUPPORT_ADB_OLD_PHONE_H
#define TESTS_SUPPORT_ADB_OLD_PHONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"

struct old_phone;

/* Do not answer that many connections at first. */
struct old_phone *old_phone_start(size_t unanswered);
uint16_t old_phone_port(const struct old_phone *phone);

/* The number of connections so far. */
size_t old_phone_connections(const struct old_phone *phone);

/* Disconnects all hosts. */
void old_phone_stop(struct old_phone *phone);

/* Connect to it directly; fails the running test on errors. */
struct device *old_phone_open(const struct old_phone *phone);

#endif
