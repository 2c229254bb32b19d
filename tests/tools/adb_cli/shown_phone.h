/* A built-in phone at an adb server of ours. */
#ifndef TESTS_TOOLS_ADB_CLI_SHOWN_PHONE_H
#define TESTS_TOOLS_ADB_CLI_SHOWN_PHONE_H

#include "adb/server/adb_server.h"
#include "adb/server/server_phone.h"
#include "tools/phone/phone.h"

struct shown_phone {
    struct phone *phone;
    struct device *device;
    struct server_phone *server_phone;
    struct adb_server_phone shown;
    struct adb_server *server;
    uint16_t port; /* the server's, on 127.0.0.1 */
};

/* Start both; one must stay where it is. Stop it also after a failure. */
MUST_USE bool shown_phone_start(struct shown_phone *one, struct err *err);

void shown_phone_stop(struct shown_phone *one);

#endif
