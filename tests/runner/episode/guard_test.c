#include "runner/episode/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"

static struct guard *open_guard(const char *file)
{
    struct guard *guard = NULL;
    struct err err = ERR_INIT;

    if (!guard_open(file, &guard, &err))
        fail_msg("%s", err.text);
    return guard;
}

/* A folder without a guard.json of the user. */
static int without_configuration(void **state)
{
    (void)state;
    return setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static void names_of_controls_are_compared_with_the_list(void **state)
{
    static const struct {
        const char *name;
        const char *word; /* NULL: it is harmless */
    } cases[] = {
        {"Pay", "pay"},
        {"PAY $12.50", "pay"},
        {"Pay now", "pay"},
        {"Place order", "place order"},
        {"Send", "send"},
        {"Send message", "send"},
        {"Delete", "delete"},
        {"Delete 3 items", "delete"},
        {"立即支付 ￥12", "支付"},
        {"提交订单", "提交订单"},
        {"删除", "删除"},
        {"确认转账", "转账"},
        {"Payments made easy: ten ways in which people pay for dinner", NULL},
        {"Paypal history", NULL},
        {"Display", NULL},
        {"Sender", NULL},
        {"Sort by price", NULL},
        {"按价格排序", NULL},
        {"Undeleted", NULL},
        {"", NULL},
    };
    struct guard *guard = open_guard(NULL);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *word = NULL;
        bool found = guard_finds_word(guard, cases[i].name, &word);

        if (found != (cases[i].word != NULL) ||
            (found && strcmp(word, cases[i].word) != 0))
            fail_msg("'%s': %s", cases[i].name, found ? word : "harmless");
    }
    guard_close(guard);
}

/* ---- on a screen ---- */

static const char screen[] =
    "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" "
    "package=\"com.shop\" bounds=\"[0,0][1000,1000]\">"
    "<node class=\"android.widget.Button\" text=\"Pay\" package=\"com.shop\" "
    "clickable=\"true\" enabled=\"true\" bounds=\"[0,0][1000,100]\" />"
    "<node class=\"android.widget.Button\" text=\"Sort\" package=\"com.shop\" "
    "clickable=\"true\" enabled=\"true\" bounds=\"[0,100][1000,200]\" />"
    "<node class=\"android.widget.ImageButton\" content-desc=\"Delete\" "
    "package=\"com.shop\" clickable=\"true\" enabled=\"true\" "
    "bounds=\"[0,200][1000,300]\" />"
    "<node class=\"android.view.View\" package=\"com.shop\" "
    "clickable=\"true\" enabled=\"true\" bounds=\"[0,300][1000,400]\">"
    "<node class=\"android.widget.TextView\" text=\"Place order\" "
    "package=\"com.shop\" bounds=\"[10,310][400,390]\" /></node>"
    "<node class=\"android.widget.Button\" text=\"Open\" package=\"com.ads\" "
    "clickable=\"true\" enabled=\"true\" bounds=\"[0,400][1000,500]\" />"
    "<node class=\"android.widget.EditText\" text=\"send\" hint=\"Search\" "
    "package=\"com.shop\" clickable=\"true\" enabled=\"true\" "
    "bounds=\"[0,500][1000,600]\" />"
    "</node></hierarchy>";

struct guard_scene {
    struct guard *guard;
    struct observation seen;
    struct task task;
    char why[GUARD_WHY_MAX];
};

static void scene_open(struct guard_scene *scene, const char *package)
{
    struct err err = ERR_INIT;

    *scene = (struct guard_scene){.guard = open_guard(NULL)};
    observation_init(&scene->seen);
    scene->seen.has_tree =
        tree_read(&scene->seen.tree, screen, strlen(screen), &err);
    snprintf(scene->seen.package, sizeof(scene->seen.package), "%s", package);
    text_list_add(&scene->task.apps, "com.shop");
    scene->task.id = mem_dup("shop-sort");
}

static void scene_close(struct guard_scene *scene)
{
    guard_close(scene->guard);
    observation_release(&scene->seen);
    text_list_release(&scene->task.apps);
    free(scene->task.id);
}

