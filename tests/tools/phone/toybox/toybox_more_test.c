/* dd, expr, du, grep's kinds of patterns, and the files of /proc and /dev. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/shell/sh_fixture.h"

#define TMP "cd /data/local/tmp; "

static void dd_copies_blocks(void **state)
{
    static const struct sh_example examples[] = {
        {"dd if=/dev/zero bs=1k count=2 status=none | wc -c", "2048\n"},
        {"dd if=/dev/zero bs=1m count=1 status=none | wc -c", "1048576\n"},
        {"dd if=/dev/zero bs=507 count=1 2>/dev/null | wc -c", "507\n"},
        {TMP "dd if=/dev/urandom of=f bs=1024 count=3 2>/dev/null; "
             "stat -c %s f",
         "3072\n"},
        {"printf abcdef | dd bs=2 skip=1 count=1 status=none", "cd"},
        {TMP "printf abcdef >f; printf X | dd of=f bs=1 seek=2 conv=notrunc "
             "status=none; cat f",
         "abXdef"},
        {TMP "printf abcdef >f; printf X | dd of=f bs=1 seek=2 status=none; "
             "cat f",
         "abX"},
        {TMP "printf X | dd of=f bs=1 seek=2 status=none; od -c f",
         "0000000  \\0  \\0   X\n0000003\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("printf abc | dd bs=2 >/dev/null", 0,
                    "1+1 records in\n1+1 records out\n"
                    "3 bytes (0 K) copied, 0.001 s, 0 M/s\n");
    assert_sh_fails("dd if=/nope status=none", 1,
                    "dd: /nope: No such file or directory\n");
    assert_sh_fails("dd bs=x", 1, "dd: bad size 'x'\n");
    assert_sh_fails("dd bs=9999999g", 1, "dd: bad size '9999999g'\n");
    assert_sh_fails("dd nosuch=1", 1, "dd: bad arg nosuch=1\n");
}

/* Prints 1 and -1, as 32-bit numbers. */
#define BYTES TMP "printf '\\001\\000\\000\\000\\377\\377\\377\\377'"

