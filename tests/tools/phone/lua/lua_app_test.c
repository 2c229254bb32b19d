#include "tools/phone/lua/lua_app.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/keycode.h"
#include "tests/tools/phone/apps/app_phone.h"

#define CALCULATOR "com.android.calculator2"
#define STATE_MAX ((size_t)1 << 20)

static struct phone_fonts *fonts;
static char directory[] = "/tmp/phone-apps-XXXXXX";

static int open_fonts(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    return fonts_open(&fonts, &err) && mkdtemp(directory) ? 0 : -1;
}

static int close_fonts(void **state)
{
    static const char *const names[] = {"calculator", "clock"};
    char path[64];

    (void)state;
    fonts_close(fonts);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        snprintf(path, sizeof(path), "%s/%s.lua", directory, names[i]);
        (void)unlink(path);
    }
    return rmdir(directory);
}

static void save_script(const char *name, const char *text)
{
    struct err err = ERR_INIT;
    char path[64];

    snprintf(path, sizeof(path), "%s/%s.lua", directory, name);
    assert_true(file_save(path, 0600, text, strlen(text), &err));
}

/* A phone whose calculator is this script. */
static void open_script(struct app_phone *phone, const char *text,
                        const struct app_phone_options *options)
{
    struct app_phone_options with = *options;

    save_script("calculator", text);
    with.fonts = fonts;
    with.directory = directory;
    app_phone_open(phone, &with);
    app_phone_launch(phone, CALCULATOR);
}

#define APP(body_)                                                             \
    "local handlers = {} " body_ " return { package = '" CALCULATOR "', "      \
    "name = { en = 'Test' }, state = { count = 0, text = '' }, "               \
    "screens = screens, handlers = handlers }"

static bool log_has(struct app_phone *phone, const char *text)
{
    struct logs_line line;
    uint64_t number = 0;

    while (logs_read(&phone->handset.logs, &number, &line)) {
        if (strstr(line.text, text))
            return true;
        number++;
    }
    return false;
}

/* ---- what goes wrong ---- */