static bool may(struct guard_scene *scene, enum action_kind kind, int y)
{
    const struct action action = {
        .kind = kind, .has_from = true, .from = {200, y}};

    return guard_allows(scene->guard, &scene->task, &scene->seen, &action,
                        scene->why);
}

static void harmful_targets_are_blocked_with_a_reason(void **state)
{
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.shop");
    assert_false(may(&scene, ACTION_CLICK, 50));
    assert_string_equal(
        scene.why, "'Pay' is not to be touched on a user's own phone ('pay')");
    assert_true(may(&scene, ACTION_CLICK, 150));
    assert_false(may(&scene, ACTION_LONG_PRESS, 250));
    assert_false(may(&scene, ACTION_DOUBLE_TAP, 350));
    assert_non_null(strstr(scene.why, "Place order"));
    assert_false(may(&scene, ACTION_CLICK, 450));
    assert_non_null(strstr(scene.why, "com.ads is not one of the task's apps"));
    assert_true(may(&scene, ACTION_CLICK, 550)); /* typed text is no name */
    assert_true(may(&scene, ACTION_CLICK, 800));
    assert_true(may(&scene, ACTION_SCROLL, 50));
    scene_close(&scene);
}

static void without_a_task_every_app_but_the_denied_may_be_used(void **state)
{
    const struct action sort = {
        .kind = ACTION_CLICK, .has_from = true, .from = {200, 150}};
    const struct action pay = {
        .kind = ACTION_CLICK, .has_from = true, .from = {200, 50}};
    const struct action other = {
        .kind = ACTION_CLICK, .has_from = true, .from = {200, 450}};
    const struct action store = {.kind = ACTION_OPEN_APP,
                                 .text = (char[]){"com.android.vending"}};
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.shop");
    assert_true(guard_allows(scene.guard, NULL, &scene.seen, &sort, scene.why));
    assert_true(
        guard_allows(scene.guard, NULL, &scene.seen, &other, scene.why));
    assert_false(guard_allows(scene.guard, NULL, &scene.seen, &pay, scene.why));
    assert_false(
        guard_allows(scene.guard, NULL, &scene.seen, &store, scene.why));
    scene_close(&scene);
}

static void other_apps_are_blocked_but_can_be_left(void **state)
{
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.android.vending");
    assert_false(may(&scene, ACTION_CLICK, 150));
    assert_non_null(strstr(scene.why, "must never be used"));
    assert_false(may(&scene, ACTION_TYPE, 150));
    assert_false(may(&scene, ACTION_SCROLL, 150));
    assert_true(may(&scene, ACTION_BACK, 150));
    assert_true(may(&scene, ACTION_HOME, 150));
    assert_true(may(&scene, ACTION_WAIT, 150));
    assert_true(may(&scene, ACTION_COMPLETE, 150));
    snprintf(scene.seen.package, sizeof(scene.seen.package),
             "com.google.android.permissioncontroller");
    assert_true(may(&scene, ACTION_CLICK, 150));
    snprintf(scene.seen.package, sizeof(scene.seen.package),
             "com.google.android.inputmethod.latin");
    assert_true(may(&scene, ACTION_CLICK, 150));
    scene_close(&scene);
}

static void tap_on_a_protected_window_is_blocked(void **state)
{
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.shop");
    scene.seen.black = true;
    assert_false(may(&scene, ACTION_CLICK, 150));
    assert_non_null(strstr(scene.why, "protected"));
    assert_true(may(&scene, ACTION_BACK, 150));
    scene_close(&scene);
}

static void only_apps_of_the_task_are_opened(void **state)
{
    char bank[] = "com.my.bank", own[] = "com.shop";
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.shop");
    assert_false(guard_allows(
        scene.guard, &scene.task, &scene.seen,
        &(struct action){.kind = ACTION_OPEN_APP, .text = bank}, scene.why));
    assert_true(guard_allows(
        scene.guard, &scene.task, &scene.seen,
        &(struct action){.kind = ACTION_OPEN_APP, .text = own}, scene.why));
    scene_close(&scene);
}

/* ---- keypads ---- */

