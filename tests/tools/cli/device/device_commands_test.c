/* Every command against a real device, directly and through an adb server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "tests/tools/cli/command_run.h"

/* Both ways to the same device. In scripts: $way. */
static const char *const ways[] = {"direct", "server"};

/* Scripts see $ROOT, the device's files, and work in an empty folder. */
static int enter_folder(void **state)
{
    (void)state;
    setenv("ROOT", getenv("PROCTOR_PEER_ROOT"), 1);
    return chdir(getenv("TMPDIR"));
}

/* Use this way to the device from now on. */
static void choose_way(const char *way)
{
    struct command_run run = {0};

    if (!strcmp(way, "direct"))
        RUN(&run, 0, "proctor connect \"$PROCTOR_PEER_ADBD\"");
    else
        RUN(&run, 0, "proctor disconnect --all");
    command_run_release(&run);
}

static void assert_json(const struct buf *text)
{
    struct cJSON *tree = NULL;
    struct err err;

    if (!json_parse(buf_cstr(text), text->length, &tree, &err))
        fail_msg("%s: %s", err.text, buf_cstr(text));
    cJSON_Delete(tree);
}

static void devices_are_listed_by_their_best_way(void **state)
{
    struct command_run run = {0};

    (void)state;
    choose_way("server");
    RUN(&run, 0, "proctor devices");
    SAYS(run.out, "127.0.0.1:6555  device  adb server\n");
    choose_way("direct");
    RUN(&run, 0, "proctor devices -l");
    SAYS(run.out, "127.0.0.1:6555  device  direct");
    RUN(&run, 0, "proctor devices -q");
    assert_string_equal(buf_cstr(&run.out), "127.0.0.1:6555\n");
    RUN(&run, 0, "proctor devices --json");
    assert_json(&run.out);
    SAYS(run.out, "\"serial\":\"127.0.0.1:6555\",\"state\":\"device\"");
    command_run_release(&run);
}

static void watch_reports_changes(void **state)
{
    struct command_run run = {0};

    (void)state;
    choose_way("server");
    RUN(&run, 130,
        "is_listed() { test \"$(grep -c '^127.0.0.1:6555  device' list)\" = $1;"
        " };"
        "proctor devices --watch >list 2>said & await is_listed 1;"
        " adb disconnect >/dev/null; await grep -q 'no phone is connected' "
        "said;"
        " adb connect $PROCTOR_PEER_ADBD >/dev/null; await is_listed 2;"
        " kill -TERM $!; wait $!");
    command_run_release(&run);
}

static void shell_passes_input_output_and_status(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 7, "proctor shell 'echo out; echo err >&2; exit 7'");
        assert_string_equal(buf_cstr(&run.out), "out\n");
        assert_string_equal(buf_cstr(&run.errors), "err\n");
        RUN(&run, 0, "echo hi | proctor shell cat");
        assert_string_equal(buf_cstr(&run.out), "hi\n");
        RUN(&run, 0, "yes | head -c 100 | proctor shell -n cat");
        assert_string_equal(buf_cstr(&run.out), "");
        RUN(&run, 0, "proctor shell -T echo -s  a 'b  c'");
        assert_string_equal(buf_cstr(&run.out), "-s a b c\n");
    }
    command_run_release(&run);
}

static void a_shell_is_binary_clean(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 0,
            "head -c 3000000 /dev/urandom >random;"
            " proctor shell cat <random >back && cmp random back");
    }
    command_run_release(&run);
}

static void closed_output_ends_the_shell_without_a_message(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 141,
            "bash -c 'proctor shell yes | head -1; exit ${PIPESTATUS[0]}'");
        assert_string_equal(buf_cstr(&run.out), "y\n");
        assert_string_equal(buf_cstr(&run.errors), "");
        RUN(&run, 141,
            "bash -c 'yes 2>/dev/null | proctor shell cat | head -1;"
            " exit ${PIPESTATUS[1]}'");
        assert_string_equal(buf_cstr(&run.errors), "");
    }
    command_run_release(&run);
}

/* adbd sends the rest at once when the command has exited. */
static void a_slow_reader_receives_all_output_and_the_status(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 0,
            "for size in 400000 1300000 3000000; do"
            " { proctor shell \"head -c $size /dev/zero; exit 7\";"
            " echo $? >code; } | { sleep 1; wc -c; }; cat code; done");
        assert_string_equal(buf_cstr(&run.out),
                            "400000\n7\n1300000\n7\n3000000\n7\n");
    }
    command_run_release(&run);
}

