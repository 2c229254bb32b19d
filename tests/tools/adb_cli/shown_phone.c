#include "tests/tools/adb_cli/shown_phone.h"

bool shown_phone_start(struct shown_phone *one, struct err *err)
{
    const struct phone_options phone = {.seed = 1};
    struct adb_server_options options = {.phone_count = 1};

    options.phones = &one->shown;
    if (!phone_start(&phone, &one->phone, err) ||
        !device_open_tcp("127.0.0.1", phone_port(one->phone), NULL,
                         deadline_in_ms(60000), &one->device, err) ||
        !server_phone_open(one->device, NULL, NULL, &one->server_phone, err))
        return false;
    one->shown = server_phone_show(one->server_phone);
    return adb_server_start(&options, &one->server, err) &&
           adb_server_listen(one->server, "127.0.0.1", 0, &one->port, err);
}

void shown_phone_stop(struct shown_phone *one)
{
    adb_server_stop(one->server);
    server_phone_close(one->server_phone);
    device_close(one->device);
    phone_stop(one->phone);
    *one = (struct shown_phone){0};
}
