/*
 * proctor selftest with a stock adbd, unmodified and with programs that behave
 * like those of phones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/macros.h"
#include "base/picture/png.h"
#include "tests/tools/cli/command_run.h"

#define BUNDLE_LIMIT ((size_t)16 * 1024 * 1024)

/*
 * In scripts: $DEVICE is the stock adbd. "start_phone" starts one more that
 * finds its programs in $ROOT/data/bin first; that one is $PHONE.
 */
#define START_PHONE                                                            \
    "start_phone() { env -i PATH=/data/bin:/usr/sbin:/usr/bin HOME=/data"      \
    " ADBD_PORT=6778 chroot \"$ROOT\" /usr/sbin/adbd >/dev/null 2>&1 &"        \
    " echo $! >$ROOT/data/pid;"                                                \
    " await proctor -s $PHONE shell true 2>/dev/null; };"                      \
    "stop_phone() { kill -9 $(cat $ROOT/data/pid); };"                         \
    "start_phone;"

/* Files and listeners that a selftest left on a device. */
#define LOOK_FOR_REMAINS                                                       \
    "ls $ROOT/data/local/tmp $ROOT/tmp | grep selftest; adb reverse --list;"

static const struct {
    const char *name;
    const char *script;
} programs[] = {
    {"getprop", "case $1 in\n"
                "ro.product.model) echo Slab 3;;\n"
                "ro.build.version.release) echo 14;;\n"
                "ro.serialno) echo unknown;;\nesac"},
    {"pm", "echo package:/system/framework/framework-res.apk"},
    {"wm", "echo Physical size: 4x2"},
    {"screencap", "if [ \"$1\" = -p ]; then cat /data/shot.png; exit; fi\n"
                  "printf '\\4\\0\\0\\0\\2\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0'\n"
                  "head -c 32 /dev/zero"},
    {"uiautomator", "echo '<?xml version=\"1.0\"?><hierarchy>"
                    "<node text=\"Dear diary\"/></hierarchy>' >\"$2\"\n"
                    "echo UI hierchary dumped to: \"$2\""},
    {"input", "exit 0"},
};

static void put_program(const char *name, const char *script)
{
    char path[4096];
    char text[4096];
    struct err err;

    snprintf(path, sizeof(path), "%s/data/bin/%s", getenv("ROOT"), name);
    snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
    assert_true(file_save(path, 0777, text, strlen(text), &err));
}

static void put_screenshot(void)
{
    struct picture picture = PICTURE_INIT;
    struct buf png = BUF_INIT(4096);
    char path[4096];
    struct err err;

    snprintf(path, sizeof(path), "%s/data/shot.png", getenv("ROOT"));
    assert_true(picture_resize(&picture, 4, 2, &err));
    memset(picture.pixels, 0, 2 * picture.stride);
    assert_true(png_encode(&picture, PNG_FAST, &png, &err));
    assert_true(file_save(path, 0666, png.data, png.length, &err));
    picture_release(&picture);
    buf_release(&png);
}

static int enter_folder(void **state)
{
    struct command_run run = {0};

    (void)state;
    setenv("ROOT", getenv("PROCTOR_PEER_ROOT"), 1);
    setenv("DEVICE", getenv("PROCTOR_PEER_ADBD"), 1);
    setenv("PHONE", "127.0.0.1:6778", 1);
    if (chdir(getenv("TMPDIR")))
        return -1;
    RUN(&run, 0, "mkdir $ROOT/data/bin");
    command_run_release(&run);
    put_screenshot();
    return 0;
}

/* The programs of a phone without problems. */
static int put_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(programs); i++)
        put_program(programs[i].name, programs[i].script);
    return 0;
}

/* All texts of a bundle, concatenated. */
static void read_bundle(const char *path, struct buf *texts)
{
    struct zip *zip = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, NULL);

    assert_non_null(zip);
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); i++) {
        struct zip_file *file = zip_fopen_index(zip, (zip_uint64_t)i, 0);
        char piece[4096];
        zip_int64_t got;

        assert_non_null(file);
        buf_printf(texts, "\n== %s\n", zip_get_name(zip, (zip_uint64_t)i, 0));
        while ((got = zip_fread(file, piece, sizeof(piece))) > 0)
            buf_append(texts, piece, (size_t)got);
        assert_int_equal(got, 0);
        zip_fclose(file);
    }
    zip_discard(zip);
}

static void assert_silent_on(const struct buf *text, const char *secret)
{
    const char *found = strcasestr(buf_cstr(text), secret);

    if (found)
        fail_msg("\"%s\" is leaked: %.200s", secret, found);
}

