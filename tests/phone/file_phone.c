#include "tests/phone/file_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "adb/tcp.h"
#include "tests/phone/still_clock.h"
#include "tests/support/loop_device.h"
#include "tools/phone/start_tree.h"

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
    assert_true(start_tree_fill(phone->root, "", &number));
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
    return device_over_conn(loop_device_connect(host), "files");
}

void file_phone_stop(struct file_phone *phone)
{
    daemon_stop(phone->daemon);
    sync_server_release(&phone->server);
    files_free(phone->shell);
    files_free(phone->root);
}
