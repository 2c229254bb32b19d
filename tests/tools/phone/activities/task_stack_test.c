#include "tools/phone/activities/task_stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tools/phone/apps/app_registry.h"
#include "tools/phone/apps/launcher.h"
#include "tools/phone/core/saved_state.h"

#define SHELL_UID 2000

struct phone {
    struct handset handset;
    struct app_registry apps;
    struct task_stack *task_stack;
};

static int set_up(void **state)
{
    static struct phone phone;
    struct err err = ERR_INIT;

    assert_true(
        handset_init(&phone.handset, &(struct handset_options){0}, &err));
    phone.apps = (struct app_registry){.handset = &phone.handset};
    phone.task_stack = app_registry_task_stack(&phone.apps);
    *state = &phone;
    return 0;
}

static int tear_down(void **state)
{
    struct phone *phone = *state;
    struct phone_app *app = task_stack_app(phone->task_stack);

    app->ops->close(app);
    handset_release(&phone->handset);
    return 0;
}

static void press(struct phone *phone, int key)
{
    struct phone_app *app = task_stack_app(phone->task_stack);

    app->ops->handle(app,
                     &(struct phone_app_event){.kind = APP_KEY, .key = key});
}

static void assert_front(struct phone *phone, const char *component)
{
    struct task_info task = task_stack_front(phone->task_stack);
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

static void launcher_is_in_front_at_the_start(void **state)
{
    assert_front(*state, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
}

static void a_started_app_is_in_front_and_back_leaves_it(void **state)
{
    struct phone *phone = *state;

    assert_int_equal(
        task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID),
        TASK_STACK_STARTED);
    assert_front(phone, "org.proctor.shop/.MainActivity");
    assert_true(processes_find(&phone->handset.processes, "org.proctor.shop"));
    assert_logged(phone, "START u0 { act=android.intent.action.MAIN "
                         "cat=[android.intent.category.LAUNCHER] "
                         "flg=0x10200000 pkg=org.proctor.shop "
                         "cmp=org.proctor.shop/.MainActivity } from uid 2000");
    assert_logged(phone, "Displayed org.proctor.shop/.MainActivity: +312ms");
    press(phone, KEY_BACK);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_int_equal(
        task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID),
        TASK_STACK_TO_FRONT);
    assert_int_equal(
        task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID),
        TASK_STACK_DELIVERED);
}

static void assert_volume(struct phone *phone, const char *volume)
{
    struct buf value = BUF_INIT(64);

    assert_true(settings_get(&phone->handset.settings, SETTINGS_SYSTEM,
                             "volume_music", &value));
    assert_string_equal(buf_cstr(&value), volume);
    buf_release(&value);
}

static void volume_keys_change_the_media_volume_within_its_range(void **state)
{
    struct phone *phone = *state;

    assert_volume(phone, "5");
    press(phone, KEY_VOLUME_UP);
    assert_volume(phone, "6");
    for (int i = 0; i < 7; i++)
        press(phone, KEY_VOLUME_DOWN);
    assert_volume(phone, "0");
    for (int i = 0; i < 16; i++)
        press(phone, KEY_VOLUME_UP);
    assert_volume(phone, "15");
}

static void back_returns_to_the_app_that_started_another(void **state)
{
    struct phone *phone = *state;
    const struct phone_intent view = {.action = INTENT_VIEW,
                                      .data = "https://example.org/a"};
    struct phone_component component;

    task_stack_launch(phone->task_stack, "org.proctor.notes", SHELL_UID);
    assert_int_equal(
        task_stack_start(phone->task_stack, &view, SHELL_UID, &component),
        TASK_STACK_STARTED);
    assert_string_equal(component.class, "org.proctor.browser.MainActivity");
    press(phone, KEY_BACK);
    assert_front(phone, "org.proctor.notes/.MainActivity");
    press(phone, KEY_HOME);
    press(phone, KEY_BACK);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
}

static void intents_find_their_activity(void **state)
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
        const struct phone_intent intent = {.action = cases[i].action,
                                            .data = cases[i].data};

        assert_true(task_stack_start(phone->task_stack, &intent, SHELL_UID,
                                     NULL) <= TASK_STACK_DELIVERED);
        assert_front(phone, cases[i].component);
    }
}

static void missing_activity_is_not_started(void **state)
{
    struct phone *phone = *state;
    const struct phone_intent view = {.action = INTENT_VIEW,
                                      .data = "missing:x"};
    const struct phone_intent wrong = {
        .component = component_of("org.proctor.shop", ".Nowhere")};

    assert_int_equal(task_stack_launch(phone->task_stack, "a.b", SHELL_UID),
                     TASK_STACK_NO_ANSWER);
    assert_int_equal(
        task_stack_start(phone->task_stack, &view, SHELL_UID, NULL),
        TASK_STACK_NO_ANSWER);
    assert_int_equal(
        task_stack_start(phone->task_stack, &wrong, SHELL_UID, NULL),
        TASK_STACK_NO_CLASS);
}