/* A row of keys from "0" to last, and one with that name below them. */
static void show_keypad(struct guard_scene *scene, char last, const char *name)
{
    struct buf xml = BUF_INIT((size_t)64 * 1024);
    struct err err = ERR_INIT;
    int y = 0;

    buf_text(&xml, "<hierarchy><node class=\"android.widget.FrameLayout\" "
                   "package=\"com.shop\" bounds=\"[0,0][1000,2000]\">");
    for (char key = '0'; key <= last; key++, y += 100)
        buf_printf(&xml,
                   "<node class=\"android.widget.Button\" text=\"%c\" "
                   "package=\"com.shop\" clickable=\"true\" "
                   "enabled=\"true\" bounds=\"[0,%d][1000,%d]\" />",
                   key, y, y + 100);
    buf_printf(&xml,
               "<node class=\"android.widget.ImageButton\" "
               "content-desc=\"%s\" package=\"com.shop\" "
               "clickable=\"true\" enabled=\"true\" "
               "bounds=\"[0,1500][1000,1600]\" /></node></hierarchy>",
               name);
    tree_release(&scene->seen.tree);
    assert_true(tree_read(&scene->seen.tree, buf_cstr(&xml), xml.length, &err));
    buf_release(&xml);
}

static void delete_on_a_keypad_is_allowed(void **state)
{
    static const struct {
        char last;
        const char *name;
        bool allowed;
    } cases[] = {
        {'9', "delete", true},      {'9', "Delete", true},
        {'9', "删除", true},        {'8', "delete", false},
        {'9', "Delete all", false}, {'9', "Delete contact", false},
        {'9', "Send", false},       {'9', "Call", false},
    };
    struct guard_scene scene;

    (void)state;
    scene_open(&scene, "com.shop");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        show_keypad(&scene, cases[i].last, cases[i].name);
        if (may(&scene, ACTION_CLICK, 1550) != cases[i].allowed)
            fail_msg("'%s' on a keypad up to %c", cases[i].name, cases[i].last);
    }
    scene_close(&scene);
}

/* ---- the user's file ---- */

static void users_file_overrides_the_list(void **state)
{
    static const char text[] = "{\"words\": {\"en\": [\"sort\", \"pay\"]}, "
                               "\"allow\": {\"shop-sort\": [\"pay\"]}}";
    char path[] = "/tmp/proctor-guard.XXXXXX";
    struct guard_scene scene;
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    scene_open(&scene, "com.shop");
    guard_close(scene.guard);
    scene.guard = open_guard(path);
    assert_true(may(&scene, ACTION_CLICK, 50));
    assert_false(may(&scene, ACTION_CLICK, 150));
    assert_true(may(&scene, ACTION_CLICK, 250));
    unlink(path);
    scene_close(&scene);
}

static void invalid_file_is_refused_with_the_position(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"{\"word\": {}}", "unknown member word: expected words"},
        {"{\"words\": [\"pay\"]}", "words: expected an object"},
        {"{\"words\": {\"en\": [1]}}", "words.en[0]: expected a string"},
        {"{\"packages\": {}}", "packages: expected an array"},
        {"{\"allow\": {\"t\": \"pay\"}}", "allow.t: expected an array"},
        {"[]", "expected an object"},
        {"{", "line 1"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct guard *guard = NULL;
        struct err err = ERR_INIT;

        assert_false(guard_parse(cases[i].text, strlen(cases[i].text), NULL, 0,
                                 &guard, &err));
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: '%s'", cases[i].text, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_controls_are_compared_with_the_list),
        cmocka_unit_test(harmful_targets_are_blocked_with_a_reason),
        cmocka_unit_test(without_a_task_every_app_but_the_denied_may_be_used),
        cmocka_unit_test(other_apps_are_blocked_but_can_be_left),
        cmocka_unit_test(tap_on_a_protected_window_is_blocked),
        cmocka_unit_test(only_apps_of_the_task_are_opened),
        cmocka_unit_test(delete_on_a_keypad_is_allowed),
        cmocka_unit_test(users_file_overrides_the_list),
        cmocka_unit_test(invalid_file_is_refused_with_the_position),
    };

    return cmocka_run_group_tests_name("guard", tests, without_configuration,
                                       NULL);
}
