#include "runner/device/device_settings.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "tests/runner/test_phone.h"

#define SERIAL "phone-under-test"

static const struct device_settings_options everything = {
    .stay_awake = true, .disable_animations = true, .disable_rotation = true};

/* All settings that may be changed. */
static const char how_it_is[] =
    "for s in 'global stay_on_while_plugged_in' "
    "'global window_animation_scale' 'global transition_animation_scale' "
    "'global animator_duration_scale' 'system accelerometer_rotation' "
    "'system user_rotation' 'secure default_input_method'; do "
    "settings get $s; done; ime list -s; dumpsys power | grep mWakefulness=";

static char folder[] = "/tmp/proctor-prepare.XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static int files_in_folder(void)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    int count = 0;

    while ((entry = readdir(directory)))
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static struct device_settings *prepare(
    struct test_phone *phone, const struct device_settings_options *options)
{
    struct device_settings_options own = *options;
    struct device_settings *made = NULL;
    struct err err = ERR_INIT;

    own.folder = folder;
    if (!device_settings_open(phone->device, SERIAL, &own, SOON, &made, &err))
        fail_msg("%s", err.text);
    return made;
}

static void undo(struct device_settings *device_settings,
                 struct test_phone *phone)
{
    struct err err = ERR_INIT;

    if (!device_settings_undo(device_settings, phone->device, &err))
        fail_msg("%s", err.text);
    device_settings_close(device_settings);
}

static void keep(struct test_phone *phone, char said[4096])
{
    snprintf(said, 4096, "%s", test_phone_run(phone, how_it_is));
}

static void changed_settings_are_restored(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct test_phone phone;
    struct device_settings *device_settings;
    char before[4096];
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    (void)test_phone_run(&phone, "settings put system user_rotation 1; "
                                 "settings put global window_animation_scale "
                                 "0.5; input keyevent 223");
    keep(&phone, before);
    device_settings = prepare(&phone, &everything);
    assert_int_equal(files_in_folder(), 1);
    assert_true(undo_journal_use_keyboard(
        device_settings_journal(device_settings), phone.device,
        "com.android.adbkeyboard/.AdbIME", SOON, &err));
    assert_string_equal(test_phone_run(&phone, how_it_is),
                        "7\n0\n0\n0\n0\n0\ncom.android.adbkeyboard/.AdbIME\n"
                        "com.android.inputmethod.latin/.LatinIME\n"
                        "com.android.adbkeyboard/.AdbIME\n"
                        "  mWakefulness=Awake\n");
    undo(device_settings, &phone);
    assert_string_equal(test_phone_run(&phone, how_it_is), before);
    assert_int_equal(files_in_folder(), 0);
    test_phone_stop(&phone);
}

/* Note what an agent is about to do; the phone lets it be read. */
static void note_agent(struct device_settings *device_settings,
                       struct test_phone *phone)
{
    static const char *const files[] = {
        "/sdcard/new/deep/one.png", "/sdcard/new/two.png",
        "/sdcard/new/deep/one.png", "/sdcard/there.txt", "/sdcard/it's new"};
    struct undo_journal *journal =
        device_settings_agent_journal(device_settings);
    struct err err = ERR_INIT;

