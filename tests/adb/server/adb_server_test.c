#include "adb/server/adb_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/adb_socket.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/loopback_server.h"

static const struct loopback_answer answers[] = {
    LOOPBACK_SAYS("shell:id", "uid=2000\n"),
    LOOPBACK_SAYS("reverse:forward:tcp:0;tcp:4000", "OKAY00045555"),
    LOOPBACK_SAYS("reverse:list-forward", "0013host-1 tcp:5 tcp:6\n"),
    LOOPBACK_SAYS("root:", "restarting adbd as root\n"),
};

static const struct loopback_device_options phone_options = {
    .answers = answers, .answer_count = ARRAY_LEN(answers)};

static int setup(void **state)
{
    static struct loopback_server phone;

    loopback_server_start(&phone, &phone_options, "first", NULL);
    *state = &phone;
    return 0;
}

static int teardown(void **state)
{
    loopback_server_stop(*state);
    return 0;
}

/* ---- tests ---- */

static void requests_are_answered_as_by_aosp(void **state)
{
    static const struct {
        const char *requests;
        const char *expected;
    } table[] = {
        {"host:version", "OKAY{0029}"},
        {"host:devices", "OKAY{first\tdevice\n}"},
        {"host:get-state", "OKAY{device}"},
        {"host-serial:first:get-state", "OKAY{device}"},
        {"host-transport-id:1:get-serialno", "OKAY{first}"},
        {"host-local:get-devpath", "OKAY{unknown}"},
        {"host-usb:get-state", "FAIL{no devices found}"},
        {"host-serial:none:get-state", "FAIL{device 'none' not found}"},
        {"host-serial:none:5555:get-state",
         "FAIL{device 'none:5555' not found}"},
        {"host:transport-id:9", "FAIL{no device with transport id '9'}"},
        {"host:transport:none", "FAIL{device 'none' not found}"},
        {"host:transport-usb", "FAIL{no devices found}"},
        {"host:transport:first|shell:id", "OKAYOKAYuid=2000\n"},
        {"host:transport-any|host:get-serialno", "OKAYOKAY{first}"},
        {"host:transport-any|nothing:", "OKAYFAIL{closed}"},
        {"host:transport-local|root:",
         "OKAYOKAYadbd cannot run as root in production builds\n"},
        {"host:transport-any|tcpip:5555",
         "OKAYOKAYrestarting in TCP mode port: 5555\n"},
        {"host:transport-any|reboot:", "OKAYOKAY"},
        {"host:transport-any|jdwp", "OKAYFAIL{closed}"},
        {"host:transport-any|track-jdwp", "OKAYFAIL{closed}"},
        {"shell:id", "FAIL{device offline (no transport)}"},
        {"host:dance", "FAIL{unknown host service}"},
        {"host-serial:x", "FAIL{unknown host service}"},
        {"host:wait-for-any-device", "OKAYOKAY"},
        {"host-serial:first:wait-for-local-device", "OKAYOKAY"},
        {"host:wait-for-usb-disconnect", "OKAYOKAY"},
        {"host:connect:10.0.0.1",
         "OKAY{failed to connect to '10.0.0.1:5555': Connection refused}"},
        {"host:disconnect:", "OKAY{disconnected everything}"},
        {"host:disconnect:x", "FAIL{no such device 'x'}"},
        {"host:mdns:services", "OKAY{}"},
        {"host:reconnect", "OKAY{reconnecting first [device]\n}"},
        {"host:list-forward", "OKAY{}"},
        {"host:forward:tcp:1", "FAIL{bad forward: forward:tcp:1}"},
        {"host:killforward:tcp:1", "FAIL{listener 'tcp:1' not found}"},
        {"host:killforward-all", "OKAYOKAY"},
        {"host:transport-any|reverse:forward:tcp:0;tcp:4000",
         "OKAYOKAYOKAY{5555}"},
        {"host:transport-any|reverse:list-forward",
         "OKAYOKAY{host-1 tcp:5 tcp:6\n}"},
    };
    struct loopback_server *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        print_message("%s\n", table[i].requests);
        adb_socket_answers(phone->port, table[i].requests, table[i].expected);
    }
}

static void killing_the_server_does_not_end_it(void **state)
{
    struct loopback_server *phone = *state;

    adb_socket_answers(phone->port, "host:kill", "OKAY");
    adb_socket_answers(phone->port, "host:version", "OKAY{0029}");
}

static void tport_tells_the_transport_id(void **state)
{
    struct loopback_server *phone = *state;
    int fd = adb_socket_connect(phone->port);
    char reply[12];

    adb_socket_request(fd, "host:tport:serial:first");
    assert_int_equal(recv(fd, reply, sizeof(reply), MSG_WAITALL), 12);
    assert_memory_equal(reply, "OKAY\1\0\0\0\0\0\0\0", 12);
    adb_socket_request(fd, "echo:");
    adb_socket_expect(fd, "OKAY");
    assert_true(echo_check(fd, 300000, 1));
    close(fd);
}

/* Ask for a forward to a free port; *port is the one picked. */
static void forward_to_any_port(uint16_t server, const char *remote,
                                uint16_t *port)
{
    struct buf all = BUF_INIT(1000);
    char request[100];
    int fd = adb_socket_connect(server);

    snprintf(request, sizeof(request), "host:forward:tcp:0;%s", remote);
    adb_socket_request(fd, request);
    adb_socket_read_end(fd, &all);
    assert_memory_equal(buf_cstr(&all), "OKAYOKAY", 8);
    assert_true(all.length > 12);
    assert_true(tcp_parse_port(all.data + 12, port));
    close(fd);
    buf_release(&all);
}

static void a_forward_leads_to_the_phone_until_it_is_removed(void **state)
{
    struct loopback_server *phone = *state;
    char request[100];
    char expected[200];
    uint16_t port = 0;
    int fd;

    forward_to_any_port(phone->port, "echo:", &port);
    fd = adb_socket_connect(port);
    assert_true(echo_check(fd, 100000, 2));
    close(fd);
    snprintf(expected, sizeof(expected), "OKAY{first tcp:%u echo:\n}",
             (unsigned)port);
    adb_socket_answers(phone->port, "host:list-forward", expected);

    snprintf(request, sizeof(request),
             "host:forward:norebind:tcp:%u;echo:", (unsigned)port);
    adb_socket_answers(phone->port, request,
                       "FAIL{cannot rebind existing socket}");
    snprintf(request, sizeof(request), "host:forward:tcp:%u;say:hello",
             (unsigned)port);
    adb_socket_answers(phone->port, request, "OKAYOKAY");
    fd = adb_socket_connect(port);
    adb_socket_expect(fd, "hello");
    close(fd);

    snprintf(request, sizeof(request), "host:killforward:tcp:%u",
             (unsigned)port);
    adb_socket_answers(phone->port, request, "OKAYOKAY");
    snprintf(request, sizeof(request), "tcp:%u", (unsigned)port);
    assert_true(echo_connect(request) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(requests_are_answered_as_by_aosp, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(tport_tells_the_transport_id, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            a_forward_leads_to_the_phone_until_it_is_removed, setup, teardown),
        cmocka_unit_test_setup_teardown(killing_the_server_does_not_end_it,
                                        setup, teardown),
    };

    return cmocka_run_group_tests_name("adb_server", tests, NULL, NULL);
}
