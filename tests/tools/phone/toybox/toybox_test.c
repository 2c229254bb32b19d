/* Each command, in the format that phones print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/shell/sh_fixture.h"

#define TMP "cd /data/local/tmp; "

static void ls_prints_as_toybox_does(void **state)
{
    static const struct sh_example examples[] = {
        {TMP "touch b a .h; ls", "a\nb\n"},
        {TMP "touch b a .h; ls -a", ".\n..\n.h\na\nb\n"},
        {TMP "touch b a .h; ls -A", ".h\na\nb\n"},
        {TMP "mkdir d; touch d/x; ls d; ls -d d; ls d/x", "x\nd\nd/x\n"},
        {TMP "mkdir d; touch d/x f; ls f d", "f\n\nd:\nx\n"},
        {TMP "mkdir -p d/e; touch d/e/x; ls -R d", "d:\ne\n\nd/e:\nx\n"},
        {TMP "printf hello >f; chmod 640 f; ls -l f",
         "-rw-r----- 1 shell shell 5 2025-01-06 09:00 f\n"},
        {TMP "printf hello >f; mkdir d; ln -s f l; chmod 600 f; chmod 755 d; "
             "ls -l | tail -n +2",
         "drwxr-xr-x 2 shell shell 4096 2025-01-06 09:00 d\n"
         "-rw------- 1 shell shell    5 2025-01-06 09:00 f\n"
         "lrwxrwxrwx 1 shell shell    1 2025-01-06 09:00 l -> f\n"},
        {"ls -ld /sdcard", "lrwxrwxrwx 1 root root 21 2025-01-06 09:00 "
                           "/sdcard -> /storage/self/primary\n"},
        {TMP "touch a; sleep 60; touch b; ls -t; ls -tr", "b\na\na\nb\n"},
        {TMP "mkdir d; touch f; ls -F", "d/\nf\n"},
        {TMP "touch f; ls -Z f", "? f\n"},
        {TMP "touch f; chmod 644 f; ls -n f; ls --color=auto",
         "-rw-r--r-- 1 2000 2000 0 2025-01-06 09:00 f\nf\n"},
        {"ls -d -- /data", "/data\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("ls /nope", 1, "ls: /nope: No such file or directory\n");
    assert_sh_fails("ls -@ /", 1,
                    "ls: Unknown option '@' (see \"ls --help\")\n");
    assert_sh_fails("ls --nosuch", 1,
                    "ls: Unknown option 'nosuch' (see \"ls --help\")\n");
}

static void files_are_created_moved_and_removed(void **state)
{
    static const struct sh_example examples[] = {
        {TMP "echo a >f; cp f g; mv f h; cat g h; ls", "a\na\ng\nh\n"},
        {TMP "mkdir -p a/b/c; touch a/b/c/f; cp -r a z; find z -type f",
         "z/b/c/f\n"},
        {TMP "mkdir d; echo x >f; mv f d; cp d/f d/g; ls d", "f\ng\n"},
        {TMP "mkdir -p d/e; rm -r d; ls", ""},
        {TMP "rm -f nothing; echo $?", "0\n"},
        {TMP "mkdir d; rmdir d; ls", ""},
        {TMP "echo x >f; ln -s f l; cat l; readlink l; readlink -f l",
         "x\nf\n/data/local/tmp/f\n"},
        {TMP "touch f; chmod u=rwx,go= f; stat -c '%a %A %U:%G %s %n' f",
         "700 -rwx------ shell:shell 0 f\n"},
        {TMP "touch f; chmod 644 f; chmod +x f; stat -c %a f", "755\n"},
        {"realpath /data/local/../local/tmp", "/data/local/tmp\n"},
        {"basename /a/b.txt .txt; dirname /a/b; dirname c", "b\n/a\n.\n"},
        {TMP "mkdir -p a/b; touch a/x.txt a/b/y.txt a/z; find a -name '*.txt'; "
             "find a -maxdepth 1 -type d; find . -name X.TXT; "
             "find . -iname X.TXT",
         "a/b/y.txt\na/x.txt\na\na/b\n./a/x.txt\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("rm /nope", 1, "rm: /nope: No such file or directory\n");
    assert_sh_fails("rm /data/local/tmp", 1,
                    "rm: /data/local/tmp: Is a directory\n");
    assert_sh_fails("mkdir /system/x", 1,
                    "mkdir: '/system/x': Read-only file system\n");
    assert_sh_fails("cp /nope /sdcard", 1,
                    "cp: bad '/nope': No such file or directory\n");
    assert_sh_fails("mkdir /sdcard", 1, "mkdir: '/sdcard': File exists\n");
    assert_sh_fails("mv /nope /sdcard", 1,
                    "mv: bad '/nope': No such file or directory\n");
    assert_sh_fails("chmod zzz /sdcard", 1, "chmod: bad mode 'zzz'\n");
    assert_sh_fails("rm", 1, "rm: Needs 1 argument (see \"rm --help\")\n");
    assert_sh_fails("cp", 1, "cp: Needs 1 argument (see \"cp --help\")\n");
    assert_sh_fails("stat /nope", 1,
                    "stat: '/nope': No such file or directory\n");
}

static void stat_prints_as_toybox_does(void **state)
{
    (void)state;
    assert_sh(TMP "printf hello >f; chmod 600 f; stat f | "
                  "grep -v Inode",
              "  File: f\n"
              "  Size: 5\t Blocks: 1\t IO Blocks: 512\t regular file\n"
              "Access: (0600/-rw-------)\tUid: ( 2000/   shell)\t"
              "Gid: ( 2000/   shell)\n"
              "Access: 2025-01-06 09:00:00.000000000 +0000\n"
              "Modify: 2025-01-06 09:00:00.000000000 +0000\n"
              "Change: 2025-01-06 09:00:00.000000000 +0000\n");
}

static void texts_are_printed(void **state)
{
    static const struct sh_example examples[] = {
        {"echo; echo -n a; echo b", "\nab\n"},
        {"echo 'a\\tb\\x41\\0101'", "a\tbAA\n"},
        {"echo -E 'a\\tb'", "a\\tb\n"},
        {"echo 'a\\cb'; echo c", "ac\n"},
        {"printf '%s-%s\\n' a b c", "a-b\nc-\n"},
        {"printf '%5d|%-5d|%05d|%x|%X|%o|%c\\n' 42 42 42 255 255 8 xyz",
         "   42|42   |00042|ff|FF|10|x\n"},
        {"printf '%.2s|%8.3f|%b|%%\\n' abc 3.14159 'a\\nb'",
         "ab|   3.142|a\nb|%\n"},
        {"printf '%d %d\\n' -5 0x10", "-5 16\n"},
        {"printf '%d\\n' -9223372036854775808", "-9223372036854775808\n"},
        {"seq 3; seq 2 4; seq 10 -5 0", "1\n2\n3\n2\n3\n4\n10\n5\n0\n"},
        {"yes no | head -n 2", "no\nno\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void lines_are_copied_and_counted(void **state)
{
    static const struct sh_example examples[] = {
        {"seq 20 | head | tail -n 1", "10\n"},
        {"seq 5 | head -2; seq 5 | tail -2", "1\n2\n4\n5\n"},
        {"printf abcdef | head -c 3; printf abcdef | tail -c 2", "abcef"},
        {"seq 5 | tail -n +4", "4\n5\n"},
        {"seq 2 | tail -n 0; echo -", "-\n"},
        {"printf 'a\\nb' | tail -n 1", "b"},
        {TMP "echo x >a; echo y >b; head -n 1 a b",
         "==> a <==\nx\n\n==> b <==\ny\n"},
        {"printf 'a b\\nc\\n' | wc", "      2       3       6\n"},
        {TMP "echo a >f; wc -l f; wc -c <f", "1 f\n2\n"},
        {TMP "echo a | tee f; echo b | tee -a f; cat f", "a\nb\na\nb\n"},
        {TMP "echo a >f; echo b | cat f -", "a\nb\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void lines_are_selected_and_sorted(void **state)
{
    static const struct sh_example examples[] = {
        {"printf 'one\\nTwo\\nthree\\n' | grep -n e", "1:one\n3:three\n"},
        {"printf 'one\\nTwo\\nthree\\n' | grep -ci t", "2\n"},
        {"printf 'one\\nTwo\\n' | grep -v o; echo $?", "1\n"},
        {"printf 'a.b\\naxb\\n' | grep -F a.b", "a.b\n"},
        {"printf 'ab\\nabb\\na+b\\n' | grep 'ab\\{2\\}'", "abb\n"},
        {"printf 'ab\\na+b\\n' | grep 'a+b'", "a+b\n"},
        {"printf 'ab\\naab\\n' | grep -E '^a{2}b$|^x'", "aab\n"},
        {"printf 'a1\\nb22\\n' | grep -oE '[0-9]+'", "1\n22\n"},
        {"printf 'x[y\\nx\\\\y\\n' | grep 'x[\\]y'", "x\\y\n"},
        {"echo a | grep -q a && echo yes", "yes\n"},
        {"echo a | grep '*a'; echo '*a' | grep '*a'", "*a\n"},
        {"printf 'foo bar\\nfoobar\\n' | grep '\\<bar\\>'", "foo bar\n"},
        {TMP "echo a >f; echo a >g; grep a f g; grep -h a f g; grep -l a f g",
         "f:a\ng:a\na\na\nf\ng\n"},
        {"printf '10\\n9\\n9\\n' | sort; printf '10\\n9\\n9\\n' | sort -n",
         "10\n9\n9\n9\n9\n10\n"},
        {"printf 'b 1\\na 2\\n' | sort -k 2; printf 'b\\na\\nb\\n' | sort -ur",
         "b 1\na 2\nb\na\n"},
        {"printf 'a\\na\\nb\\n' | uniq -c; printf 'a\\na\\nb\\n' | uniq -d",
         "      2 a\n      1 b\na\n"},
        {"echo a:b:c | cut -d : -f 2; echo a:b:c | cut -d: -f1,3; "
         "echo abcdef | cut -c 2-4",
         "b\na:c\nbcd\n"},
        {"echo hello | tr a-y b-z; echo a1b2 | tr -d 0-9; echo aabb | tr -s ab",
         "ifmmp\nab\nab\n"},
        {"echo Hi | tr '[:upper:]' '[:lower:]'; printf 'a\\nb\\n' | tr '\\n' ,",
         "hi\na,b,"},
        {"printf 'a b\\nc\\n' | xargs echo x; echo a b c | xargs -n 2",
         "x a b c\na b\nc\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("echo a | grep -E '('", 2, "grep: bad pattern '('\n");
    assert_sh_fails("grep a /nope", 2,
                    "grep: /nope: No such file or directory\n");
}

static void bytes_are_checksummed_and_compressed(void **state)
{
    static const struct sh_example examples[] = {
        {"printf abc | md5sum", "900150983cd24fb0d6963f7d28e17f72  -\n"},
        {"printf abc | sha1sum",
         "a9993e364706816aba3e25717850c26c9cd0d89d  -\n"},
        {TMP "printf abc >f; sha256sum f",
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  "
         "f\n"},
        {"printf 'hello world' | base64; printf a | base64; printf ab | base64",
         "aGVsbG8gd29ybGQ=\nYQ==\nYWI=\n"},
        {"echo aGVsbG8= | base64 -d", "hello"},
        {"head -c 60 /dev/zero | base64 | wc -l", "2\n"},
        {"head -c 60 /dev/zero | base64 -w 0 | wc -c", "81\n"},
        {"head -c 1000 /dev/zero | base64 | base64 -d | wc -c", "1000\n"},
        {"echo hello | gzip | gunzip", "hello\n"},
        {"seq 100000 | gzip -1 | gzip -d | md5sum; seq 100000 | md5sum",
         "dea9193b768319cbb4ff1a137ac03113  -\n"
         "dea9193b768319cbb4ff1a137ac03113  -\n"},
        {TMP "echo hi >f; gzip f; ls; zcat f.gz; gunzip f.gz; cat f",
         "f.gz\nhi\nhi\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("echo no | gunzip", 1, "gunzip: not gzip\n");
}

static void properties_describe_the_phone(void **state)
{
    static const struct sh_example examples[] = {
        {"getprop ro.build.version.sdk", "34\n"},
        {"getprop nothing; getprop nothing default", "\ndefault\n"},
        {"getprop | grep sdk]", "[ro.build.version.sdk]: [34]\n"
                                "[ro.system.build.version.sdk]: [34]\n"},
        {"setprop debug.x 1; getprop debug.x", "1\n"},
        {"id -u; id -un; whoami", "2000\nshell\nshell\n"},
        {"uname; uname -m", "Linux\naarch64\n"},
        {"which ls sh; which nothing; echo $?",
         "/system/bin/ls\n/system/bin/sh\n1\n"},
        {"/system/bin/echo a", "a\n"},
        {"date; sleep 90; date +%s; date '+%Y-%m-%d %H:%M:%S'",
         "Mon Jan  6 09:00:00 GMT 2025\n1736154090\n2025-01-06 09:01:30\n"},
        {"uptime | cut -d, -f1", " 09:00:00 up  1:00\n"},
        {"pidof adbd; ps -A -o PID,NAME | grep init; kill -0 $$; echo $?",
         "521\n    1 init\n0\n"},
        {"ps | sed \"s/$$/SHELL/g; s/$(($$ + 1))/OTHER/\"",
         "USER           PID  PPID     VSZ    RSS WCHAN            ADDR "
         "S NAME                       \n"
         "shell        SHELL   521 10769864   3364 sigsuspend          0 "
         "S sh\n"
         "shell        OTHER SHELL 10813472   3808 0                   0 "
         "R ps\n"},
        {"sync; free | wc -l", "4\n"},
        {"df /sdcard | head -n 1", "Filesystem       1K-blocks     Used "
                                   "Available Use% Mounted on\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("setprop ro.x 1", 1,
                    "Failed to set property 'ro.x' to '1'.\n"
                    "See dmesg for error reason.\n");
}

static void id_names_the_shells_groups(void **state)
{
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *out;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, "id", &out, NULL), 0);
    assert_non_null(strstr(out, "uid=2000(shell) gid=2000(shell) "
                                "groups=2000(shell),1004(input),1007(log)"));
    assert_non_null(strstr(out, " context=u:r:shell:s0\n"));
    sh_fixture_free(fixture);
}

static void settings_are_kept(void **state)
{
    static const struct sh_example examples[] = {
        {"settings get system screen_brightness", "102\n"},
        {"settings get secure nothing", "null\n"},
        {"settings put global x 'a b'; settings get global x; "
         "settings list global | grep ^x=; settings delete global x; "
         "settings delete global x; settings get global x",
         "a b\nx=a b\nDeleted 1 rows\nDeleted 0 rows\nnull\n"},
        {"settings --user 0 get system font_scale", "1.0\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("settings get nope x", 255, "Invalid namespace 'nope'\n");
}

static void the_log_is_filtered_and_cleared(void **state)
{
    static const struct sh_example examples[] = {
        {"logcat -d -t 1", "--------- beginning of main\n"
                           "01-06 08:00:17.000   521   521 I adbd    : "
                           "listening\n"},
        {"logcat -d -s SystemUI:I -v brief",
         "--------- beginning of main\nI/SystemUI( 1021): Boot complete\n"},
        {"logcat -d '*:W'; logcat -c; logcat -d | wc -l", "0\n"},
        {"logcat -d -b crash; logcat -d -b system,crash -v raw",
         "--------- beginning of system\nEntered the Android system server!\n"
         "System now ready\nsetWifiEnabled: true\n"},
        {"logcat -d -t 1 -v year; logcat -d -t 1 -v threadtime,year,usec",
         "--------- beginning of main\n"
         "2025-01-06 08:00:17.000   521   521 I adbd    : listening\n"
         "--------- beginning of main\n"
         "2025-01-06 08:00:17.000000   521   521 I adbd    : listening\n"},
        {"logcat -d -e complete -v tag; logcat -d --pid=521 -v tag; "
         "logcat -d -m 1 -v tag",
         "--------- beginning of main\nI/SystemUI: Boot complete\n"
         "--------- beginning of main\nI/adbd    : listening\n"
         "--------- beginning of main\nI/init    : starting service "
         "'zygote'...\n"},
        {"logcat -g -b main",
         "main: ring buffer is 256 KiB (8 KiB consumed, 16 KiB readable), max "
         "entry is 5120 B, max payload is 4068 B\n"},
        {"log -t mine -p w hello there; logcat -d -s mine -v tag",
         "--------- beginning of main\nW/mine    : hello there\n"},
        {"logcat -B -d -s SystemUI | wc -c; "
         "logcat -B -d -s SystemUI | tail -c 23 | tr '\\000' '.'",
         "52\nSystemUI.Boot complete."},
        {"logcat -v raw & echo done", "--------- beginning of main\n"
                                      "starting service 'zygote'...\n"
                                      "Boot is finished (4711 ms)\n"
                                      "--------- beginning of system\n"
                                      "Entered the Android system server!\n"
                                      "System now ready\n"
                                      "setWifiEnabled: true\n"
                                      "Boot complete\n"
                                      "workspace is bound\n"
                                      "listening\n"
                                      "done\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("logcat -b nosuch", 1, "Unknown -b buffer 'nosuch'\n");
    assert_sh_fails("logcat -v nosuch", 1,
                    "Invalid parameter \"nosuch\" to -v\n");
}

static void every_command_has_help(void **state)
{
    (void)state;
    assert_sh("ls --help | tail -n 1",
              "usage: ls [-1AFLRSZadhilnprst] [FILE...]\n");
}

/* The same seed and inputs give the same bytes. */
static void two_phones_of_one_seed_are_equal(void **state)
{
    static const char text[] =
        "date; getprop; settings list system; logcat -d; ls -lR /; "
        "seq 1000 | sort -r | md5sum; (echo a; echo b >&2) 2>&1 | cat; "
        "yes | head -n 3 | while read x; do sleep 1; date; done";
    struct sh_fixture *one =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    struct sh_fixture *two =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *first;
    const char *second;

    (void)state;
    (void)sh_fixture_run(one, text, &first, NULL);
    (void)sh_fixture_run(two, text, &second, NULL);
    assert_string_equal(first, second);
    sh_fixture_free(one);
    sh_fixture_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ls_prints_as_toybox_does),
        cmocka_unit_test(files_are_created_moved_and_removed),
        cmocka_unit_test(stat_prints_as_toybox_does),
        cmocka_unit_test(texts_are_printed),
        cmocka_unit_test(lines_are_copied_and_counted),
        cmocka_unit_test(lines_are_selected_and_sorted),
        cmocka_unit_test(bytes_are_checksummed_and_compressed),
        cmocka_unit_test(properties_describe_the_phone),
        cmocka_unit_test(id_names_the_shells_groups),
        cmocka_unit_test(settings_are_kept),
        cmocka_unit_test(the_log_is_filtered_and_cleared),
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(two_phones_of_one_seed_are_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
