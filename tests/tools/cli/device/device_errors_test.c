/* Errors: each has its own message and exit code. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/tools/cli/command_run.h"

static int enter_folder(void **state)
{
    struct command_run run = {0};

    (void)state;
    setenv("ROOT", getenv("PROCTOR_PEER_ROOT"), 1);
    setenv("DEVICE", getenv("PROCTOR_PEER_ADBD"), 1);
    if (chdir(getenv("TMPDIR")))
        return -1;
    RUN(&run, 0, "head -c 50000000 /dev/urandom >$ROOT/data/big");
    command_run_release(&run);
    return 0;
}

static void unknown_serial_is_reported_with_the_known_phones(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor -s nosuch shell true");
    SAYS(run.errors, "nosuch");
    SAYS(run.errors, "127.0.0.1:6555");
    RUN(&run, 2, "ANDROID_SERIAL=nosuch proctor shell true");
    SAYS(run.errors, "nosuch");
    RUN(&run, 2, "proctor -s nosuch ls --json /");
    SAYS(run.out, "{\"error\":{\"code\":\"not-found\",\"message\":\"");
    command_run_release(&run);
}

static void without_any_phone_the_error_says_what_to_do(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "ANDROID_ADB_SERVER_PORT=1 proctor shell true");
    SAYS(run.errors, "no device found");
    SAYS(run.errors, "start a built-in one: proctor phone");
    RUN(&run, 2,
        "echo '[{\"id\": \"a\", \"app\": \"a.b\", \"kind\": \"state\", "
        "\"instruction\": \"i\", \"needs\": [\"n\"]}]' >a.json && "
        "ANDROID_ADB_SERVER_PORT=1 proctor run a.json --agent nothing");
    SAYS(run.errors, "no device found");
    SAYS(run.errors, "use the built-in one: --device phone");
    RUN(&run, 0, "ANDROID_ADB_SERVER_PORT=1 proctor devices");
    SAYS(run.errors, "see: proctor doctor");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void unreachable_host_is_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor connect 127.0.0.1:1");
    SAYS(run.errors, "Connection refused");
    RUN(&run, 1, "proctor connect nosuch.invalid");
    SAYS(run.errors, "nosuch.invalid");
    RUN(&run, 2, "proctor connect 127.0.0.1:99999");
    SAYS(run.errors, "127.0.0.1:99999");
    RUN(&run, 1, "proctor -s 127.0.0.1:1 shell true");
    SAYS(run.errors, "Connection refused");
    command_run_release(&run);
}

/* A port that accepts connections and stays silent. */
static int listen_in_silence(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    char port[16];

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    snprintf(port, sizeof(port), "%u", ntohs(address.sin_port));
    setenv("SILENT", port, 1);
    return fd;
}

static void silent_host_times_out(void **state)
{
    struct command_run run = {0};
    int fd = listen_in_silence();

    (void)state;
    RUN(&run, 1, "proctor --timeout 0.5 connect 127.0.0.1:$SILENT");
    SAYS(run.errors, "proctor: ");
    RUN(&run, 130,
        "proctor connect 127.0.0.1:$SILENT &"
        " await grep -q \"$(printf ':%04X 01 ' $SILENT)\" /proc/net/tcp;"
        " kill -TERM $!; wait $!");
    RUN(&run, 1,
        "ANDROID_ADB_SERVER_PORT=$SILENT proctor --timeout 1 shell true");
    SAYS(run.errors, "the adb server does not work");
    close(fd);
    command_run_release(&run);
}

static void a_timeout_ends_a_command(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor -s $DEVICE --timeout 0.5 shell sleep 60");
    SAYS(run.errors, "proctor: ");
    command_run_release(&run);
}

static void an_interrupt_ends_a_command(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 130,
        "proctor -s $DEVICE shell 'echo begun; sleep 60' >out &"
        " await grep -q begun out; kill -TERM $!; wait $!");
    SAYS(run.errors, "proctor: ");
    command_run_release(&run);
}

static void an_interrupt_ends_a_command_whose_reader_sleeps(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 130,
        "mkfifo pipe; exec 3<>pipe; proctor -s $DEVICE shell yes >pipe &"
        " head -c 1 <&3 >/dev/null; sleep 0.5; kill -TERM $!; wait $!");
    command_run_release(&run);
}

static void ignored_signal_does_not_interrupt(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 6,
        "trap '' HUP; proctor -s $DEVICE shell 'sleep 0.5; exit 6' &"
        " sleep 0.2; kill -HUP $!; wait $!");
    command_run_release(&run);
}

static void refused_service_is_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor -s $DEVICE shot --way framebuffer");
    SAYS(run.errors, "framebuffer");
    RUN(&run, 1,
        "proctor -s $DEVICE shot -o shot.png; ! test -e shot.png &&"
        " proctor -s $DEVICE shot -o shot.png");
    SAYS(run.errors, "screencap");
    command_run_release(&run);
}

static void unknown_service_is_reported(void **state)
{
    static const char *const commands[] = {
        "proctor -s $DEVICE root", "proctor -s $DEVICE reboot",
        "proctor -s $DEVICE tcpip 5555", "proctor -s $DEVICE raw nosuch:"};
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        RUN(&run, 1, commands[i]);
        SAYS(run.errors, "does not offer");
    }
    RUN(&run, 2, "proctor -s $DEVICE tcpip 65536");
    SAYS(run.errors, "\"65536\" is not a port");
    command_run_release(&run);
}

static void invalid_apk_is_bad_input(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "echo hello >no.apk; proctor -s $DEVICE install no.apk");
    SAYS(run.errors, "no.apk");
    RUN(&run, 2, "proctor -s $DEVICE install nosuch.apk");
    SAYS(run.errors, "nosuch.apk");
    command_run_release(&run);
}