    if (!undo_journal_note_setting(journal, phone->device,
                                   "system user_rotation", SOON, &err) ||
        !undo_journal_note_setting(journal, phone->device, "system none", SOON,
                                   &err) ||
        !undo_journal_note_keyboard(journal, phone->device,
                                    "com.android.adbkeyboard/.AdbIME", SOON,
                                    &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char command[256];

        if (!undo_journal_note_file(journal, phone->device, files[i], SOON,
                                    &err))
            fail_msg("%s: %s", files[i], err.text);
        snprintf(command, sizeof(command),
                 "f=\"%s\"; mkdir -p \"${f%%/*}\"; echo new > \"$f\"",
                 files[i]);
        (void)test_phone_run(phone, command);
    }
    (void)test_phone_run(
        phone, "settings put system user_rotation 2; settings put system none "
               "1; ime enable com.android.adbkeyboard/.AdbIME; "
               "ime set com.android.adbkeyboard/.AdbIME; echo mine > "
               "/sdcard/new/mine.txt");
}

static const char what_an_agent_left[] =
    "settings get system user_rotation; settings get system none; "
    "settings get secure default_input_method; ime list -s; "
    "cat /sdcard/there.txt; find /sdcard/new; ls /sdcard | grep it";

static void start_agent_phone(struct test_phone *phone)
{
    test_phone_start(phone, &(struct phone_options){.adb_keyboard = true});
    (void)test_phone_run(phone, "echo old > /sdcard/there.txt; "
                                "settings put system user_rotation 1");
}

/* What was there before is not removed, even if it was overwritten. */
static const char clean[] =
    "0\nnull\ncom.android.inputmethod.latin/.LatinIME\n"
    "com.android.inputmethod.latin/.LatinIME\nnew\n/sdcard/new\n"
    "/sdcard/new/mine.txt\n";

static void what_an_agent_changes_is_restored(void **state)
{
    struct test_phone phone;
    struct device_settings *device_settings;
    struct err err = ERR_INIT;

    (void)state;
    start_agent_phone(&phone);
    device_settings = prepare(&phone, &everything);
    note_agent(device_settings, &phone);
    assert_int_equal(files_in_folder(), 2);
    if (!device_settings_undo_agent(device_settings, phone.device, &err))
        fail_msg("%s", err.text);
    assert_int_equal(files_in_folder(), 1);
    assert_string_equal(test_phone_run(&phone, what_an_agent_left), clean);
    undo(device_settings, &phone);
    assert_string_equal(
        test_phone_run(&phone, "settings get system user_rotation"), "1\n");
    test_phone_stop(&phone);
}

/* After a kill, the next program does it. */
static void what_a_killed_agent_left_is_restored(void **state)
{
    const struct device_settings_options nothing = {.stay_awake = false};
    struct test_phone phone;
    struct device_settings *device_settings;

    (void)state;
    start_agent_phone(&phone);
    device_settings = prepare(&phone, &everything);
    note_agent(device_settings, &phone);
    device_settings_close(device_settings);
    device_settings = prepare(&phone, &nothing);
    assert_int_equal(files_in_folder(), 0);
    assert_string_equal(test_phone_run(&phone,
                                       "settings get system user_rotation; "
                                       "find /sdcard/new -type f"),
                        "1\n/sdcard/new/mine.txt\n");
    undo(device_settings, &phone);
    test_phone_stop(&phone);
}

static void names_that_are_none_are_not_noted(void **state)
{
    static const char *const files[] = {"", "a", "/", "/a/", "/a\nb"};
    static const char *const settings[] = {"", "system", "x y", "system a b",
                                           "system $(reboot)"};
    struct test_phone phone;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &(struct phone_options){.seed = 1});
    assert_true(undo_journal_open(NULL, &journal, &err));
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        assert_false(undo_journal_note_file(journal, phone.device, files[i],
                                            SOON, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_false(undo_journal_note_setting(journal, phone.device,
                                               settings[i], SOON, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    assert_int_equal(undo_journal_count(journal), 0);
    undo_journal_close(journal);
    test_phone_stop(&phone);
}

static void only_requested_settings_are_changed(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;
    struct device_settings *device_settings;
    char before[4096];

    (void)state;
    test_phone_start(&phone, &options);
    keep(&phone, before);
    device_settings = prepare(&phone, &(struct device_settings_options){0});
    assert_string_equal(test_phone_run(&phone, how_it_is), before);
    assert_int_equal(files_in_folder(), 0);
    undo(device_settings, &phone);
    test_phone_stop(&phone);
}

/* ---- after a kill ---- */

/* The program to kill: changes settings, uses a keyboard, and restores them. */
static int be_killed(const char *port, const char *where)
{
    struct device *device = NULL;
    struct device_settings *device_settings = NULL;
    struct device_settings_options options = everything;
    struct err err = ERR_INIT;

    options.folder = where;
    if (!device_open_tcp("127.0.0.1", (uint16_t)strtoul(port, NULL, 10),
                         &(struct device_options){.log = NULL}, SOON, &device,
                         &err) ||
        !device_settings_open(device, SERIAL, &options, SOON, &device_settings,
                              &err) ||
        !undo_journal_use_keyboard(device_settings_journal(device_settings),
                                   device, "com.android.adbkeyboard/.AdbIME",
                                   SOON, &err) ||
        !device_settings_undo(device_settings, device, &err))
        return 1;
    device_settings_close(device_settings);
    device_close(device);
    return 0;
}

static pid_t start_other(const struct test_phone *phone)
{
    char self[] = "/proc/self/exe", flag[] = "--be-killed", port[16];
    char *arguments[] = {self, flag, port, folder, NULL};
    pid_t pid;

    snprintf(port, sizeof(port), "%u", (unsigned)phone_port(phone->phone));
    assert_int_equal(posix_spawn(&pid, self, NULL, NULL, arguments, environ),
                     0);
    return pid;
}

static void note_stall(void *context, const char *line)
{
    atomic_bool *stalled = context;

    (void)line;
    atomic_store(stalled, true);
}

/* Let it run until its nth command stalls, and kill it. */
static bool kill_at(struct test_phone *phone, atomic_bool *stalled)
{
    pid_t pid = start_other(phone);
    int status;

    while (!atomic_load(stalled)) {
        if (waitpid(pid, &status, WNOHANG) == pid) {
            assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
            return false;
        }
        usleep(2000);
    }
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return true;
}

static void a_kill_at_any_command_is_undone_by_the_next_start(void **state)
{
    int step = getenv("PROCTOR_FULL") ? 1 : 4;
    int killed = 0;

    (void)state;
    for (int skip = 0;; skip += step) {
        atomic_bool stalled = false;
        char faults[64], before[4096];
        const struct phone_options options = {.adb_keyboard = true,
                                              .faults = faults,
                                              .tell_fault = note_stall,
                                              .tell_context = &stalled};
        struct test_phone phone;
        struct device_settings *device_settings;

        /* The first three descriptors belong to this test. */
        snprintf(faults, sizeof(faults), "stall:service=shell,skip=%d,times=1",
                 skip + 3);
        test_phone_start(&phone, &options);
        keep(&phone, before);
        if (!kill_at(&phone, &stalled)) {
            test_phone_stop(&phone);
            break;
        }
        killed++;
        device_settings = prepare(&phone, &(struct device_settings_options){0});
        assert_string_equal(test_phone_run(&phone, how_it_is), before);
        undo(device_settings, &phone);
        assert_int_equal(files_in_folder(), 0);
        test_phone_stop(&phone);
    }
    assert_true(killed * step > 20);
}

static void invalid_journal_is_reported_with_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{\"setting\": \"global x; reboot\", \"was\": \"1\"}\n",
         "not a setting: global x; reboot"},
        {"{\"setting\": \"other x\"}\n", "not a setting: other x"},
        {"{\"else\": 1}\n", "no known change"},
        {"{\"setting\": 1}\n", "setting: expected a string"},
        {"nonsense\n", "line 1"},
    };
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "%s/journal", folder);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct undo_journal *journal = NULL;
        struct err err = ERR_INIT;

        assert_true(
            file_save(path, 0600, cases[i].text, strlen(cases[i].text), &err));
        assert_false(undo_journal_open(path, &journal, &err));
        if (!strstr(err.text, cases[i].says) || !strstr(err.text, path))
            fail_msg("%s: %s", cases[i].text, err.text);
    }
    unlink(path);
}