static void a_raw_service_is_copied_both_ways(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 0, "proctor raw -n 'exec:printf \"a\\000b\"' | od -An -c");
        assert_string_equal(buf_cstr(&run.out), "   a  \\0   b\n");
        RUN(&run, 0, "echo 12 | proctor raw 'exec:head -c 3'");
        assert_string_equal(buf_cstr(&run.out), "12\n");
    }
    command_run_release(&run);
}

static void files_are_pushed_and_pulled_with_every_compression(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 0,
            "set -e; head -c 2000001 /dev/urandom >file; touch -d @1000000000 "
            "file\n"
            "for z in any none brotli lz4 zstd; do\n"
            "proctor push -z $z file /data/local/tmp/; rm -f back;"
            " proctor pull --compression=$z /data/local/tmp/file back;"
            " cmp file back; test $(stat -c %Y back) = 1000000000; done");
        SAYS(run.errors, "pushed 1 file, 1.9 MiB in ");
        SAYS(run.errors, "pulled 1 file, 1.9 MiB in ");
        assert_string_equal(buf_cstr(&run.out), "");
    }
    RUN(&run, 0, "proctor push --json file /data/local/tmp/");
    assert_json(&run.out);
    SAYS(run.out, "\"files\":1,\"bytes\":2000001");
    assert_string_equal(buf_cstr(&run.errors), "");
    command_run_release(&run);
}

static void trees_and_several_files_are_pushed_and_pulled(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "set -e; mkdir -p tree/a/b; echo 1 >tree/one; echo 2 >tree/a/b/two;"
        " proctor push tree file /data/local/tmp/;"
        " proctor pull /data/local/tmp/tree again; diff -r tree again;"
        " mkdir both; proctor pull /data/local/tmp/tree"
        " /data/local/tmp/file both; diff -r tree both/tree");
    RUN(&run, 2, "proctor push tree/one file /data/local/tmp/file");
    SAYS(run.errors, "is not a directory on the phone");
    RUN(&run, 2, "proctor pull /etc/passwd /etc/group nowhere");
    SAYS(run.errors, "nowhere is not a directory on this computer");
    command_run_release(&run);
}

static void a_directory_is_listed_sorted(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "mkdir -p $ROOT/data/ls/sub; echo abc >$ROOT/data/ls/b;"
        " touch -d 2020-02-03T04:05 $ROOT/data/ls/b;"
        " chmod 640 $ROOT/data/ls/b; touch $ROOT/data/ls/.c;"
        " proctor ls /data/ls");
    assert_string_equal(buf_cstr(&run.out), "b\nsub\n");
    RUN(&run, 0, "proctor ls -a /data/ls");
    assert_string_equal(buf_cstr(&run.out), ".\n..\n.c\nb\nsub\n");
    RUN(&run, 0, "proctor ls -l /data/ls/b");
    assert_string_equal(buf_cstr(&run.out),
                        "-rw-r----- 4 2020-02-03 04:05 /data/ls/b\n");
    RUN(&run, 0, "proctor ls --json /data/ls");
    assert_json(&run.out);
    SAYS(run.out, "{\"name\":\"b\",\"type\":\"file\",\"mode\":416,\"size\":4,");
    command_run_release(&run);
}

/* Wait for the first line of a program's output; then $port is set. */
#define AWAIT_PORT "await grep -q . port; port=$(head -n 1 port);"

static void forward_transfers_data_until_interrupted(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 130,
            "proctor forward tcp:0 tcp:6555 >port & " AWAIT_PORT
            " proctor -s 127.0.0.1:$port shell echo through;"
            " kill -TERM $!; wait $!; code=$?; rm port;"
            " proctor -s 127.0.0.1:$port shell true 2>/dev/null && exit 98;"
            " exit $code");
        assert_string_equal(buf_cstr(&run.out), "through\n");
        SAYS(run.errors, "to tcp:6555 on the phone until interrupted");
    }
    command_run_release(&run);
}

static void a_forward_prints_which_connections_were_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    choose_way("direct");
    RUN(&run, 130,
        "proctor forward tcp:0 tcp:1 >port 2>said & " AWAIT_PORT
        " proctor -s 127.0.0.1:$port shell true 2>/dev/null && exit 98;"
        " await grep -q 'a connection was refused: opening tcp' said;"
        " kill -TERM $!; wait $!; code=$?; rm port said; exit $code");
    command_run_release(&run);
}

static void reverse_transfers_data_and_is_removed(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        choose_way(ways[i]);
        RUN(&run, 130,
            "proctor reverse tcp:0 tcp:6555 >port & " AWAIT_PORT
            " proctor -s 127.0.0.1:$port shell echo back;"
            " kill -TERM $!; wait $!; code=$?; rm port; proctor reverse --list;"
            " exit $code");
        assert_string_equal(buf_cstr(&run.out), "back\n");
        SAYS(run.errors, "on the phone to tcp:6555 until interrupted");
    }
    command_run_release(&run);
}

