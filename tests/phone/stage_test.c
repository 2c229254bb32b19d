#include "tools/phone/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/apps.h"
#include "tools/phone/keycode.h"
#include "tools/phone/launcher.h"
#include "tools/phone/parcel.h"

#define SHELL_UID 2000

struct phone {
    struct handset handset;
    struct apps apps;
    struct stage *stage;
};

static int set_up(void **state)
{
    static struct phone phone;
    struct err err = ERR_INIT;

    assert_true(
        handset_init(&phone.handset, &(struct handset_options){0}, &err));
    phone.apps = (struct apps){.handset = &phone.handset};
    phone.stage = apps_stage(&phone.apps);
    *state = &phone;
    return 0;
}

static int tear_down(void **state)
{
    struct phone *phone = *state;
    struct app *app = stage_app(phone->stage);

    app->ops->close(app);
    handset_release(&phone->handset);
    return 0;
}

static void press(struct phone *phone, int key)
{
    struct app *app = stage_app(phone->stage);

    app->ops->handle(app, &(struct app_event){.kind = APP_KEY, .key = key});
}

static void assert_front(struct phone *phone, const char *component)
{
    struct stage_task task = stage_front(phone->stage);
    char text[COMPONENT_TEXT_SIZE];

    assert_string_equal(component_short(&task.component, text), component);
}

static void assert_logged(struct phone *phone, const char *text)
{
    struct logs_line line;
    uint64_t number = 0;

    while (logs_read(&phone->handset.logs, &number, &line)) {
        if (strstr(line.text, text))
            return;
        number++;
    }
    fail_msg("nothing logged \"%s\"", text);
}

static void the_launcher_is_there_from_the_start(void **state)
{
    assert_front(*state, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
}

static void a_started_app_is_in_front_and_back_leaves_it(void **state)
{
    struct phone *phone = *state;

    assert_int_equal(stage_launch(phone->stage, "org.proctor.shop", SHELL_UID),
                     STAGE_STARTED);
    assert_front(phone, "org.proctor.shop/.MainActivity");
    assert_true(processes_find(&phone->handset.processes, "org.proctor.shop"));
    assert_logged(phone, "START u0 { act=android.intent.action.MAIN "
                         "cat=[android.intent.category.LAUNCHER] "
                         "flg=0x10200000 pkg=org.proctor.shop "
                         "cmp=org.proctor.shop/.MainActivity } from uid 2000");
    assert_logged(phone, "Displayed org.proctor.shop/.MainActivity: +312ms");
    press(phone, KEY_BACK);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_int_equal(stage_launch(phone->stage, "org.proctor.shop", SHELL_UID),
                     STAGE_TO_FRONT);
    assert_int_equal(stage_launch(phone->stage, "org.proctor.shop", SHELL_UID),
                     STAGE_DELIVERED);
}

static void what_an_app_started_goes_back_to_it(void **state)
{
    struct phone *phone = *state;
    const struct intent view = {.action = INTENT_VIEW,
                                .data = "https://example.org/a"};
    struct component component;

    stage_launch(phone->stage, "org.proctor.notes", SHELL_UID);
    assert_int_equal(stage_start(phone->stage, &view, SHELL_UID, &component),
                     STAGE_STARTED);
    assert_string_equal(component.class, "org.proctor.browser.MainActivity");
    press(phone, KEY_BACK);
    assert_front(phone, "org.proctor.notes/.MainActivity");
    press(phone, KEY_HOME);
    press(phone, KEY_BACK);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
}

static void intents_find_who_answers_them(void **state)
{
    static const struct {
        const char *action;
        const char *data;
        const char *component;
    } cases[] = {
        {"android.settings.SETTINGS", NULL, "com.android.settings/.Settings"},
        {"android.settings.WIFI_SETTINGS", NULL,
         "com.android.settings/.Settings$WifiSettingsActivity"},
        {"android.settings.OTHER", NULL, "com.android.settings/.Settings"},
        {INTENT_VIEW, "tel:123", "com.android.dialer/.main.impl.MainActivity"},
        {"android.media.action.STILL_IMAGE_CAMERA", NULL,
         "com.android.camera2/com.android.camera.CameraActivity"},
    };
    struct phone *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct intent intent = {.action = cases[i].action,
                                      .data = cases[i].data};

        assert_true(stage_start(phone->stage, &intent, SHELL_UID, NULL) <=
                    STAGE_DELIVERED);
        assert_front(phone, cases[i].component);
    }
}