static void od_and_xxd_print_bytes(void **state)
{
    static const struct sh_example examples[] = {
        {"echo hi | od -c", "0000000   h   i  \\n\n0000003\n"},
        {"echo hi | od -An -t x1", " 68 69 0a\n"},
        {"echo hi | od -x", "0000000 6968 000a\n0000003\n"},
        {"echo hi | od", "0000000 064550 000012\n0000003\n"},
        {"head -c 64 /dev/zero | od -b | wc -l", "3\n"},
        {"head -c 64 /dev/zero | od -N 3 -t d1",
         "0000000    0    0    0\n0000003\n"},
        {BYTES " > b; od -An -t d4 b; od -An -t u4 b; od -An -t x b",
         "           1          -1\n          1 4294967295\n"
         " 00000001 ffffffff\n"},
        {BYTES " | od -An -t x8", " ffffffff00000001\n"},
        {BYTES " | od -An -t u1", "   1   0   0   0 255 255 255 255\n"},
        {BYTES " | od -An -d", "     1     0 65535 65535\n"},
        {BYTES " | od -An -s", "      1      0     -1     -1\n"},
        {"od -t d3 2>&1", "od: bad -t d3\n"},
        {"echo hi | xxd",
         "00000000: 6869 0a                                  hi.\n"},
        {"echo hi | xxd -p", "68690a\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void random_bytes_differ(void **state)
{
    static const struct sh_example examples[] = {
        {"A=$(head -c 16 /dev/urandom | od -x); "
         "B=$(head -c 16 /dev/urandom | od -x); [ \"$A\" != \"$B\" ]; echo $?",
         "0\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void expr_calculates(void **state)
{
    static const struct sh_example examples[] = {
        {"expr 1 + 2 \\* 3", "7\n"},
        {"expr \\( 1 + 2 \\) \\* 3", "9\n"},
        {"expr 7 / 2; expr 7 % 2; expr 2 - 5", "3\n1\n-3\n"},
        {"expr 2 \\< 10; expr a \\< b; expr 3 = 3; expr a != a",
         "1\n1\n1\n0\n"},
        {"expr hello : 'h.*l'; expr hello : 'h\\(.*\\)o'; expr x : y",
         "4\nell\n0\n"},
        {"expr '' \\| b; expr a \\& 0; expr 5 \\& 6", "b\n0\n5\n"},
        {"expr 0; echo $?; expr 1 >/dev/null; echo $?", "0\n1\n0\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("expr 1 +", 2, "expr: syntax error\n");
    assert_sh_fails("expr 1 / 0", 2, "expr: division by zero\n");
    assert_sh_fails("expr a + 1", 2, "expr: not integer\n");
    assert_sh_fails("expr 9223372036854775807 + 1", 2, "expr: overflow\n");
    assert_sh_fails("expr", 2,
                    "expr: Needs 1 argument (see \"expr --help\")\n");
}

static void du_prints_disk_usage(void **state)
{
    static const struct sh_example examples[] = {
        {TMP "mkdir -p d/e; dd if=/dev/zero of=d/f bs=5000 count=1 "
             "status=none; du d; du -s d; du -a d; du -sh d",
         "4\td/e\n16\td\n16\td\n4\td/e\n8\td/f\n16\td\n16K\td\n"},
        {TMP "touch f; du f; du -d 0 .; du -c f", "0\tf\n4\t.\n"
                                                  "0\tf\n0\ttotal\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("du /nope", 1, "du: /nope: No such file or directory\n");
}

static void grep_searches_trees_and_prints_context(void **state)
{
    static const struct sh_example examples[] = {
        {TMP "mkdir -p a/b; echo x1 >a/f; echo y >a/g; echo x2 >a/b/h; "
             "grep -r x a; grep -rl x a; cd a; grep -r x2",
         "a/b/h:x2\na/f:x1\na/b/h\na/f\n./b/h:x2\n"},
        {"seq 9 | grep -A 1 3; seq 9 | grep -B1 3; seq 9 | grep -C1 3",
         "3\n4\n2\n3\n2\n3\n4\n"},
        {"seq 9 | grep -n -A1 -e '[27]'", "2:2\n3-3\n--\n7:7\n8-8\n"},
        {"seq 9 | grep -B 9 3", "1\n2\n3\n"},
        {"printf 'a b\\nab\\n' | grep -w a; printf 'a\\nab\\n' | grep -x a",
         "a b\na\n"},
        {TMP "echo a >f; echo b >g; grep -L a f g; grep -s a /nope; echo $?",
         "g\n2\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("grep", 2, "grep: no REGEX\n");
}

static void proc_changes_with_time(void **state)
{
    static const struct sh_example examples[] = {
        {"cat /proc/uptime; sleep 1.5; cut -d. -f1 /proc/uptime",
         "3600.00 13680.00\n3601\n"},
        {"head -n 1 /proc/stat", "cpu  48000 0 24000 1368000 0 0 0 0 0 0\n"},
        {"grep -c ^processor /proc/cpuinfo", "4\n"},
        {"cp /proc/uptime /sdcard/u; sleep 9; cat /sdcard/u",
         "3600.00 13680.00\n"},
        {"md5sum /proc/uptime | wc -l; ls -l /proc/uptime | cut -c1-10",
         "1\n-r--r--r--\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("echo x >/proc/version", 1,
                    "/system/bin/sh: can't create /proc/version: Permission "
                    "denied\n");
}

static void the_network_is_described(void **state)
{
    static const struct sh_example examples[] = {
        {"ip -f inet addr show wlan0 | grep -o 'inet [0-9.]*'",
         "inet 10.0.2.16\n"},
        {"ip route", "10.0.2.0/24 dev wlan0 proto kernel scope link src "
                     "10.0.2.16 \n"},
        {"ip a | grep -c ^; ip link | grep -c ^", "10\n4\n"},
        {"ifconfig wlan0 | grep -o 'inet addr:[0-9.]*'",
         "inet addr:10.0.2.16\n"},
        {"settings put global wifi_on 0; ip addr show wlan0 | grep -c inet; "
         "ip route",
         "0\n"},
        {"netstat -ltn | tail -n 1",
         "tcp        0      0 0.0.0.0:5555           0.0.0.0:*              "
         "LISTEN\n"},
        {"ping -c 2 127.0.0.1; date +%S",
         "PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n"
         "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.060 ms\n"
         "64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=0.060 ms\n\n"
         "--- 127.0.0.1 ping statistics ---\n"
         "2 packets transmitted, 2 received, 0% packet loss, time 1000ms\n"
         "rtt min/avg/max/mdev = 0.060/0.060/0.060/0.000 ms\n01\n"},
        {"ping -c 1 8.8.8.8 | tail -n 1; ping -c 1 8.8.8.8 >/dev/null; "
         "echo $?",
         "1 packets transmitted, 0 received, 100% packet loss, time 0ms\n1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("ping -c 1 example.com", 2,
                    "ping: unknown host example.com\n");
    assert_sh_fails("ip addr show eth9", 1,
                    "Device \"eth9\" does not exist.\n");
}

static void tar_packs_and_unpacks(void **state)
{
    static const struct sh_example examples[] = {
        {TMP "mkdir -p d/e; echo a >d/f; ln -s f d/l; tar -cf t.tar d; "
             "tar -tf t.tar; rm -r d; tar xf t.tar; cat d/l; ls d",
         "d/\nd/e/\nd/f\nd/l\na\ne\nf\nl\n"},
        {TMP "echo a >f; chmod 640 f; tar czf t.tgz f; rm f; tar xzf t.tgz; "
             "stat -c '%a %s' f; head -c 2 t.tgz | od -An -t x1",
         "640 2\n 1f 8b\n"},
        {TMP "echo a >f; tar c f | tar tv",
         "-rw-rw-rw- shell/shell         2 2025-01-06 09:00 f\n"},
        {TMP
         "mkdir d x; echo a >d/f; tar -C d -cf t.tar f; tar -C x -xf t.tar; "
         "cat x/f; tar -xOf t.tar f",
         "a\na\n"},
        {TMP "echo a >f; echo b >g; tar cf t f g; rm f g; tar xf t g; ls",
         "g\nt\n"},
        {TMP "echo a >/sdcard/f; tar cf t /sdcard/f; tar tf t", "sdcard/f\n"},
        {TMP
         "P=$(seq 20 | tr '\\n' a); mkdir -p $P/$P/$P; echo x >$P/$P/$P/$P; "
         "tar cf t $P; rm -r $P; tar xf t; cat $P/$P/$P/$P",
         "x\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("echo nonsense | tar t", 1,
                    "tar: bad archive, or a short one\n");
    assert_sh_fails("tar cf /sdcard/t /nope", 1,
                    "tar: /nope: No such file or directory\n");
    assert_sh_fails("tar", 1, "tar: Needs -txc (see \"tar --help\")\n");
    assert_sh_fails(TMP "echo a >f; tar c f | sed 's/^f/../' | tar x", 1,
                    "tar: bad archive, or a short one\n");
}

static void toybox_runs_its_commands(void **state)
{
    static const struct sh_example examples[] = {
        {"toybox --version; toybox echo a b; toybox | grep -c sed",
         "toybox 0.8.6-android\na b\n1\n"},
        {"F=$(mktemp); [ -f $F ]; echo $?; D=$(mktemp -d -p /sdcard); "
         "[ -d $D ]; echo $?; [ $F != $(mktemp) ]; echo $?",
         "0\n0\n0\n"},
        {"tty; echo $?; nproc; hostname; getenforce",
         "not a tty\n1\n4\nlocalhost\nEnforcing\n"},
        {"usleep 1500000; date +%S", "01\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("toybox nosuch", 127,
                    "toybox: Unknown command nosuch (see \"toybox "
                    "--help\")\n");
    assert_sh_fails("stty -a", 1,
                    "stty: tcgetattr standard input: Inappropriate ioctl for "
                    "device\n");
}

static void dates_have_parts_of_seconds(void **state)
{
    static const struct sh_example examples[] = {
        {"date +%s%3N; sleep 0.25; date +%s%3N",
         "1736154000000\n1736154000250\n"},
        {"sleep 0.123456; date +%N; date +%6N", "123456000\n123456\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("date -q", 1,
                    "date: Unknown option 'q' (see \"date --help\")\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dd_copies_blocks),
        cmocka_unit_test(od_and_xxd_print_bytes),
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(expr_calculates),
        cmocka_unit_test(du_prints_disk_usage),
        cmocka_unit_test(grep_searches_trees_and_prints_context),
        cmocka_unit_test(proc_changes_with_time),
        cmocka_unit_test(the_network_is_described),
        cmocka_unit_test(tar_packs_and_unpacks),
        cmocka_unit_test(toybox_runs_its_commands),
        cmocka_unit_test(dates_have_parts_of_seconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
