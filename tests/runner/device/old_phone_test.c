/*
 * Settings, keys, text and apps on a phone whose tools are those of Android
 * 4.4: `settings` knows no "delete" and no "list" and reports success whatever
 * it is asked, and `input` passes its arguments on unquoted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "runner/device/actor.h"
#include "runner/device/app_start.h"
#include "runner/device/device_settings.h"
#include "runner/device/settings_read.h"
#include "runner/device/undo_journal.h"
#include "tests/support/adb/fake_shell.h"

#define SOON deadline_in_ms(60000)
#define SDK "echo 19"

/* One file per setting: "system.user_rotation". */
static const char settings[] =
    "echo \"$*\" >> settings.log\n"
    "case $1 in\n"
    "get) cat $2.$3 2>/dev/null || echo null;;\n"
    "put) echo \"$4\" > $2.$3;;\n"
    "*) echo 'usage:  settings [--user NUM] get namespace key';;\n"
    "esac\n";

/* The rows of a namespace, or their removal by --where "name='NAME'". */
static const char content[] =
    "echo \"$*\" >> content.log\n"
    "space=${3##*/}\n"
    "case $1 in\n"
    "query) n=0; for f in $space.*; do [ -f $f ] || continue\n"
    "  echo \"Row: $n _id=$n, name=${f#*.}, value=$(cat $f)\"\n"
    "  n=$((n + 1)); done;;\n"
    "delete) name=${5#name=?}; rm -f $space.${name%?};;\n"
    "esac\n";

/* As Android's script ends: the arguments are split and globbed again. */
static const char input[] = "exec app_process /system/bin Input $*\n";

/* Prints each argument of `input` in brackets, and simulates the power key. */
static const char app_process[] =
    "shift 2\n"
    "{ for a in \"$@\"; do printf '[%s]' \"$a\"; done; echo; } >> input.log\n"
    "[ \"$1 $2\" != 'keyevent 26' ] || {\n"
    "  read now < power; case $now in Awake) echo Asleep > power;;\n"
    "  *) echo Awake > power;; esac; }\n";

static void start(struct fake_shell *shell)
{
    fake_shell_start(shell);
    fake_shell_add(shell, "settings", settings);
    fake_shell_add(shell, "content", content);
    fake_shell_add(shell, "input", input);
    fake_shell_add(shell, "app_process", app_process);
    fake_shell_add(shell, "getprop",
                   "case $1 in ro.build.version.sdk) echo 19;; *) echo;; esac");
    fake_shell_add(shell, "dumpsys", "echo \"  mWakefulness=$(cat power)\"");
    fake_shell_add(shell, "wm", "");
    fake_shell_write(shell, "power", "Awake\n");
}

static struct undo_journal *open_journal(const struct fake_shell *shell)
{
    struct undo_journal *journal = NULL;
    char path[128];
    struct err err = ERR_INIT;

    snprintf(path, sizeof(path), "%s/journal", shell->folder);
    if (!undo_journal_open(path, &journal, &err))
        fail_msg("%s", err.text);
    return journal;
}

static void undo(struct undo_journal *journal, const struct fake_shell *shell)
{
    struct err err = ERR_INIT;

    if (!undo_journal_undo(journal, shell->device, SOON, &err))
        fail_msg("%s", err.text);
}

