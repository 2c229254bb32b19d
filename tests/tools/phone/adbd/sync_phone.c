#include "tests/tools/phone/adbd/sync_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/tools/phone/core/still_clock.h"
#include "tools/phone/files/initial_files.h"

void file_phone_start(struct file_phone *phone,
                      const struct files_limits *limits, feature_set features)
{
    struct daemon_options options = {
        .banner = {.state = "device",
                   .product = "proctor",
                   .model = "Proctor",
                   .device = "proctor",
                   .features = features},
        .services = &phone->service,
        .service_count = 1,
    };
    struct err err;
    int number;

    phone->time = STILL_CLOCK_START;
    phone->root = files_new(limits, still_clock(&phone->time));
    assert_true(initial_files_create(phone->root, "", 0600, &number));
    phone->shell = files_as(phone->root, &files_shell);
    sync_server_init(&phone->server, phone->shell);
    phone->service = (struct daemon_service){
        .name = "sync:",
        .exact = true,
        .serve = sync_server_serve,
        .context = &phone->server,
    };
    assert_true(daemon_start(&options, &phone->daemon, &err));
}

struct device *file_phone_connect(struct file_phone *phone)
{
    struct transport *host;
    struct err err;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &host, &err));
    daemon_adopt(phone->daemon, ends[1]);
    return device_over_conn(loopback_device_connect(host), "files");
}

void file_phone_stop(struct file_phone *phone)
{
    daemon_stop(phone->daemon);
    sync_server_release(&phone->server);
    files_free(phone->shell);
    files_free(phone->root);
}