static void missing_local_files_are_bad_input(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor -s $DEVICE push nosuch /data/");
    SAYS(run.errors, "nosuch");
    RUN(&run, 2, "proctor -s $DEVICE pull /data/nosuch .");
    SAYS(run.errors, "/data/nosuch");
    command_run_release(&run);
}

static void refused_file_is_reported_with_the_devices_message(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "echo x >x; proctor -s $DEVICE push x /proc/nosuch/x");
    SAYS(run.errors, "proctor: ");
    command_run_release(&run);
}

static void a_full_disk_here_leaves_no_file(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "mkdir small; mount -t tmpfs -o size=1m tmpfs small;"
        " proctor -s $DEVICE pull /data/big small; code=$?;"
        " find small -type f; umount small; exit $code");
    SAYS(run.errors, "No space left on device");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void full_disk_of_the_device_is_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "mkdir -p $ROOT/data/small;"
        " nsenter -t $(pidof adbd) -m mount -t tmpfs -o size=1m tmpfs"
        " $ROOT/data/small; proctor -s $DEVICE push $ROOT/data/big"
        " /data/small/");
    SAYS(run.errors, "No space left on device");
    command_run_release(&run);
}

static void killed_pull_leaves_no_complete_file(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "mkdir part; for after in 0.02 0.05 0.08 0.1 0.15; do\n"
        "proctor -s $DEVICE pull -z zstd /data/big part/big 2>/dev/null &\n"
        "sleep $after; kill -9 $! 2>/dev/null; wait $!\n"
        "if test -e part/big; then cmp part/big $ROOT/data/big || exit 1;"
        " rm part/big; fi; done");
    command_run_release(&run);
}

static void an_interrupted_pull_leaves_nothing(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 130,
        "mkdir gone; truncate -s 1T $ROOT/data/endless;"
        " proctor -s $DEVICE pull -z brotli /data/endless gone/ &"
        " await sh -c 'find gone -type f | grep -q .';"
        " kill -TERM $!; wait $!; code=$?;"
        " rm $ROOT/data/endless; find gone -type f; exit $code");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void a_lost_device_has_its_own_code(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 5,
        "rm -f out; env -i PATH=/usr/sbin:/usr/bin HOME=/data ADBD_PORT=6778"
        " chroot \"$ROOT\" /usr/sbin/adbd >/dev/null 2>&1 & device=$!;"
        " await proctor -s 127.0.0.1:6778 shell true 2>/dev/null;"
        " proctor -s 127.0.0.1:6778 shell 'echo begun; sleep 60' >out &"
        " await grep -q begun out; kill -9 $device; wait $!");
    SAYS(run.errors, "proctor: ");
    command_run_release(&run);
}

/* It serves one connection, which the server has: so the server is used. */
static void a_device_lost_behind_a_server_has_the_same_code(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 5,
        "rm -f out; proctor phone --android 4.4 --realtime --port 6779"
        " >phone.log 2>&1 & phone=$!;"
        " await sh -c 'adb connect 127.0.0.1:6779 | grep -q ^connected';"
        " proctor -s 127.0.0.1:6779 shell 'echo begun; sleep 60' >out &"
        " await grep -q begun out; kill -9 $phone; wait $!; code=$?;"
        " adb disconnect 127.0.0.1:6779 >/dev/null; exit $code");
    SAYS(run.errors, "the adb server has lost 127.0.0.1:6779");
    command_run_release(&run);
}

/* Shell version 1: the phone is asked to print the status. */
static void a_failed_command_fails_on_an_old_phone(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor phone --android 4.4 --port 6780 >phone.log 2>&1 & phone=$!;"
        " old() { proctor -s 127.0.0.1:6780 shell \"$@\"; echo $?; };"
        " await proctor -s 127.0.0.1:6780 shell true 2>/dev/null;"
        " old true; old false; old 'exit 7'; old 'if then' 2>/dev/null;"
        " printf 'a\\nb\\n' | old 'wc -l | tr -d \" \"'; kill $phone");
    SAYS(run.out, "0\n1\n7\n");
    SAYS(run.out, "\n1\na\r\nb\r\n2\r\n0\n");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_serial_is_reported_with_the_known_phones),
        cmocka_unit_test(without_any_phone_the_error_says_what_to_do),
        cmocka_unit_test(unreachable_host_is_reported),
        cmocka_unit_test(silent_host_times_out),
        cmocka_unit_test(a_timeout_ends_a_command),
        cmocka_unit_test(an_interrupt_ends_a_command),
        cmocka_unit_test(an_interrupt_ends_a_command_whose_reader_sleeps),
        cmocka_unit_test(ignored_signal_does_not_interrupt),
        cmocka_unit_test(refused_service_is_reported),
        cmocka_unit_test(unknown_service_is_reported),
        cmocka_unit_test(invalid_apk_is_bad_input),
        cmocka_unit_test(missing_local_files_are_bad_input),
        cmocka_unit_test(refused_file_is_reported_with_the_devices_message),
        cmocka_unit_test(a_full_disk_here_leaves_no_file),
        cmocka_unit_test(full_disk_of_the_device_is_reported),
        cmocka_unit_test(killed_pull_leaves_no_complete_file),
        cmocka_unit_test(an_interrupted_pull_leaves_nothing),
        cmocka_unit_test(a_lost_device_has_its_own_code),
        cmocka_unit_test(a_failed_command_fails_on_an_old_phone),
        cmocka_unit_test(a_device_lost_behind_a_server_has_the_same_code),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