static void invalid_app_keeps_stopping(void **state)
{
    static const struct {
        const char *script;
        const char *logged;
    } cases[] = {
        {"return 1 +", "calculator.lua:1: "},
        {"return 7", "the file returns no app"},
        {"\nnothing()", "calculator.lua:2: there is no nothing"},
        {"x = 1", "x is global: make it local"},
        {"while true do end", "calculator.lua:1: it takes too long"},
        {APP("local screens = {}"), "there is no screen main"},
        {APP("local screens = { main = function() return 1 end }"),
         "screen main gives no widget"},
        {APP("local screens = { main = function(s)\nreturn s.a.b end }"),
         "calculator.lua:2: attempt to index a nil value"},
        {APP("local screens = { main = function()\nreturn text{ 'x',\n"
             "colour = 'red' } end }"),
         "calculator.lua:2: a text has no colour"},
        {APP("local screens = { main = function() return text{ 'x', width = "
             "true } end }"),
         "calculator.lua:1: width: expected a number"},
        {APP("local screens = { main = function() return text{ 'x', on_click "
             "= 'fly' } end }"),
         "calculator.lua:1: on_click: there is no handler fly"},
        {APP("local screens = { main = function() local w = text{ 'x' } for i "
             "= 1, 100 do w = column{ w } end return w end }"),
         "too deep"},
        {APP("local screens = { main = function() local w = column{} for i = "
             "1, 5000 do w[i] = text{ i } end return w end }"),
         "too many widgets"},
        {APP("local screens = { main = function()\nreturn column{ 1, text{}, "
             "'two' } end }"),
         "calculator.lua:2: expected a widget, found a string"},
        {APP("local screens = { main = function() return text{ 'x', on_click "
             "= { 7 } } end }"),
         "calculator.lua:1: on_click: there is no handler 7"},
        {APP("local screens = { main = function() return text{ 'x', on_click "
             "= {} } end }"),
         "calculator.lua:1: on_click: there is no handler nil"},
        {APP("local screens = { main = function() return text{ 'x', on_click "
             "= true } end }"),
         "calculator.lua:1: on_click: there is no handler false"},
        {APP("local screens = { main = function() local l = {} l[1] = l return "
             "column{ l } end }"),
         "calculator.lua:1: lists within lists, too deep"},
        {APP("local screens = { main = function() local l = {} for i = 1, 30 "
             "do l = { l, l } end return column{ l } end }"),
         "it takes too long"},
        {APP("t{ en = 'x' } local screens = {}"), "t is for screens"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct app_phone phone;

        open_script(&phone, cases[i].script, &(struct app_phone_options){0});
        assert_true(app_phone_shows(&phone, "Calculator keeps stopping"));
        if (!log_has(&phone, cases[i].logged))
            fail_msg("%s: %s", cases[i].script, cases[i].logged);
        app_phone_press(&phone, "Close app");
        assert_true(app_phone_shows(&phone, "Search apps"));
        app_phone_close(&phone);
    }
}

static void a_handler_that_fails_stops_the_app_alone(void **state)
{
    static const char script[] = APP(
        "function handlers.bad(state)\nstate.f = handlers end\n"
        "local screens = { main = function(s) return button{ 'Go', on_click = "
        "'bad' } end }");
    struct app_phone phone;

    (void)state;
    open_script(&phone, script,
                &(struct app_phone_options){.locale = LOCALE_ZH});
    app_phone_press(&phone, "Go");
    assert_true(app_phone_shows(&phone, "计算器屡次停止运行"));
    assert_true(
        log_has(&phone, "self.state.f.bad: a function is not plain data"));
    app_phone_press(&phone, "关闭应用");
    assert_true(app_phone_shows(&phone, "搜索应用"));
    app_phone_launch(&phone, CALCULATOR);
    assert_true(app_phone_shows(&phone, "text=\"Go\""));
    app_phone_close(&phone);
}

/* ---- what an app can do ---- */

static const char navigator[] = APP(
    "function handlers.count(s, by) s.count = s.count + by end\n"
    "function handlers.typed(s, text) s.text = text end\n"
    "function handlers.later(s) after(5, 'count', 10) end\n"
    "function handlers.say(s) snack({ en = 'Said', zh = '说' }, { en = 'Undo' "
    "}, 'count', -1) end\n"
    "local screens = {}\n"
    "function screens.main(s) return column{ text{ 'n' .. s.count },\n"
    "button{ { en = 'Add', zh = '加' }, on_click = { 'count', 1 } },\n"
    "button{ 'Later', on_click = 'later' }, button{ 'Say', on_click = 'say' },"
    "\n button{ 'Next', on_click = { 'go', 'next', s.count } },\n"
    "button{ 'Ask', on_click = { 'go', 'ask' } } } end\n"
    "function screens.next(s, n) return page{ title = 'Page ' .. n } end\n"
    "function screens.ask(s) return dialog{ title = 'Sure?', buttons = { {\n"
    "'Yes', on_click = 'back' } } } end\n");

static void click_calls_its_handler_and_is_recorded(void **state)
{
    struct app_phone phone;
    struct buf text = BUF_INIT(STATE_MAX);

    (void)state;
    open_script(&phone, navigator, &(struct app_phone_options){0});
    app_phone_press(&phone, "Add");
    app_phone_press(&phone, "Add");
    assert_true(app_phone_shows(&phone, "text=\"n2\""));
    assert_string_equal(app_phone_events(&phone),
                        "calculator.count 1, calculator.count 1");
    truth_log_print_state(&phone.truth, &text);
    assert_non_null(strstr(buf_cstr(&text), "{\"calculator\":{"));
    assert_non_null(strstr(buf_cstr(&text), "\"count\":2"));
    buf_release(&text);
    app_phone_close(&phone);
}

static void screens_are_a_stack(void **state)
{
    struct app_phone phone;

    (void)state;
    open_script(&phone, navigator, &(struct app_phone_options){0});
    app_phone_press(&phone, "Add");
    app_phone_press(&phone, "Next");
    assert_true(app_phone_shows(&phone, "Page 1"));
    app_phone_press(&phone, "Navigate up");
    assert_true(app_phone_shows(&phone, "text=\"n1\""));
    app_phone_press(&phone, "Next");
    screen_key(phone.screen, KEY_BACK);
    app_phone_press(&phone, "Ask");
    assert_true(app_phone_shows(&phone, "Sure?"));
    app_phone_tap(&phone, 540, 200); /* beside the dialog */
    app_phone_press(&phone, "Ask");
    app_phone_press(&phone, "Yes");
    assert_true(app_phone_shows(&phone, "text=\"n1\""));
    screen_key(phone.screen, KEY_BACK);
    assert_true(app_phone_shows(&phone, "Search apps"));
    app_phone_close(&phone);
}

static void timers_call_their_handlers(void **state)
{
    struct app_phone phone;

    (void)state;
    open_script(&phone, navigator, &(struct app_phone_options){0});
    app_phone_press(&phone, "Later");
    app_phone_wait(&phone, 4.5);
    assert_true(app_phone_shows(&phone, "text=\"n0\""));
    app_phone_wait(&phone, 1);
    assert_true(app_phone_shows(&phone, "text=\"n10\""));
    app_phone_press(&phone, "Say");
    assert_true(app_phone_shows(&phone, "Said"));
    app_phone_press(&phone, "Undo");
    assert_false(app_phone_shows(&phone, "Said"));
    assert_true(app_phone_shows(&phone, "text=\"n9\""));
    app_phone_press(&phone, "Say");
    app_phone_wait(&phone, 5);
    assert_false(app_phone_shows(&phone, "Said"));
    app_phone_close(&phone);
}

static void a_setting_changes_the_phone_at_once(void **state)
{
    static const char script[] = APP(
        "function handlers.set(s, space, name, value) set_setting(space, name, "
        "value) end\n"
        "local screens = { main = function(s) return column{\n"
        "text{ { en = 'Hello', zh = '你好' } },\n"
        "text{ display().dark and 'night' or 'day' },\n"
        "button{ 'Dark', on_click = { 'set', 'secure', 'ui_night_mode', 2 } "
        "},\n"
        "button{ 'Chinese', on_click = { 'set', 'system', 'system_locales', "
        "'zh-CN' } } } end }");
    struct app_phone phone;

    (void)state;
    open_script(&phone, script, &(struct app_phone_options){0});
    assert_true(app_phone_shows(&phone, "text=\"day\""));
    app_phone_press(&phone, "Dark");
    assert_true(app_phone_shows(&phone, "text=\"night\""));
    assert_true(app_phone_shows(&phone, "text=\"Hello\""));
    app_phone_press(&phone, "Chinese");
    assert_true(app_phone_shows(&phone, "text=\"你好\""));
    app_phone_close(&phone);
}

/* Lists stand for their elements, false and nil for nothing. */
static void children_keep_the_order_of_their_numbers(void **state)
{
    static const char script[] =
        APP("local screens = { main = function(s) return column{ [0] = text{ "
            "'C0' }, nil, text{ 'C1' }, nil, { text{ 'C2' }, { text{ 'C3' }, "
            "false, text{ 4 } } }, false, [9] = text{ 'C9' }, [-2] = text{ "
            "'C' } } end }");
    static const char *const order[] = {
        "text=\"C\"",  "text=\"C0\"", "text=\"C1\"", "text=\"C2\"",
        "text=\"C3\"", "text=\"4\"",  "text=\"C9\"",
    };
    struct app_phone phone;
    struct buf dump;
    const char *at;

    (void)state;
    open_script(&phone, script, &(struct app_phone_options){0});
    dump = app_phone_dump(&phone);
    at = buf_cstr(&dump);
    for (size_t i = 0; i < ARRAY_LEN(order); i++) {
        at = strstr(at, order[i]);
        if (!at)
            fail_msg("%s is missing or misplaced", order[i]);
    }
    buf_release(&dump);
    app_phone_close(&phone);
}

/* ---- snapshots ---- */

static struct buf save(struct app_phone *phone)
{
    struct buf bytes = BUF_INIT(STATE_MAX);

    screen_save(phone->screen, &bytes);
    assert_false(bytes.overflow);
    return bytes;
}

static bool load(struct app_phone *phone, const struct buf *bytes)
{
    for (int trial = 1; trial >= 0; trial--) {
        struct saved_state saved_state = {(const uint8_t *)bytes->data,
                                          bytes->length, trial, false};

        screen_load(phone->screen, &saved_state);
        if (saved_state.broken)
            return false;
    }
    return true;
}

static void loaded_app_continues_like_the_saved_one(void **state)
{
    struct app_phone phone;
    struct buf saved, again, first, second;

    (void)state;
    open_script(&phone, navigator, &(struct app_phone_options){.seed = 3});
    app_phone_press(&phone, "Add");
    app_phone_press(&phone, "Later");
    saved = save(&phone);
    app_phone_press(&phone, "Add");
    app_phone_press(&phone, "Next");
    first = app_phone_dump(&phone);
    assert_true(load(&phone, &saved));
    again = save(&phone);
    assert_int_equal(again.length, saved.length);
    assert_memory_equal(again.data, saved.data, saved.length);
    app_phone_press(&phone, "Add");
    app_phone_press(&phone, "Next");
    second = app_phone_dump(&phone);
    assert_string_equal(buf_cstr(&first), buf_cstr(&second));
    buf_release(&saved);
    buf_release(&again);
    buf_release(&first);
    buf_release(&second);
    app_phone_close(&phone);
}

static void a_bad_snapshot_is_refused(void **state)
{
    struct app_phone phone;
    struct buf saved;
    char *at;

    (void)state;
    open_script(&phone, navigator, &(struct app_phone_options){0});
    saved = save(&phone);
    at = memmem(saved.data, saved.length, "\"count\":0", 9);
    assert_non_null(at);
    at[8] = 'x';
    assert_false(load(&phone, &saved));
    assert_true(app_phone_shows(&phone, "text=\"n0\""));
    buf_release(&saved);
    app_phone_close(&phone);
}

/* ---- the calculator ---- */

/* ---- apps that start apps ---- */

#define STARTS(package_, other_, when_)                                        \
    "return { package = '" package_ "', name = { en = 'Test' }, state = {}, "  \
    "screens = { main = function() return text{ '" package_ " is up' } end "   \
    "}, " when_ " = function() launch('" other_ "') end }"

#define CLOCK "com.android.deskclock"

/* It opens once, and gets its own starts, as often as is allowed. */
static void an_app_that_starts_itself_does_not_recurse(void **state)
{
    static const char *const scripts[] = {
        STARTS(CALCULATOR, CALCULATOR, "on_open"),
        STARTS(CALCULATOR, CALCULATOR, "on_start"),
        "return { package = '" CALCULATOR "', name = { en = 'Test' }, state = "
        "{}, screens = { main = function() launch('" CALCULATOR "') return "
        "text{ '" CALCULATOR " is up' } end } }",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
        struct app_phone phone;

        open_script(&phone, scripts[i], &(struct app_phone_options){0});
        assert_true(app_phone_shows(&phone, CALCULATOR " is up"));
        assert_true(app_phone_shows(&phone, CALCULATOR " is up"));
        assert_int_equal(log_has(&phone, "Dropped a start"), i == 1);
        app_phone_close(&phone);
    }
}

static void apps_that_start_each_other_do_not_recurse(void **state)
{
    struct task_info tasks[8];
    struct app_phone phone;

    (void)state;
    save_script("clock", STARTS(CLOCK, CALCULATOR, "on_start"));
    open_script(&phone, STARTS(CALCULATOR, CLOCK, "on_start"),
                &(struct app_phone_options){0});
    assert_true(app_phone_shows(&phone, CALCULATOR " is up"));
    assert_true(log_has(&phone, "Dropped a start"));
    assert_int_equal(
        task_stack_tasks(phone.task_stack, tasks, ARRAY_LEN(tasks)), 3);
    app_phone_close(&phone);
}

/* The other app is in front when the one that asked for it has returned. */
static void an_app_can_start_another_and_end(void **state)
{
    struct app_phone phone;

    (void)state;
    save_script("clock",
                "return { package = '" CLOCK "', name = { en = 'Test' }, state "
                "= {}, screens = { main = function() return text{ 'clock' } "
                "end } }");
    open_script(&phone,
                "return { package = '" CALCULATOR "', name = { en = 'Test' }, "
                "state = {}, screens = { main = function() return button{ "
                "'Leave', on_click = 'leave' } end }, handlers = { leave = "
                "function() launch('" CLOCK "') finish() end } }",
                &(struct app_phone_options){0});
    app_phone_press(&phone, "Leave");
    assert_true(app_phone_shows(&phone, "text=\"clock\""));
    screen_key(phone.screen, KEY_BACK);
    assert_true(app_phone_shows(&phone, "Search apps"));
    app_phone_close(&phone);
}

/* ---- the calculator ---- */

static void calculator_results_are_right(void **state)
{
    static const char *const cases[][2] = {
        {"1+2*3=", "7"},
        {"(1+2)*3=", "9"},
        {"2^3^2=", "512"},
        {"-2^2=", "−4"},
        {"10/4=", "2.5"},
        {"1/3=", "0.333333333333"},
        {"1000*1000=", "1,000,000"},
        {"5!=", "120"},
        {"50%*80=", "40"},
        {"0.1+0.2=", "0.3"},
        {"2^100=", "1.26765060023E30"},
        {"(1+1=", "2"},
        {"1/0=", "Can&apos;t divide by 0"},
        {"0-1=", "−1"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct app_phone phone;
        char wanted[64];

        app_phone_open(&phone, &(struct app_phone_options){.fonts = fonts});
        app_phone_launch(&phone, CALCULATOR);
        assert_true(app_phone_shows(&phone, "digit_7"));
        screen_type(phone.screen, cases[i][0]);
        snprintf(wanted, sizeof(wanted), "text=\"%s\"", cases[i][1]);
        if (i == 12)
            snprintf(wanted, sizeof(wanted), "text=\"Can't divide by 0\"");
        if (!app_phone_shows(&phone, wanted))
            fail_msg("%s is not %s", cases[i][0], cases[i][1]);
        app_phone_close(&phone);
    }
}

static void calculator_keeps_a_history(void **state)
{
    static const char *const keys[] = {"arrow",   "sin", "digit_3",
                                       "digit_0", "eq",  "History"};
    struct app_phone phone;

    (void)state;
    app_phone_open(&phone, &(struct app_phone_options){.fonts = fonts});
    app_phone_launch(&phone, CALCULATOR);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        app_phone_press(&phone, keys[i]);
    assert_string_equal(app_phone_events(&phone),
                        "calculator.expand, calculator.press sin(, "
                        "calculator.press 3, calculator.press 0, "
                        "calculator.equals, calculator.result 0.5, "
                        "calculator.go history");
    app_phone_press(&phone, "= 0.5");
    assert_true(app_phone_shows(&phone, "text=\"0.5\""));
    app_phone_close(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_app_keeps_stopping),
        cmocka_unit_test(a_handler_that_fails_stops_the_app_alone),
        cmocka_unit_test(click_calls_its_handler_and_is_recorded),
        cmocka_unit_test(screens_are_a_stack),
        cmocka_unit_test(timers_call_their_handlers),
        cmocka_unit_test(a_setting_changes_the_phone_at_once),
        cmocka_unit_test(children_keep_the_order_of_their_numbers),
        cmocka_unit_test(loaded_app_continues_like_the_saved_one),
        cmocka_unit_test(a_bad_snapshot_is_refused),
        cmocka_unit_test(an_app_that_starts_itself_does_not_recurse),
        cmocka_unit_test(apps_that_start_each_other_do_not_recurse),
        cmocka_unit_test(an_app_can_start_another_and_end),
        cmocka_unit_test(calculator_results_are_right),
        cmocka_unit_test(calculator_keeps_a_history),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