static void a_stopped_app_is_gone_with_its_process(void **state)
{
    struct phone *phone = *state;

    task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID);
    task_stack_kill(phone->task_stack, "org.proctor.shop"); /* it is seen */
    assert_front(phone, "org.proctor.shop/.MainActivity");
    task_stack_stop(phone->task_stack, "org.proctor.shop", "from pid 4243");
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_false(processes_find(&phone->handset.processes, "org.proctor.shop"));
    assert_logged(phone, "Force stopping org.proctor.shop");
    assert_int_equal(
        task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID),
        TASK_STACK_STARTED);
    task_stack_stop(phone->task_stack, LAUNCHER_PACKAGE, "from pid 4243");
    press(phone, KEY_HOME);
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    task_stack_kill(phone->task_stack, "org.proctor.shop");
    assert_false(processes_find(&phone->handset.processes, "org.proctor.shop"));
}

static void recent_apps_list_running_tasks(void **state)
{
    struct phone *phone = *state;
    struct task_info tasks[8];

    task_stack_launch(phone->task_stack, "org.proctor.shop", SHELL_UID);
    task_stack_launch(phone->task_stack, "org.proctor.eats", SHELL_UID);
    press(phone, KEY_APP_SWITCH);
    assert_true(task_stack_shows_overview(phone->task_stack));
    assert_front(phone, LAUNCHER_PACKAGE "/.uioverrides.QuickstepLauncher");
    assert_int_equal(
        task_stack_tasks(phone->task_stack, tasks, ARRAY_LEN(tasks)), 3);
    assert_true(task_stack_resume(phone->task_stack, tasks[1].id));
    assert_false(task_stack_shows_overview(phone->task_stack));
    assert_front(phone, "org.proctor.shop/.MainActivity");
    press(phone, KEY_APP_SWITCH);
    press(phone, KEY_BACK);
    assert_front(phone, "org.proctor.shop/.MainActivity");
    assert_true(task_stack_dismiss(phone->task_stack, tasks[1].id));
    assert_false(task_stack_dismiss(phone->task_stack, tasks[1].id));
    assert_front(phone, "org.proctor.eats/.MainActivity");
}

static void loaded_stack_equals_the_saved_one(void **state)
{
    struct phone *phone = *state;
    struct phone_app *app = task_stack_app(phone->task_stack);
    struct buf saved = BUF_INIT(1U << 16U);
    struct saved_state in;

    task_stack_launch(phone->task_stack, "com.android.calculator2", SHELL_UID);
    press(phone, KEY_APP_SWITCH);
    app->ops->save(app, &saved);
    task_stack_launch(phone->task_stack, "org.proctor.eats", SHELL_UID);
    for (int trial = 1; trial >= 0; trial--) {
        in = (struct saved_state){.data = (const uint8_t *)saved.data,
                                  .left = saved.length,
                                  .trial = trial};
        app->ops->load(app, &in);
        assert_false(in.broken);
        assert_int_equal(in.left, 0);
        assert_int_equal(task_stack_shows_overview(phone->task_stack), !trial);
    }
    press(phone, KEY_BACK);
    assert_front(phone, "com.android.calculator2/.Calculator");
    for (size_t cut = 0; cut < saved.length; cut++) {
        in = (struct saved_state){.data = (const uint8_t *)saved.data,
                                  .left = cut};
        app->ops->load(app, &in);
        assert_true(in.broken);
    }
    assert_front(phone, "com.android.calculator2/.Calculator");
    buf_release(&saved);
}

static void more_apps_than_fit_are_refused(void **state)
{
    struct phone *phone = *state;
    enum task_stack_outcome outcome = TASK_STACK_STARTED;

    for (unsigned i = 0; i < TASK_STACK_TASKS_MAX + 1; i++) {
        struct phone_package package = {.uid = 0};

        snprintf(package.name, sizeof(package.name), "many.apps%u", i);
        snprintf(package.activity, sizeof(package.activity), "many.Main");
        assert_true(packages_put(&phone->handset.packages, &package));
        outcome = task_stack_launch(phone->task_stack, package.name, SHELL_UID);
    }
    assert_int_equal(outcome, TASK_STACK_TOO_MANY);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(launcher_is_in_front_at_the_start),
        TEST(a_started_app_is_in_front_and_back_leaves_it),
        TEST(volume_keys_change_the_media_volume_within_its_range),
        TEST(back_returns_to_the_app_that_started_another),
        TEST(intents_find_their_activity),
        TEST(missing_activity_is_not_started),
        TEST(a_stopped_app_is_gone_with_its_process),
        TEST(recent_apps_list_running_tasks),
        TEST(loaded_stack_equals_the_saved_one),
        TEST(more_apps_than_fit_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