static void a_setting_that_was_not_set_is_unset_again(void **state)
{
    static const struct undo_journal_change changes[] = {
        {"system user_rotation", "0"},
        {"system accelerometer_rotation", "0"},
        {"global stay_on_while_plugged_in", "7"},
    };
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_write(&shell, "system.accelerometer_rotation", "1\n");
    fake_shell_write(&shell, "global.airplane_mode_on", "0\n");
    journal = open_journal(&shell);
    if (!undo_journal_set(journal, shell.device, changes, 3, SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(fake_shell_read(&shell, "system.user_rotation"), "0\n");
    assert_string_equal(
        fake_shell_read(&shell, "global.stay_on_while_plugged_in"), "7\n");
    assert_null(strstr(fake_shell_read(&shell, "settings.log"), "get "));

    undo(journal, &shell);
    assert_string_equal(fake_shell_read(&shell, "system.user_rotation"), "");
    assert_string_equal(
        fake_shell_read(&shell, "global.stay_on_while_plugged_in"), "");
    assert_string_equal(
        fake_shell_read(&shell, "system.accelerometer_rotation"), "1\n");
    assert_string_equal(fake_shell_read(&shell, "journal"), "");
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

static void failed_restore_is_reported_and_kept(void **state)
{
    static const struct undo_journal_change changes[] = {
        {"system user_rotation", "0"},
        {"system accelerometer_rotation", "0"},
    };
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_write(&shell, "system.accelerometer_rotation", "1\n");
    journal = open_journal(&shell);
    assert_true(
        undo_journal_set(journal, shell.device, changes, 2, SOON, &err));

    /* From now on no row can be removed. */
    fake_shell_add(&shell, "content",
                   "[ $1 = query ] && echo 'Row: 0 _id=1, name=user_rotation, "
                   "value=0' && echo \"Row: 1 _id=2, "
                   "name=accelerometer_rotation, "
                   "value=$(cat system.accelerometer_rotation)\"");
    assert_false(undo_journal_undo(journal, shell.device, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "system user_rotation"));
    assert_null(strstr(err.text, "accelerometer_rotation"));
    assert_int_equal(undo_journal_count(journal), 1);
    undo_journal_close(journal);

    /* The next program finds and restores it. */
    fake_shell_add(&shell, "content", content);
    journal = open_journal(&shell);
    assert_int_equal(undo_journal_count(journal), 1);
    undo(journal, &shell);
    assert_string_equal(fake_shell_read(&shell, "system.user_rotation"), "");
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

static void unreadable_setting_does_not_count_as_restored(void **state)
{
    static const struct undo_journal_change change = {"system user_rotation",
                                                      "0"};
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    journal = open_journal(&shell);
    assert_true(
        undo_journal_set(journal, shell.device, &change, 1, SOON, &err));
    fake_shell_add(&shell, "settings", "echo java.lang.SecurityException");
    fake_shell_add(&shell, "content", "echo java.lang.SecurityException");
    assert_false(undo_journal_undo(journal, shell.device, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "system user_rotation"));
    undo_journal_close(journal);

    fake_shell_add(&shell, "settings", settings);
    fake_shell_add(&shell, "content", content);
    journal = open_journal(&shell);
    undo(journal, &shell);
    assert_string_equal(fake_shell_read(&shell, "system.user_rotation"), "");
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

static void a_setting_that_cannot_be_read_is_not_changed(void **state)
{
    static const struct undo_journal_change changes[] = {
        {"system accelerometer_rotation", "0"},
        {"system user_rotation", "0"},
    };
    /* Ways in which `settings get` can fail; "put" works. */
    static const char *const failures[] = {
        "echo java.lang.SecurityException: no",
        "echo 'Error: Could not access the settings'",
        "exit 1",
        "exit 0",
        "echo one; echo two",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        struct fake_shell shell;
        struct undo_journal *journal;
        struct err err = ERR_INIT;
        char script[400];

        start(&shell);
        snprintf(script, sizeof(script),
                 "case \"$1 $3\" in 'get user_rotation') %s; exit;; esac\n%s",
                 failures[i], settings);
        fake_shell_add(&shell, "settings", script);
        fake_shell_add(&shell, "content", "echo java.lang.SecurityException");
        fake_shell_write(&shell, "system.accelerometer_rotation", "1\n");
        fake_shell_write(&shell, "system.user_rotation", "1\n");
        journal = open_journal(&shell);
        assert_false(
            undo_journal_set(journal, shell.device, changes, 2, SOON, &err));
        assert_int_equal(err.code, ERR_REMOTE);
        assert_non_null(strstr(err.text, "system user_rotation"));
        assert_int_equal(undo_journal_count(journal), 0);
        assert_string_equal(fake_shell_read(&shell, "journal"), "");
        assert_string_equal(fake_shell_read(&shell, "system.user_rotation"),
                            "1\n");
        assert_string_equal(
            fake_shell_read(&shell, "system.accelerometer_rotation"), "1\n");
        undo_journal_close(journal);
        fake_shell_stop(&shell);
    }
}

/* Otherwise the keyboard would be disabled, which it was not before. */
static void a_keyboard_is_not_used_where_the_enabled_are_not_known(void **state)
{
    static const char *const failures[] = {
        "echo java.lang.SecurityException",
        "exit 1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
        struct fake_shell shell;
        struct undo_journal *journal;
        struct err err = ERR_INIT;
        char script[200];

        start(&shell);
        snprintf(script, sizeof(script),
                 "echo \"$*\" >> ime.log\ncase $1 in list) %s;; esac\n",
                 failures[i]);
        fake_shell_add(&shell, "ime", script);
        journal = open_journal(&shell);
        assert_false(undo_journal_use_keyboard(
            journal, shell.device, "org.keyboard/.Ime", SOON, &err));
        assert_int_equal(err.code, ERR_REMOTE);
        assert_int_equal(undo_journal_count(journal), 0);
        assert_string_equal(fake_shell_read(&shell, "ime.log"), "list -s\n");
        undo_journal_close(journal);
        fake_shell_stop(&shell);
    }
}

static void a_setting_that_the_phone_does_not_take_is_an_error(void **state)
{
    static const struct undo_journal_change change = {"system user_rotation",
                                                      "0"};
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_add(&shell, "settings", "echo usage: settings");
    fake_shell_write(&shell, "system.user_rotation", "1\n");
    journal = open_journal(&shell);
    assert_false(
        undo_journal_set(journal, shell.device, &change, 1, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "system user_rotation"));
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

static void power_key_wakes_and_restores_sleep(void **state)
{
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_write(&shell, "power", "Asleep\n");
    journal = open_journal(&shell);
    assert_true(undo_journal_wake(journal, shell.device, SOON, &err));
    assert_string_equal(fake_shell_read(&shell, "power"), "Awake\n");
    undo(journal, &shell);
    assert_string_equal(fake_shell_read(&shell, "power"), "Asleep\n");
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

static void a_keyboard_is_not_used_where_the_selected_is_not_known(void **state)
{
    struct fake_shell shell;
    struct undo_journal *journal;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_add(&shell, "ime", "echo \"$*\" >> ime.log");
    fake_shell_add(&shell, "settings", "echo java.lang.SecurityException");
    fake_shell_add(&shell, "content", "echo java.lang.SecurityException");
    journal = open_journal(&shell);
    assert_false(undo_journal_use_keyboard(journal, shell.device,
                                           "org.keyboard/.Ime", SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "default_input_method"));
    assert_int_equal(undo_journal_count(journal), 0);
    assert_string_equal(fake_shell_read(&shell, "ime.log"), "list -s\n");
    undo_journal_close(journal);
    fake_shell_stop(&shell);
}

/*
 * The phone became slower since the keyboard was selected, and more than ten
 * seconds are needed. What was measured then allows for more.
 */
static void restoring_a_keyboard_has_time_on_a_slow_phone(void **state)
{
    static const struct device_settings_options options = {.folder = NULL};
    struct device_settings *made = NULL;
    struct fake_shell shell;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_add(
        &shell, "ime",
        "read seconds < latency; sleep $seconds\n"
        "case $1 in set) echo $2 > secure.default_input_method;; esac");
    fake_shell_write(&shell, "latency", "1\n");
    fake_shell_write(&shell, "secure.default_input_method", "org.own/.Ime\n");
    if (!device_settings_open(shell.device, "slow", &options, SOON, &made,
                              &err) ||
        !undo_journal_use_keyboard(device_settings_journal(made), shell.device,
                                   "org.keyboard/.Ime", SOON, &err))
        fail_msg("%s", err.text);
    fake_shell_write(&shell, "latency", "6\n");
    if (!device_settings_undo(made, shell.device, &err))
        fail_msg("%s", err.text);
    assert_string_equal(fake_shell_read(&shell, "secure.default_input_method"),
                        "org.own/.Ime\n");
    device_settings_close(made);
    fake_shell_stop(&shell);
}

/* ---- text ---- */

static void type_text(struct fake_shell *shell, const char *text)
{
    const struct actor_options options = {.keyboard_apk = NULL};
    const struct action action = {.kind = ACTION_TYPE,
                                  .text = (char *)(uintptr_t)text};
    struct actor *actor = NULL;
    struct err err = ERR_INIT;

    fake_shell_write(shell, "input.log", "");
    if (!actor_open(shell->device, &options, SOON, &actor, &err) ||
        !actor_perform(actor, &action, (struct extent){800, 600}, SOON, &err))
        fail_msg("'%s': %s", text, err.text);
    actor_close(actor);
}

static void text_reaches_input_as_one_argument(void **state)
{
    static const struct {
        const char *text;
        const char *arguments;
    } cases[] = {
        {"two words", "[text][two%swords]\n"},
        {"what?", "[text][what?]\n"},
        {"d*", "[text][d*]\n"},
        {"a [b] c", "[text][a%s[b]%sc]\n"},
        {"it's \"x\" $HOME `id` \\n",
         "[text][it's%s\"x\"%s$HOME%s`id`%s\\n]\n"},
        {"", ""},
    };
    struct fake_shell shell;

    (void)state;
    start(&shell);
    fake_shell_write(&shell, "what1", "");
    fake_shell_write(&shell, "data", "");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        type_text(&shell, cases[i].text);
        assert_string_equal(fake_shell_read(&shell, "input.log"),
                            cases[i].arguments);
    }
    fake_shell_stop(&shell);
}

/* ---- apps ---- */

static const char am[] =
    "echo \"$*\" >> am.log\n"
    "eval last=\\${$#}\n"
    "case \"$last $*\" in\n"
    "org.app*LAUNCHER*|org.home*HOME*) echo 'Starting: Intent { }';;\n"
    "*) echo 'Error: Activity not started, unable to resolve Intent { }';;\n"
    "esac\n";

static void apps_start_without_monkey(void **state)
{
    struct fake_shell shell;
    struct err err = ERR_INIT;

    (void)state;
    start(&shell);
    fake_shell_add(&shell, "am", am);
    fake_shell_add(&shell, "monkey", "echo used > monkey.log");
    if (!app_start(shell.device, "org.app", SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(
        fake_shell_read(&shell, "am.log"),
        "start -a android.intent.action.MAIN -c "
        "android.intent.category.LAUNCHER -f 0x10200000 org.app\n");
    if (!app_start(shell.device, "org.home", SOON, &err))
        fail_msg("%s", err.text);
    assert_false(app_start(shell.device, "org.missing", SOON, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "unable to resolve"));
    assert_string_equal(fake_shell_read(&shell, "monkey.log"), "");
    fake_shell_stop(&shell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_setting_that_was_not_set_is_unset_again),
        cmocka_unit_test(failed_restore_is_reported_and_kept),
        cmocka_unit_test(unreadable_setting_does_not_count_as_restored),
        cmocka_unit_test(a_setting_that_cannot_be_read_is_not_changed),
        cmocka_unit_test(
            a_keyboard_is_not_used_where_the_enabled_are_not_known),
        cmocka_unit_test(
            a_keyboard_is_not_used_where_the_selected_is_not_known),
        cmocka_unit_test(a_setting_that_the_phone_does_not_take_is_an_error),
        cmocka_unit_test(restoring_a_keyboard_has_time_on_a_slow_phone),
        cmocka_unit_test(power_key_wakes_and_restores_sleep),
        cmocka_unit_test(text_reaches_input_as_one_argument),
        cmocka_unit_test(apps_start_without_monkey),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
