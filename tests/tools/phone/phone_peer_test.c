/* Stock adb, 29.0.6 and 34.0.5, uses the whole phone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/chroot_adb.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/one_way.h"
#include "tests/support/adb/stock_adb.h"
#include "tests/tools/phone/system/test_apk.h"
#include "tools/phone/phone.h"

struct fixture {
    struct phone *phone;
    struct stock_adb adb;
};

static void assert_adb(void **state, const char *command, const char *expected)
{
    const struct fixture *fixture = *state;

    stock_adb_expect(&fixture->adb, command, expected);
}

static struct fixture *start_phone(const struct phone_options *options,
                                   struct stock_adb adb)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    struct err err = ERR_INIT;

    if (!phone_start(options, &fixture->phone, &err))
        fail_msg("%s", err.text);
    adb.port = phone_port(fixture->phone);
    fixture->adb = adb;
    return fixture;
}

static struct fixture *start(struct stock_adb adb)
{
    const struct phone_options options = {.seed = 9};
    struct fixture *fixture = start_phone(&options, adb);

    stock_adb_connect(&fixture->adb);
    return fixture;
}

static int start_old(void **state)
{
    *state = start((struct stock_adb){host_adb, 0});
    return 0;
}

static int start_new(void **state)
{
    *state = start((struct stock_adb){chroot_adb, 0});
    return 0;
}

static int start_accepting(void **state)
{
    const struct phone_options options = {.trust = PHONE_ACCEPTS};

    *state = start_phone(&options, (struct stock_adb){host_adb, 0});
    return 0;
}

static int start_pairing(void **state)
{
    const struct phone_options options = {.pairs = true, .code = "246813"};

    *state = start_phone(&options, (struct stock_adb){chroot_adb, 0});
    return 0;
}

static int stop(void **state)
{
    struct fixture *fixture = *state;

    stock_adb_address(&fixture->adb, "disconnect", "disconnected");
    phone_stop(fixture->phone);
    free(fixture);
    return 0;
}

static void adb_lists_the_phone(void **state)
{
    assert_adb(state, "devices -l",
               "device product:phone model:proctor_phone device:phone");
    assert_adb(state, "get-state", "device");
    assert_adb(state, "features", "shell_v2");
    assert_adb(state, "shell getprop ro.build.type", "user\n");
}

static void screencap_is_a_png(void **state)
{
    assert_adb(state, "exec-out screencap -p | head -c 8 | od -An -tx1",
               " 89 50 4e 47 0d 0a 1a 0a");
}

/* In packets as large as both sides take, and none that is larger. */
static void raw_screen_is_complete(void **state)
{
    assert_adb(state, "exec-out screencap | wc -c", "10368016");
}

static void forwards_carry_bytes(void **state)
{
    assert_adb(state, "forward tcp:7007 tcp:7", "");
    assert_true(echo_check_many("tcp:7007", 4, 300000));
    assert_adb(state, "forward tcp:7008 localabstract:echo", "");
    assert_true(echo_check_many("tcp:7008", 4, 3000));
    assert_adb(state, "forward --remove-all", "");
}

static void reverses_carry_bytes(void **state)
{
    struct echo_server *echo = echo_server_start();
    char command[96];

    snprintf(command, sizeof(command), "reverse tcp:5000 %s",
             echo_server_endpoint(echo));
    assert_adb(state, command, "");
    assert_adb(state, "shell 'echo there and back | nc 127.0.0.1 5000'",
               "there and back\n");
    assert_adb(state, "reverse --list", "tcp:5000 tcp:");
    assert_adb(state, "reverse --no-rebind tcp:5000 tcp:1",
               "cannot rebind existing socket");
    assert_adb(state, "reverse tcp:0 tcp:1", "32768");
    assert_adb(state, "reverse --remove tcp:5000", "");
    assert_adb(state, "reverse --remove tcp:5000", "not found");
    assert_adb(state, "reverse --remove-all", "");
    echo_server_stop(echo);
}

/* From a port of the computer to the phone, and from there to endpoint. */
static void begin_round_trip(void **state, const char *endpoint)
{
    char command[96];

    snprintf(command, sizeof(command), "reverse tcp:5001 %s", endpoint);
    assert_adb(state, command, "");
    assert_adb(state, "forward tcp:7009 tcp:5001", "");
}

static void end_round_trip(void **state)
{
    assert_adb(state, "forward --remove-all", "");
    assert_adb(state, "reverse --remove-all", "");
}

static void six_hundred_short_connections_are_all_served(void **state)
{
    struct echo_server *echo = echo_server_start();

    assert_adb(state, "forward tcp:7007 tcp:7", "");
    assert_int_equal(echo_check_in_a_row("tcp:7007", 600), 600);
    begin_round_trip(state, echo_server_endpoint(echo));
    assert_int_equal(echo_check_in_a_row("tcp:7009", 600), 600);
    end_round_trip(state);
    echo_server_stop(echo);
}