static void all_checks_pass_and_leave_nothing(void **state)
{
    static const char *const ways[] = {
        "proctor -s $DEVICE selftest -o b.zip;",
        "adb connect $DEVICE >/dev/null; proctor disconnect --all;"
        " proctor selftest -o b.zip;",
    };
    struct buf texts = BUF_INIT(BUNDLE_LIMIT);
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        RUN(&run, 0, ways[i]);
        SAYS(run.out, "18 passed, 0 failed, 9 not offered.");
        SAYS(run.out, i ? "through an adb server" : "TCP, version 0x01000001");
        buf_clear(&texts);
        read_bundle("b.zip", &texts);
        SAYS(texts, "== report.txt\nSelftest of ");
        SAYS(texts, "== report.json\n{\"version\":");
        SAYS(texts, "== features.txt\nshell_v2, ");
        SAYS(texts, "== trace.log\n");
        SAYS(texts, i ? "host:transport:serial-1" : "packet -> OPEN");
        assert_silent_on(&texts, "127.0.0.1");
        assert_silent_on(&run.out, "127.0.0.1");
        RUN(&run, 0, LOOK_FOR_REMAINS);
        assert_string_equal(buf_cstr(&run.out), "\n");
    }
    buf_release(&texts);
    command_run_release(&run);
}

static void json_has_all_results(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct err err;

    (void)state;
    RUN(&run, 0, "proctor -s $DEVICE selftest --json");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    SAYS(run.out, "\"passed\":18,\"failed\":0,\"not_offered\":9,");
    assert_string_equal(buf_cstr(&run.errors), "");
    cJSON_Delete(tree);
    command_run_release(&run);
}

static void phone_passes_and_its_screen_is_not_reported(void **state)
{
    struct buf texts = BUF_INIT(BUNDLE_LIMIT);
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        START_PHONE "proctor -s $PHONE selftest -o b.zip; code=$?;"
                    " stop_phone; exit $code");
    SAYS(run.out, "Selftest of Slab 3, Android 14");
    SAYS(run.out, "26 passed, 0 failed, 1 not offered.");
    SAYS(run.out, "1 nodes, ");
    SAYS(run.out, "4 x 2, ");
    read_bundle("b.zip", &texts);
    assert_silent_on(&texts, "diary");
    buf_release(&texts);
    command_run_release(&run);
}

static void forbid_input(void)
{
    put_program("input", "echo 'java.lang.SecurityException: Injecting to "
                         "another application requires INJECT_EVENTS "
                         "permission' >&2; exit 255");
}

static void doctor_recognizes_a_phone_that_forbids_input(void **state)
{
    struct command_run run = {0};

    (void)state;
    forbid_input();
    RUN(&run, 1,
        START_PHONE "proctor connect $PHONE >/dev/null; proctor doctor;"
                    " code=$?; stop_phone; exit $code");
    SAYS(run.out, "does not allow input from adb");
    SAYS(run.out, "(Security");
    command_run_release(&run);
}

static void failure_is_reported_with_the_phones_message(void **state)
{
    struct command_run run = {0};

    (void)state;
    forbid_input();
    put_program("uiautomator", "echo 'ERROR: null root node returned by "
                               "UiTestAutomationBridge.'");
    put_program("screencap", "echo 'no display' >&2; exit 1");
    RUN(&run, 1,
        START_PHONE "proctor -s $PHONE selftest; code=$?;"
                    " stop_phone; exit $code");
    SAYS(run.out, "forbids input");
    SAYS(run.out, "null root node");
    SAYS(run.out, "no display");
    SAYS(run.out, "5 failed, 1 not offered.");
    command_run_release(&run);
}