static void what_does_not_exist_is_not_started(void **state)
{
    struct phone *phone = *state;
    const struct intent view = {.action = INTENT_VIEW, .data = "nobody:x"};
    const struct intent wrong = {
        .component = component_of("org.proctor.shop", ".Nowhere")};

    assert_int_equal(stage_launch(phone->stage, "a.b", SHELL_UID),
                     STAGE_NO_ANSWER);
    assert_int_equal(stage_start(phone->stage, &view, SHELL_UID, NULL),
                     STAGE_NO_ANSWER);
    assert_int_equal(stage_start(phone->stage, &wrong, SHELL_UID, NULL),
                     STAGE_NO_CLASS);
}

static void a_stopped_app_is_gone_with_its_process(void **state)
{
    struct phone *phone = *state;

    stage_launch(phone->stage, "org.proctor.shop", SHELL_UID);
    stage_kill(phone->stage, "org.proctor.shop"); /* it is seen */
    assert_front(phone, "org.proctor.shop/.MainActivity");
    stage_stop(phone->stage, "org.proctor.shop", "from pid 4243");
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_false(processes_find(&phone->handset.processes, "org.proctor.shop"));
    assert_logged(phone, "Force stopping org.proctor.shop");
    assert_int_equal(stage_launch(phone->stage, "org.proctor.shop", SHELL_UID),
                     STAGE_STARTED);
    stage_stop(phone->stage, LAUNCHER_PACKAGE, "from pid 4243");
    press(phone, KEY_HOME);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    stage_kill(phone->stage, "org.proctor.shop");
    assert_false(processes_find(&phone->handset.processes, "org.proctor.shop"));
}

static void the_overview_shows_what_runs(void **state)
{
    struct phone *phone = *state;
    struct stage_task tasks[8];

    stage_launch(phone->stage, "org.proctor.shop", SHELL_UID);
    stage_launch(phone->stage, "org.proctor.eats", SHELL_UID);
    press(phone, KEY_APP_SWITCH);
    assert_true(stage_shows_overview(phone->stage));
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_int_equal(stage_tasks(phone->stage, tasks, ARRAY_LEN(tasks)), 3);
    assert_true(stage_resume(phone->stage, tasks[1].id));
    assert_false(stage_shows_overview(phone->stage));
    assert_front(phone, "org.proctor.shop/.MainActivity");
    press(phone, KEY_APP_SWITCH);
    press(phone, KEY_BACK);
    assert_front(phone, "org.proctor.shop/.MainActivity");
    assert_true(stage_dismiss(phone->stage, tasks[1].id));
    assert_false(stage_dismiss(phone->stage, tasks[1].id));
    assert_front(phone, "org.proctor.eats/.MainActivity");
}

static void a_saved_stage_is_as_it_was(void **state)
{
    struct phone *phone = *state;
    struct app *app = stage_app(phone->stage);
    struct buf saved = BUF_INIT(1U << 16U);
    struct parcel in;

    stage_launch(phone->stage, "com.android.calculator2", SHELL_UID);
    press(phone, KEY_APP_SWITCH);
    app->ops->save(app, &saved);
    stage_launch(phone->stage, "org.proctor.eats", SHELL_UID);
    for (int trial = 1; trial >= 0; trial--) {
        in = (struct parcel){.data = (const uint8_t *)saved.data,
                             .left = saved.length,
                             .trial = trial};
        app->ops->load(app, &in);
        assert_false(in.broken);
        assert_int_equal(in.left, 0);
        assert_int_equal(stage_shows_overview(phone->stage), !trial);
    }
    press(phone, KEY_BACK);
    assert_front(phone, "com.android.calculator2/.Calculator");
    for (size_t cut = 0; cut < saved.length; cut++) {
        in = (struct parcel){.data = (const uint8_t *)saved.data, .left = cut};
        app->ops->load(app, &in);
        assert_true(in.broken);
    }
    assert_front(phone, "com.android.calculator2/.Calculator");
    buf_release(&saved);
}

static void more_apps_than_fit_are_refused(void **state)
{
    struct phone *phone = *state;
    enum stage_outcome outcome = STAGE_STARTED;

    for (unsigned i = 0; i < STAGE_TASKS_MAX + 1; i++) {
        struct package package = {.uid = 0};

        snprintf(package.name, sizeof(package.name), "many.apps%u", i);
        snprintf(package.activity, sizeof(package.activity), "many.Main");
        assert_true(packages_put(&phone->handset.packages, &package));
        outcome = stage_launch(phone->stage, package.name, SHELL_UID);
    }
    assert_int_equal(outcome, STAGE_TOO_MANY);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_launcher_is_there_from_the_start),
        TEST(a_started_app_is_in_front_and_back_leaves_it),
        TEST(what_an_app_started_goes_back_to_it),
        TEST(intents_find_who_answers_them),
        TEST(what_does_not_exist_is_not_started),
        TEST(a_stopped_app_is_gone_with_its_process),
        TEST(the_overview_shows_what_runs),
        TEST(a_saved_stage_is_as_it_was),
        TEST(more_apps_than_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
