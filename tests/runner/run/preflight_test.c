#include "runner/run/preflight.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "runner/device/app_info.h"
#include "tasks/task/suite.h"
#include "tests/runner/test_phone.h"

/* One requirement each; everything else is in order. */
#define SHOP(id_, rest_)                                                       \
    "{\"id\":\"" id_ "\",\"app\":\"org.proctor.shop\",\"kind\":\"state\","     \
    "\"instruction\":\"Do.\",\"needs\":[\"it is done\"]" rest_ "}"

static const char suite_text[] = "[" SHOP("fine", "") "," SHOP(
    "logged-in",
    ",\"requires\":{\"version\":\"3.2\",\"locale\":\"en\",\"logged_in\":"
    "{\"text\":\"Cart\"},\"permissions\":["
    "\"android.permission.INTERNET\"]}") ","                    //
    SHOP("old", ",\"requires\":{\"version\":\"3.10\"}") ","     //
    SHOP("french", ",\"requires\":{\"locale\":\"fr\"}") ","     //
    SHOP("british", ",\"requires\":{\"locale\":\"en-GB\"}") "," //
    SHOP("denied", ",\"requires\":{\"permissions\":["
                   "\"android.permission.POST_NOTIFICATIONS\"]}") "," //
    SHOP("unknown", ",\"requires\":{\"permissions\":["
                    "\"android.permission.CAMERA\"]}") "," //
    SHOP("stranger", ",\"requires\":{\"logged_in\":{\"text\":\"Log "
                     "out\"}}") ","                         //
    SHOP("new", ",\"reset\":\"snapshot\"") ","              //
    SHOP("played", ",\"reset\":{\"recorded\":\"a/b\"}") "," //
    SHOP(
        "chinese",
        ",\"gold\":[{\"do\":\"type\",\"text\":\"耳机\"}]") "," //
                                                           "{\"id\":\"absent\","
                                                           "\"apps\":[\"org."
                                                           "proctor.shop\","
                                                           "\"org.absent\"],"
                                                           "\"kind\":\"state\","
                                                           "\"instruction\":"
                                                           "\"Do.\",\"needs\":["
                                                           "\"it is "
                                                           "done\"],"
                                                           "\"requires\":{"
                                                           "\"logged_in\":{"
                                                           "\"text\":\"x\"}}}]";

struct expected {
    const char *task;
    const char *what; /* NULL: nothing is missing */
    const char *advice;
};

static const struct expected expected[] = {
    {"fine", NULL, NULL},
    {"logged-in", NULL, NULL},
    {"old", "org.proctor.shop is version 3.2.1, older than 3.10", "update"},
    {"french", "the phone's language is en-US, not fr", "settings"},
    {"british", "the phone's language is en-US, not en-GB", "settings"},
    {"denied",
     "org.proctor.shop does not have the permission "
     "android.permission.POST_NOTIFICATIONS",
     "pm grant org.proctor.shop android.permission.POST_NOTIFICATIONS"},
    {"unknown",
     "org.proctor.shop does not request the permission "
     "android.permission.CAMERA",
     "another version"},
    {"stranger", "no user is logged in to org.proctor.shop: ", "log in"},
    {"new", "it begins with a snapshot", "--device phone"},
    {"played", "its recorded beginning cannot be used: ", "beside the suite"},
    {"chinese", "texts beyond ASCII cannot be typed without ADBKeyboard",
     "proctor install ADBKeyboard.apk"},
    {"absent", "org.absent is not installed", "proctor install APK"},
};

static struct suite parse_suite(void)
{
    struct suite suite;
    struct err err = ERR_INIT;

    if (!suite_parse(suite_text, strlen(suite_text), "s.json", &suite, &err))
        fail_msg("%s", err.text);
    return suite;
}

static struct preflight check(struct test_phone *phone,
                              const struct suite *suite, bool renewable)
{
    const struct preflight_options options = {
        .device = phone->device,
        .renewable = renewable,
    };
    const struct task **tasks = mem_new(suite->count, sizeof(*tasks));
    struct preflight found;
    struct err err = ERR_INIT;

    for (size_t i = 0; i < suite->count; i++)
        tasks[i] = &suite->tasks[i];
    if (!preflight_check(&options, tasks, suite->count, SOON, &found, &err))
        fail_msg("%s", err.text);
    free(tasks);
    return found;
}

