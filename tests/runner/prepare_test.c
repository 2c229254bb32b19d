#include "runner/prepare.h"

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

static const struct prepare_options everything = {
    .stays_awake = true, .without_motion = true, .without_rotation = true};

/* All that preparing may change. */
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

static struct preparation *prepare(struct test_phone *phone,
                                   const struct prepare_options *options)
{
    struct prepare_options own = *options;
    struct preparation *made = NULL;
    struct err err = ERR_INIT;

    own.folder = folder;
    if (!prepare_open(phone->device, SERIAL, &own, SOON, &made, &err))
        fail_msg("%s", err.text);
    return made;
}

static void undo(struct preparation *preparation, struct test_phone *phone)
{
    struct err err = ERR_INIT;

    if (!prepare_undo(preparation, phone->device, SOON, &err))
        fail_msg("%s", err.text);
    prepare_close(preparation);
}

static void keep(struct test_phone *phone, char said[4096])
{
    snprintf(said, 4096, "%s", test_phone_run(phone, how_it_is));
}

static void what_was_prepared_is_put_back(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct test_phone phone;
    struct preparation *preparation;
    char before[4096];
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    (void)test_phone_run(&phone, "settings put system user_rotation 1; "
                                 "settings put global window_animation_scale "
                                 "0.5; input keyevent 223");
    keep(&phone, before);
    preparation = prepare(&phone, &everything);
    assert_int_equal(files_in_folder(), 1);
    assert_true(journal_use_keyboard(prepare_journal(preparation), phone.device,
                                     "com.android.adbkeyboard/.AdbIME", SOON,
                                     &err));
    assert_string_equal(test_phone_run(&phone, how_it_is),
                        "7\n0\n0\n0\n0\n0\ncom.android.adbkeyboard/.AdbIME\n"
                        "com.android.inputmethod.latin/.LatinIME\n"
                        "com.android.adbkeyboard/.AdbIME\n"
                        "  mWakefulness=Awake\n");
    undo(preparation, &phone);
    assert_string_equal(test_phone_run(&phone, how_it_is), before);
    assert_int_equal(files_in_folder(), 0);
    test_phone_stop(&phone);
}

static void nothing_is_changed_that_was_not_asked_for(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct test_phone phone;
    struct preparation *preparation;
    char before[4096];

    (void)state;
    test_phone_start(&phone, &options);
    keep(&phone, before);
    preparation = prepare(&phone, &(struct prepare_options){0});
    assert_string_equal(test_phone_run(&phone, how_it_is), before);
    assert_int_equal(files_in_folder(), 0);
    undo(preparation, &phone);
    test_phone_stop(&phone);
}

/* ---- killed ---- */

/* The program that is killed: prepares, uses a keyboard, and puts it back. */
static int be_killed(const char *port, const char *where)
{
    struct device *device = NULL;
    struct preparation *preparation = NULL;
    struct prepare_options options = everything;
    struct err err = ERR_INIT;

    options.folder = where;
    if (!device_open_tcp("127.0.0.1", (uint16_t)strtoul(port, NULL, 10),
                         &(struct device_options){.log = NULL}, SOON, &device,
                         &err) ||
        !prepare_open(device, SERIAL, &options, SOON, &preparation, &err) ||
        !journal_use_keyboard(prepare_journal(preparation), device,
                              "com.android.adbkeyboard/.AdbIME", SOON, &err) ||
        !prepare_undo(preparation, device, SOON, &err))
        return 1;
    prepare_close(preparation);
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

/* Let it run until its nth command stalls, and kill it there. */
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
        struct preparation *preparation;

        /* The first three are this test's own. */
        snprintf(faults, sizeof(faults), "stall:service=shell,skip=%d,times=1",
                 skip + 3);
        test_phone_start(&phone, &options);
        keep(&phone, before);
        if (!kill_at(&phone, &stalled)) {
            test_phone_stop(&phone);
            break;
        }
        killed++;
        preparation = prepare(&phone, &(struct prepare_options){0});
        assert_string_equal(test_phone_run(&phone, how_it_is), before);
        undo(preparation, &phone);
        assert_int_equal(files_in_folder(), 0);
        test_phone_stop(&phone);
    }
    assert_true(killed * step > 20);
}

static void a_journal_that_makes_no_sense_is_said_with_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{\"setting\": \"global x; reboot\", \"was\": \"1\"}\n",
         "no setting: global x; reboot"},
        {"{\"setting\": \"other x\"}\n", "no setting: other x"},
        {"{\"else\": 1}\n", "nothing to be put back"},
        {"{\"setting\": 1}\n", "setting: expected a string"},
        {"nonsense\n", "line 1"},
    };
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "%s/journal", folder);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct journal *journal = NULL;
        struct err err = ERR_INIT;

        assert_true(
            file_save(path, 0600, cases[i].text, strlen(cases[i].text), &err));
        assert_false(journal_open(path, &journal, &err));
        if (!strstr(err.text, cases[i].says) || !strstr(err.text, path))
            fail_msg("%s: %s", cases[i].text, err.text);
    }
    unlink(path);
}

/* ---- locks and resets ---- */

static void a_locked_phone_is_recognised(void **state)
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

        assert_int_equal(prepare_is_locked(cases[i].policy, &secure),
                         cases[i].locked);
        assert_int_equal(secure, cases[i].secure);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_prepared_is_put_back),
        cmocka_unit_test(nothing_is_changed_that_was_not_asked_for),
        cmocka_unit_test(a_kill_at_any_command_is_undone_by_the_next_start),
        cmocka_unit_test(a_journal_that_makes_no_sense_is_said_with_its_line),
        cmocka_unit_test(a_locked_phone_is_recognised),
    };

    if (argc == 4 && !strcmp(argv[1], "--be-killed"))
        return be_killed(argv[2], argv[3]);
    return cmocka_run_group_tests_name("prepare", tests, make_folder,
                                       remove_folder);
}