static void reverses_of_a_server_are_listed_and_removed(void **state)
{
    struct command_run run = {0};

    (void)state;
    choose_way("server");
    RUN(&run, 0,
        "adb reverse tcp:7001 tcp:7002 >/dev/null; adb reverse tcp:7003"
        " tcp:7004 >/dev/null; proctor reverse --list");
    SAYS(run.out, "tcp:7001 tcp:7002\n");
    RUN(&run, 0, "proctor reverse --list --json");
    assert_json(&run.out);
    RUN(&run, 0, "proctor reverse --remove tcp:7001; proctor reverse -l");
    SAYS(run.out, "tcp:7003 tcp:7004\n");
    assert_null(strstr(buf_cstr(&run.out), "7001"));
    RUN(&run, 0, "proctor reverse --remove-all; proctor reverse --list");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void doctor_reports_good_and_bad_checks(void **state)
{
    struct command_run run = {0};

    (void)state;
    choose_way("direct");
    RUN(&run, 0, "proctor doctor");
    SAYS(run.out, "running at 127.0.0.1 port 5037");
    SAYS(run.out, "127.0.0.1:6555 answers directly in ");
    SAYS(run.out, "No problems found.");
    RUN(&run, 1,
        "chmod 644 $HOME/.android/adbkey; proctor doctor; code=$?;"
        " chmod 600 $HOME/.android/adbkey; exit $code");
    SAYS(run.out, "do: chmod 600 ");
    SAYS(run.out, "1 problem found.");
    RUN(&run, 1, "ANDROID_ADB_SERVER_PORT=x ANDROID_SERIAL=y proctor doctor");
    SAYS(run.out, "ANDROID_SERIAL is \"y\", and no such phone is connected");
    /* OCR may be missing: that is reported, and is no error. */
    RUN(&run, 0, "at=$(command -v proctor); PATH=/nowhere \"$at\" doctor");
    SAYS(run.out, "tesseract-ocr-eng");
    RUN(&run, 0, "proctor doctor --json");
    assert_json(&run.out);
    SAYS(run.out, "\"healthy\":true");
    RUN(&run, 0, "ANDROID_ADB_SERVER_PORT=1 proctor doctor");
    SAYS(run.out, "not running at 127.0.0.1 port 1");
    command_run_release(&run);
}

static void addresses_are_remembered_and_forgotten(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor disconnect --all; proctor connect 127.0.0.1:6555;"
        " proctor disconnect 127.0.0.1:6555");
    SAYS(run.errors, "127.0.0.1:6555 answers, and is remembered");
    SAYS(run.errors, "forgot 127.0.0.1:6555");
    RUN(&run, 2, "proctor disconnect 127.0.0.1:6555");
    RUN(&run, 2, "proctor disconnect");
    SAYS(run.errors, "give either an address or --all");
    command_run_release(&run);
}

static void bash_completes_serials_with_colons(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "bash -c '. <(proctor completion bash);"
        " ask() { COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=(); _proctor;"
        " echo \"[${COMPREPLY[*]}]\"; };"
        " ask \"proctor shell -s 127\"; ask \"proctor -s 127.0.0.1:6\"'");
    assert_string_equal(buf_cstr(&run.out), "[127.0.0.1:6555]\n[6555]\n");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_listed_by_their_best_way),
        cmocka_unit_test(watch_reports_changes),
        cmocka_unit_test(shell_passes_input_output_and_status),
        cmocka_unit_test(a_shell_is_binary_clean),
        cmocka_unit_test(closed_output_ends_the_shell_without_a_message),
        cmocka_unit_test(a_slow_reader_receives_all_output_and_the_status),
        cmocka_unit_test(a_raw_service_is_copied_both_ways),
        cmocka_unit_test(files_are_pushed_and_pulled_with_every_compression),
        cmocka_unit_test(trees_and_several_files_are_pushed_and_pulled),
        cmocka_unit_test(a_directory_is_listed_sorted),
        cmocka_unit_test(forward_transfers_data_until_interrupted),
        cmocka_unit_test(a_forward_prints_which_connections_were_refused),
        cmocka_unit_test(reverse_transfers_data_and_is_removed),
        cmocka_unit_test(reverses_of_a_server_are_listed_and_removed),
        cmocka_unit_test(doctor_reports_good_and_bad_checks),
        cmocka_unit_test(addresses_are_remembered_and_forgotten),
        cmocka_unit_test(bash_completes_serials_with_colons),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