/* ---- locks and resets ---- */

static void locked_phone_is_recognized(void **state)
{
    static const struct {
        const char *policy;
        bool locked, secure;
    } cases[] = {
        {"KeyguardServiceDelegate\n      showing=false\n      secure=true\n",
         false, true},
        {"KeyguardServiceDelegate\n      showing=true\n      secure=true\n",
         true, true},
        {"KeyguardServiceDelegate\n      showing=true\n      secure=false\n",
         true, false},
        {"    mShowingLockscreen=true mShowingDream=false\n", true, false},
        {"    mShowingLockscreen=false\n", false, false},
        {"", false, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        bool secure;

        assert_int_equal(device_settings_is_locked(cases[i].policy, &secure),
                         cases[i].locked);
        assert_int_equal(secure, cases[i].secure);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_settings_are_restored),
        cmocka_unit_test(what_an_agent_changes_is_restored),
        cmocka_unit_test(what_a_killed_agent_left_is_restored),
        cmocka_unit_test(names_that_are_none_are_not_noted),
        cmocka_unit_test(only_requested_settings_are_changed),
        cmocka_unit_test(a_kill_at_any_command_is_undone_by_the_next_start),
        cmocka_unit_test(invalid_journal_is_reported_with_its_line),
        cmocka_unit_test(locked_phone_is_recognized),
    };

    if (argc == 4 && !strcmp(argv[1], "--be-killed"))
        return be_killed(argv[2], argv[3]);
    return cmocka_run_group_tests_name("prepare", tests, make_folder,
                                       remove_folder);
}
