#include "tests/tools/phone/adbd/shell_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)

void shell_phone_start(struct shell_phone *phone, feature_set features)
{
    const struct handset_options handset = {.seed = 0};
    const struct daemon_options options = {
        .banner = {.state = "device",
                   .product = "phone",
                   .model = "proctor phone",
                   .device = "phone",
                   .features = features},
        .services = phone->services,
        .service_count = ARRAY_LEN(phone->services),
    };
    struct err err;

    if (!handset_init(&phone->handset, &handset, &err))
        fail_msg("%s", err.text);
    toybox_families(&phone->handset, phone->families);
    shell_server_init(&phone->server, &phone->handset, phone->families,
                      TOYBOX_FAMILIES);
    phone->services[0] = (struct daemon_service){
        "shell", false, shell_server_shell, &phone->server};
    phone->services[1] = (struct daemon_service){
        "exec:", false, shell_server_exec, &phone->server};
    if (!daemon_start(&options, &phone->daemon, &err) ||
        !daemon_listen(phone->daemon, "127.0.0.1", 0, &phone->port, &err))
        fail_msg("%s", err.text);
}

void shell_phone_stop(struct shell_phone *phone)
{
    daemon_stop(phone->daemon);
    assert_int_equal(phone->server.memory_account.used, 0);
    assert_int_equal(phone->server.shells, 0);
    handset_release(&phone->handset);
}

struct device *shell_phone_connect(struct shell_phone *phone)
{
    struct transport *host;
    struct err err;

    if (!tcp_open("127.0.0.1", phone->port, (struct tcp_keepalive){0}, NULL,
                  SOON, &host, &err))
        fail_msg("%s", err.text);
    return device_over_conn(loopback_device_connect(host), "shell");
}
