/* Stock adb, 29.0.6 and 34.0.5, uses the whole phone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/phone/test_apk.h"
#include "tests/support/chroot_adb.h"
#include "tests/support/echo.h"
#include "tests/support/stock_adb.h"
#include "tools/phone/phone.h"

struct visit {
    struct phone *phone;
    struct stock_adb adb;
};

static void assert_adb(void **state, const char *command, const char *expected)
{
    const struct visit *visit = *state;

    stock_adb_expect(&visit->adb, command, expected);
}

static struct visit *switch_on(const struct phone_options *options,
                               struct stock_adb adb)
{
    struct visit *visit = mem_new(1, sizeof(*visit));
    struct err err = ERR_INIT;

    if (!phone_start(options, &visit->phone, &err))
        fail_msg("%s", err.text);
    adb.port = phone_port(visit->phone);
    visit->adb = adb;
    return visit;
}

static struct visit *start(struct stock_adb adb)
{
    const struct phone_options options = {.seed = 9};
    struct visit *visit = switch_on(&options, adb);

    stock_adb_connect(&visit->adb);
    return visit;
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

    *state = switch_on(&options, (struct stock_adb){host_adb, 0});
    return 0;
}

static int start_pairing(void **state)
{
    const struct phone_options options = {.pairs = true, .code = "246813"};

    *state = switch_on(&options, (struct stock_adb){chroot_adb, 0});
    return 0;
}

static int stop(void **state)
{
    struct visit *visit = *state;

    stock_adb_address(&visit->adb, "disconnect", "disconnected");
    phone_stop(visit->phone);
    free(visit);
    return 0;
}

static void it_says_what_it_is(void **state)
{
    assert_adb(state, "devices -l",
               "device product:phone model:proctor_phone device:phone");
    assert_adb(state, "get-state", "device");
    assert_adb(state, "features", "shell_v2");
    assert_adb(state, "shell getprop ro.build.type", "user\n");
}

static void its_screen_is_a_picture(void **state)
{
    assert_adb(state, "exec-out screencap -p | head -c 8 | od -An -tx1",
               " 89 50 4e 47 0d 0a 1a 0a");
}

/* In packets as large as both sides take, and none that is larger. */
static void its_raw_screen_comes_whole(void **state)
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
    const struct visit *visit = *state;
    char command[300];

    write_apk();
    snprintf(command, sizeof(command), "install -r %s/tmp/peer.apk",
             visit->adb.run == host_adb ? getenv("PROCTOR_PEER_ROOT") : "");
    assert_adb(state, command, "Success");
    assert_adb(state, "shell am start -W com.example.peer/.Main", "Status: ok");
    assert_adb(state, "shell dumpsys window displays",
               "u0 com.example.peer/com.example.peer.Main}");
    assert_adb(state, "uninstall com.example.peer", "Success");
    assert_adb(state, "shell 'pm path com.example.peer || echo gone'", "gone");
}

static void nobody_becomes_root(void **state)
{
    assert_adb(state, "root", "adbd cannot run as root in production builds");
    assert_adb(state, "unroot", "adbd not running as root");
    assert_adb(state, "remount", "Not running as root");
    assert_adb(state, "jdwp", "closed");
}

/* adb does not wait for the owner's answer, so it is not known what it says. */
static void it_remembers_the_key_of_adb(void **state)
{
    const struct visit *visit = *state;

    stock_adb_address(&visit->adb, "connect", "127.0.0.1");
    assert_adb(state, "wait-for-device", "");
    assert_adb(state, "shell wc -l /data/misc/adb/adb_keys", "1 ");
    stock_adb_address(&visit->adb, "disconnect", "disconnected");
    stock_adb_connect(&visit->adb);
    assert_adb(state, "shell wc -l /data/misc/adb/adb_keys", "1 ");
}

static void adb_pairs_and_comes_in_over_tls(void **state)
{
    struct visit *visit = *state;
    char command[64];

    stock_adb_address(&visit->adb, "connect", "failed");
    snprintf(command, sizeof(command), "pair 127.0.0.1:%u 246813",
             (unsigned)phone_pairing_port(visit->phone));
    assert_adb(state, command, "Successfully paired");
    stock_adb_connect(&visit->adb);
    its_raw_screen_comes_whole(state);
}

static void it_boots(void **state)
{
    const struct visit *visit = *state;

    assert_adb(state, "shell 'echo kept > /sdcard/file'", "");
    assert_adb(state, "reboot", "");
    stock_adb_await(&visit->adb,
                    "shell 'settings get global boot_count; cat /sdcard/file'",
                    "2\nkept\n");
    assert_adb(state, "tcpip 5555", "restarting in TCP mode port: 5555");
    stock_adb_await(&visit->adb, "shell echo here", "here\n");
}

/* One server for each version of adb. */
static void several_hosts_use_it_at_once(void **state)
{
    const struct visit *visit = *state;
    const struct stock_adb other = {chroot_adb, visit->adb.port};

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
        BOTH(it_says_what_it_is),
        BOTH(its_screen_is_a_picture),
        BOTH(its_raw_screen_comes_whole),
        BOTH(forwards_carry_bytes),
        BOTH(reverses_carry_bytes),
        BOTH(apps_are_installed_and_started),
        BOTH(nobody_becomes_root),
        WITH(start_accepting, it_remembers_the_key_of_adb),
        WITH(start_pairing, adb_pairs_and_comes_in_over_tls),
        BOTH(it_boots),
        WITH(start_old, several_hosts_use_it_at_once),
    };

    return cmocka_run_group_tests_name("phone with adb", tests, NULL, NULL);
}