static void bundle_contains_no_secret(void **state)
{
    static const char *const secrets[] = {
        "R58M12ABCDE", "zaphod",        "marvin",           "127.0.0.1",
        "fe80",        "Android.local", "9774d56d682e549c", "02:00:5e:10:00:ff",
    };
    struct buf texts = BUF_INIT(BUNDLE_LIMIT);
    struct command_run run = {0};

    (void)state;
    put_program("getprop",
                "case $1 in\n"
                "ro.serialno) echo R58M12ABCDE;;\n"
                "ro.product.model) echo Slab of R58M12ABCDE;;\nesac");
    put_program("wm", "echo 'zaphod on marvin' >&2; exit 1");
    put_program("pm", "echo 'fe80::1%wlan0 127.0.0.1:6778 Android.local "
                      "9774d56d682e549c 02:00:5e:10:00:ff' >&2; exit 1");
    RUN(&run, 1,
        START_PHONE "unshare --uts sh -c 'hostname marvin; USER=zaphod"
                    " proctor -s $PHONE selftest -o b.zip'; code=$?;"
                    " stop_phone; exit $code");
    SAYS(run.out, "Selftest of Slab of serial-2");
    SAYS(run.out, "wm: user-1 on host-1");
    SAYS(run.out, "pm: address-2 serial-1 host-2 id-1 mac-1");
    read_bundle("b.zip", &texts);
    for (size_t i = 0; i < ARRAY_LEN(secrets); i++) {
        assert_silent_on(&texts, secrets[i]);
        assert_silent_on(&run.out, secrets[i]);
    }
    buf_release(&texts);
    command_run_release(&run);
}

/* On a busy machine, the first checks may not have started. */
static void an_interrupt_at_any_moment_leaves_nothing(void **state)
{
    struct command_run run = {0};

    (void)state;
    for (int way = 0; way < 2; way++) {
        setenv("SERIAL", way ? "" : getenv("DEVICE"), 1);
        RUN(&run, 0,
            "message='proctor: interrupted; everything that was created on "
            "the phone is removed'"
            "\nfor after in 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.5 0.6 1 2 4;"
            " do\n"
            "case $after in [1-9]) ! grep -q \"$message\" said || break; esac\n"
            "env --default-signal=INT proctor -s \"$SERIAL\" selftest -o i.zip"
            " >/dev/null 2>>said & sleep $after; kill -INT $!; wait $!\n"
            "code=$?\n"
            "test $code = 130 && test ! -e i.zip || test $code = 0 || exit 9\n"
            "rm -f i.zip; done; grep -q \"$message\" said || exit 8; rm "
            "said;" LOOK_FOR_REMAINS);
        assert_string_equal(buf_cstr(&run.out), "\n");
    }
    command_run_release(&run);
}

static void a_lost_phone_ends_it_with_a_report(void **state)
{
    struct buf texts = BUF_INIT(BUNDLE_LIMIT);
    struct command_run run = {0};

    (void)state;
    put_program("wm", "kill -9 $(cat /data/pid); sleep 1");
    RUN(&run, 5, START_PHONE "proctor -s $PHONE selftest -o b.zip");
    SAYS(run.out, "It ended early: ");
    SAYS(run.out, "STILL ON THE PHONE: directory ");
    SAYS(run.out, "2 failed, ");
    read_bundle("b.zip", &texts);
    SAYS(texts, "\"ended_early\":");
    RUN(&run, 0, "rm -r $ROOT/data/local/tmp/proctor-selftest-*");
    buf_release(&texts);
    command_run_release(&run);
}

static void other_directory_is_used(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "mv $ROOT/data/local $ROOT/data/away;"
        " proctor -s $DEVICE selftest; code=$?;"
        " mv $ROOT/data/away $ROOT/data/local; exit $code");
    SAYS(run.out, " /tmp/proctor-selftest-");
    RUN(&run, 0, LOOK_FOR_REMAINS);
    assert_string_equal(buf_cstr(&run.out), "\n");
    command_run_release(&run);
}

static void bundle_path_that_cannot_be_written_is_refused_at_once(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor -s $DEVICE selftest -o nosuch/b.zip");
    SAYS(run.errors, "nosuch");
    assert_string_equal(buf_cstr(&run.out), "");
    RUN(&run, 2, "proctor -s nosuch selftest -o new.zip");
    SAYS(run.errors, "nosuch");
    RUN(&run, 1, "ls -a | grep new.zip");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_checks_pass_and_leave_nothing),
        cmocka_unit_test(json_has_all_results),
        cmocka_unit_test_setup(phone_passes_and_its_screen_is_not_reported,
                               put_programs),
        cmocka_unit_test_setup(doctor_recognizes_a_phone_that_forbids_input,
                               put_programs),
        cmocka_unit_test_setup(failure_is_reported_with_the_phones_message,
                               put_programs),
        cmocka_unit_test_setup(bundle_contains_no_secret, put_programs),
        cmocka_unit_test(an_interrupt_at_any_moment_leaves_nothing),
        cmocka_unit_test_setup(a_lost_phone_ends_it_with_a_report,
                               put_programs),
        cmocka_unit_test(other_directory_is_used),
        cmocka_unit_test(bundle_path_that_cannot_be_written_is_refused_at_once),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