/* The only problem of a task; NULL: none. */
static const struct preflight_problem *lack_of(const struct preflight *found,
                                               const char *task)
{
    const struct preflight_problem *lack = NULL;

    for (size_t i = 0; i < found->count; i++) {
        if (strcmp(found->problems[i].task->id, task) != 0)
            continue;
        if (lack)
            fail_msg("%s lacks two things: %s; %s", task, lack->what,
                     found->problems[i].what);
        lack = &found->problems[i];
    }
    return lack;
}

static void missing_requirements_are_reported_for_each_task(void **state)
{
    const struct phone_options options = {.adb_keyboard = false};
    struct suite suite = parse_suite();
    struct test_phone phone;
    struct preflight found;

    (void)state;
    test_phone_start(&phone, &options);
    found = check(&phone, &suite, false);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        const struct preflight_problem *lack =
            lack_of(&found, expected[i].task);

        if (!lack != !expected[i].what)
            fail_msg("%s: %s", expected[i].task, lack ? lack->what : "ready");
        if (lack && (!strstr(lack->what, expected[i].what) ||
                     !strstr(lack->advice, expected[i].advice)))
            fail_msg("%s: %s (%s)", expected[i].task, lack->what, lack->advice);
    }
    preflight_release(&found);
    test_phone_stop(&phone);
    suite_release(&suite);
}

static void met_requirements_are_not_reported(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct suite suite = parse_suite();
    struct test_phone phone;
    struct preflight found;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_run(&phone, "pm grant org.proctor.shop "
                           "android.permission.POST_NOTIFICATIONS");
    found = check(&phone, &suite, true);
    assert_null(lack_of(&found, "denied"));
    assert_null(lack_of(&found, "chinese"));
    assert_null(lack_of(&found, "new"));
    assert_non_null(lack_of(&found, "old"));
    preflight_release(&found);
    test_phone_stop(&phone);
    suite_release(&suite);
}

static void a_phone_without_a_selected_keyboard_is_reported_once(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct suite suite = parse_suite();
    struct test_phone phone;
    struct preflight found;
    size_t reports = 0;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_run(&phone, "settings delete secure default_input_method");
    found = check(&phone, &suite, true);
    for (size_t i = 0; i < found.count; i++)
        reports += strstr(found.problems[i].what, "no keyboard") != NULL;
    assert_int_equal(reports, 1);
    preflight_release(&found);
    test_phone_stop(&phone);
    suite_release(&suite);
}

/* As Android 14 prints it, followed by another package and an older copy. */
static const char dump[] =
    "Packages:\n"
    "  Package [org.app] (1a2b3c):\n"
    "    versionCode=7 minSdk=24 targetSdk=34\n"
    "    versionName=2.10-beta 3\r\n"
    "    requested permissions:\n"
    "      android.permission.INTERNET\n"
    "      android.permission.CAMERA\n"
    "    install permissions:\n"
    "      android.permission.INTERNET: granted=true\n"
    "    User 0: ceDataInode=1 installed=true\n"
    "      runtime permissions:\n"
    "        android.permission.CAMERA: granted=false, flags=[ X]\n"
    "  Package [org.application] (1a2b3d):\n"
    "    versionName=9\n"
    "      android.permission.RECORD_AUDIO: granted=true\n"
    "Hidden system packages:\n"
    "  Package [org.app] (1a2b3e):\n"
    "    versionName=1.0\n";

static void only_the_part_of_the_app_is_read(void **state)
{
    struct app_info facts = {.installed = false};

    (void)state;
    app_info_parse(dump, "org.app", &facts);
    assert_true(facts.installed);
    assert_string_equal(facts.version, "2.10-beta 3");
    assert_int_equal(facts.asks.count, 2);
    assert_int_equal(facts.granted.count, 1);
    assert_true(text_list_have(&facts.granted, "android.permission.INTERNET"));
    app_info_release(&facts);
    app_info_parse(dump, "org.ap", &facts);
    assert_false(facts.installed);
    app_info_parse("Unable to find package: org.app\n", "org.app", &facts);
    assert_false(facts.installed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_requirements_are_reported_for_each_task),
        cmocka_unit_test(met_requirements_are_not_reported),
        cmocka_unit_test(a_phone_without_a_selected_keyboard_is_reported_once),
        cmocka_unit_test(only_the_part_of_the_app_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
