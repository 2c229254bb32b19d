#include "tests/support/adb/loopback_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void loopback_server_start(struct loopback_server *phone,
                           const struct loopback_device_options *options,
                           const char *serial,
                           const struct adb_server_policy *policy)
{
    struct adb_server_options server = {.phones = &phone->shown,
                                        .phone_count = 1};
    struct err err = ERR_INIT;

    if (policy)
        server.policy = *policy;
    phone->device = loopback_device_phone(options, &phone->loop);
    if (!server_phone_open(phone->device, NULL, NULL, &phone->opened, &err))
        fail_msg("%s", err.text);
    phone->shown = server_phone_show(phone->opened);
    phone->shown.serial = serial;
    if (!adb_server_start(&server, &phone->server, &err) ||
        !adb_server_listen(phone->server, "127.0.0.1", 0, &phone->port, &err))
        fail_msg("%s", err.text);
}

void loopback_server_stop(struct loopback_server *phone)
{
    adb_server_stop(phone->server);
    server_phone_close(phone->opened);
    device_close(phone->device);
    loopback_device_stop(phone->loop);
}