/* adb's server sends what is left at once when its client has closed. */
static void bytes_of_a_closed_client_arrive(void **state)
{
    static const size_t sizes[] = {1,       262144,  400000,  1048576,
                                   1300000, 3000000, 8000000, 24000000};
    struct one_way server;

    one_way_start(&server);
    begin_round_trip(state, server.endpoint);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        assert_int_equal(one_way_send(&server, "tcp:7009", sizes[i]), sizes[i]);
    assert_adb(state, "shell echo still here", "still here\n");
    end_round_trip(state);
    one_way_stop(&server);
}

/* Where the computer's adb and that in the chroot find the same file. */
static void write_apk(void)
{
    const struct test_apk apk = {.package = "com.example.peer",
                                 .version = "1.0",
                                 .code = 1,
                                 .label = "Peer",
                                 .activity = ".Main"};
    struct buf zip = BUF_INIT(1 << 18);
    char path[300];
    FILE *file;

    snprintf(path, sizeof(path), "%s/tmp/peer.apk",
             getenv("PROCTOR_PEER_ROOT"));
    test_apk_write(&apk, &zip);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(zip.data, 1, zip.length, file), zip.length);
    assert_int_equal(fclose(file), 0);
    buf_release(&zip);
}

static void apps_are_installed_and_started(void **state)
{
    const struct fixture *fixture = *state;
    char command[300];

    write_apk();
    snprintf(command, sizeof(command), "install -r %s/tmp/peer.apk",
             fixture->adb.run == host_adb ? getenv("PROCTOR_PEER_ROOT") : "");
    assert_adb(state, command, "Success");
    assert_adb(state, "shell am start -W com.example.peer/.Main", "Status: ok");
    assert_adb(state, "shell dumpsys window displays",
               "u0 com.example.peer/com.example.peer.Main}");
    assert_adb(state, "uninstall com.example.peer", "Success");
    assert_adb(state, "shell 'pm path com.example.peer || echo gone'", "gone");
}

static void root_is_refused(void **state)
{
    assert_adb(state, "root", "adbd cannot run as root in production builds");
    assert_adb(state, "unroot", "adbd not running as root");
    assert_adb(state, "remount", "Not running as root");
    assert_adb(state, "jdwp", "closed");
}

/* adb does not wait for the owner's answer, so its output is not known. */
static void accepted_key_of_adb_is_remembered(void **state)
{
    const struct fixture *fixture = *state;

    stock_adb_address(&fixture->adb, "connect", "127.0.0.1");
    assert_adb(state, "wait-for-device", "");
    assert_adb(state, "shell wc -l /data/misc/adb/adb_keys", "1 ");
    stock_adb_address(&fixture->adb, "disconnect", "disconnected");
    stock_adb_connect(&fixture->adb);
    assert_adb(state, "shell wc -l /data/misc/adb/adb_keys", "1 ");
}

static void adb_pairs_and_connects_over_tls(void **state)
{
    struct fixture *fixture = *state;
    char command[64];

    stock_adb_address(&fixture->adb, "connect", "failed");
    snprintf(command, sizeof(command), "pair 127.0.0.1:%u 246813",
             (unsigned)phone_pairing_port(fixture->phone));
    assert_adb(state, command, "Successfully paired");
    stock_adb_connect(&fixture->adb);
    raw_screen_is_complete(state);
    bytes_of_a_closed_client_arrive(state);
}

static void reboot_returns(void **state)
{
    const struct fixture *fixture = *state;

    assert_adb(state, "shell 'echo kept > /sdcard/file'", "");
    assert_adb(state, "reboot", "");
    stock_adb_await(&fixture->adb,
                    "shell 'settings get global boot_count; cat /sdcard/file'",
                    "2\nkept\n");
    assert_adb(state, "tcpip 5555", "restarting in TCP mode port: 5555");
    stock_adb_await(&fixture->adb, "shell echo here", "here\n");
}

/* One server for each version of adb. */
static void several_hosts_use_it_in_parallel(void **state)
{
    const struct fixture *fixture = *state;
    const struct stock_adb other = {chroot_adb, fixture->adb.port};

    stock_adb_connect(&other);
    assert_adb(state, "shell 'echo shared > /sdcard/file'", "");
    stock_adb_expect(&other, "shell cat /sdcard/file", "shared\n");
    stock_adb_address(&other, "disconnect", "disconnected");
    assert_adb(state, "shell echo still here", "still here\n");
}

#define WITH(start, test)                                                      \
    {                                                                          \
        .name = #test " (" #start ")", .test_func = (test),                    \
        .setup_func = (start), .teardown_func = stop                           \
    }
#define BOTH(test) WITH(start_old, test), WITH(start_new, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(adb_lists_the_phone),
        BOTH(screencap_is_a_png),
        BOTH(raw_screen_is_complete),
        BOTH(forwards_carry_bytes),
        BOTH(reverses_carry_bytes),
        BOTH(six_hundred_short_connections_are_all_served),
        BOTH(bytes_of_a_closed_client_arrive),
        BOTH(apps_are_installed_and_started),
        BOTH(root_is_refused),
        WITH(start_accepting, accepted_key_of_adb_is_remembered),
        WITH(start_pairing, adb_pairs_and_connects_over_tls),
        BOTH(reboot_returns),
        WITH(start_old, several_hosts_use_it_in_parallel),
    };

    return cmocka_run_group_tests_name("phone with adb", tests, NULL, NULL);
}
