/* A new phone, and a daemon that serves only its shell. */
#ifndef TESTS_TOOLS_PHONE_ADBD_SHELL_PHONE_H
#define TESTS_TOOLS_PHONE_ADBD_SHELL_PHONE_H

#include "adb/daemon/daemon.h"
#include "adb/device/device.h"
#include "tools/phone/adbd/shell_server.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"

struct shell_phone {
    struct handset handset;
    struct command_family families[TOYBOX_FAMILIES];
    struct shell_server server;
    struct daemon_service services[2];
    struct daemon *daemon;
    uint16_t port; /* on 127.0.0.1 */
};

/* Fails the running test on errors. */
void shell_phone_start(struct shell_phone *phone, feature_set features);
void shell_phone_stop(struct shell_phone *phone);

/* A host that is connected; close it before the phone is stopped. */
struct device *shell_phone_connect(struct shell_phone *phone);

#endif
