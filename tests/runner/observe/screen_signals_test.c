#include "runner/observe/screen_signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "runner/device/device_info.h"
#include "runner/observe/ui_dump.h"
#include "tests/support/fixtures.h"

static void focus_is_parsed_for_all_android_versions(void **state)
{
    static const struct {
        const char *text;
        const char *package, *activity, *window;
        int status_bar;
    } cases[] = {
        {"  mCurrentFocus=Window{7a6b78e u0 com.app/com.app.Main}\n"
         "  mFocusedApp=ActivityRecord{16812046 u0 com.app/.Main t4}\n",
         "com.app", "com.app.Main", "com.app/com.app.Main", 0},
        {"  mCurrentFocus=Window{7a6b78e u0 com.app/.Main}\r\n", "com.app",
         "com.app.Main", "com.app/.Main", 0},
        {"  mCurrentFocus=Window{1651cd4 u0 NotificationShade}\n"
         "  mFocusedApp=ActivityRecord{1f72345 u0 com.cam/.Launcher} t12}\n",
         "com.cam", "com.cam.Launcher", "NotificationShade", 0},
        {"  mCurrentFocus=Window{42 u0 Application Not Responding: com.x}\n"
         "  mFocusedApp=AppWindowToken{5d token=Token{1 ActivityRecord{9 u0 "
         "com.x/.A t1}}}\n",
         "com.x", "com.x.A", "Application Not Responding: com.x", 0},
        {"  mCurrentFocus=null\n  mFocusedApp=null\n", "", "", "", 0},
        {"  mCurrentFocus=Window{1 u0 a.b/.C}\n"
         "  mCurrentFocus=Window{2 u0 other.display/.D}\n",
         "a.b", "a.b.C", "a.b/.C", 0},
        {"        InsetsSource type=ITYPE_STATUS_BAR frame=[0,0][480,36] "
         "visible=true\n",
         "", "", "", 36},
        {"        InsetsSource id=46e90000 type=statusBars "
         "frame=[0,0][1080,142] visible=true flags= sideHint=TOP\n",
         "", "", "", 142},
        {"InsetsSource type=ITYPE_STATUS_BAR frame=[0,0][480,99999]\n", "", "",
         "", 0},
        {"mCurrentFocus=", "", "", "", 0},
        {"mCurrentFocus=Window{", "", "", "", 0},
        {"mCurrentFocus=Window{1 u0 evil;rm -rf/.x}", "", "", "evil;rm -rf/.x",
         0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen_signals signals;

        screen_signals_parse(cases[i].text, &signals);
        assert_string_equal(signals.package, cases[i].package);
        assert_string_equal(signals.activity, cases[i].activity);
        assert_string_equal(signals.window, cases[i].window);
        assert_int_equal(signals.status_bar, cases[i].status_bar);
        assert_false(signals.counts);
    }
}

static void frames_of_all_processes_are_summed(void **state)
{
    struct screen_signals a, b;

    (void)state;
    screen_signals_parse(
        "Total frames rendered: 120\nTotal frames rendered: 3\n", &a);
    assert_true(a.counts);
    assert_int_equal(a.frames, 123);
    screen_signals_parse("Total frames rendered: 123\n", &b);
    assert_true(screen_signals_equal(&a, &b));
    screen_signals_parse("Total frames rendered: 124\n", &b);
    assert_false(screen_signals_equal(&a, &b));
    screen_signals_parse("", &b);
    assert_false(screen_signals_equal(&a, &b));
}

/* As a real phone printed it. */
static void real_dumps_name_the_app_in_front(void **state)
{
    struct fixtures files;
    int complete = 0;

    (void)state;
    if (!fixtures_find(&files, ".txt"))
        skip();
    for (size_t i = 0; i < files.count; i++) {
        struct buf text = BUF_INIT((size_t)16 << 20);
        struct screen_signals signals;
        struct err err;

        if (strstr(files.paths[i], "device-outputs") &&
            file_load(files.paths[i], &text, &err)) {
            screen_signals_parse(buf_cstr(&text), &signals);
            complete += *signals.package && *signals.activity;
        }
        buf_release(&text);
    }
    assert_true(complete >= 2);
    fixtures_release(&files);
}

static void device_info_is_read(void **state)
{
    struct device_info facts;

    (void)state;
    device_info_parse(
        "ro.product.model=Pixel 7\nro.build.version.release=14\n"
        "ro.build.fingerprint=google/x:14\npersist.sys.locale=zh-CN\n"
        "ro.product.locale=en-US\nro.hardware=qcom\n"
        "ro.proctor.clock=virtual\nPhysical size: 1080x2400\n"
        "Override size: 720x1600\nPhysical density: 420\n",
        &facts);
    assert_string_equal(facts.model, "Pixel 7");
    assert_string_equal(facts.android, "14");
    assert_string_equal(facts.locale, "zh-CN");
    assert_int_equal(facts.screen.width, 720);
    assert_int_equal(facts.screen.height, 1600);
    assert_int_equal(facts.density, 420);
    assert_false(facts.builtin);
    assert_false(facts.virtual_time); /* no other phone has such a clock */
    device_info_parse("Physical size: 99999999999x1\nPhysical density: -4\n",
                      &facts);
    assert_int_equal(facts.screen.width, 0);
    assert_true(facts.density > 0);
}

static void error_messages_of_uiautomator_are_recognized(void **state)
{
    static const struct {
        const char *text;
        enum ui_dump_outcome outcome;
    } cases[] = {
        {"UI hierchary dumped to: /x\n<?xml version='1.0'?><hierarchy "
         "rotation=\"0\"></hierarchy>",
         UI_DUMP_WHOLE},
        {"<hierarchy rotation=\"0\"><node /></hierarchy>\n", UI_DUMP_WHOLE},
        {"<?xml version='1.0'?><hierarchy><node", UI_DUMP_TRUNCATED},
        {"ERROR: null root node returned by UiTestAutomationBridge.\n",
         UI_DUMP_NULL_ROOT},
        {"ERROR: could not get idle state.\n", UI_DUMP_NOT_IDLE},
        {"java.lang.IllegalStateException: UiAutomationService "
         "android.accessibilityservice already registered!",
         UI_DUMP_SERVICE_BUSY},
        {"Killed\n", UI_DUMP_KILLED},
        {"", UI_DUMP_KILLED},
        {"UI hierchary dumped to: /x\n", UI_DUMP_KILLED},
        {"/system/bin/sh: uiautomator: inaccessible or not found\n",
         UI_DUMP_MISSING},
        {"java.lang.NullPointerException\n\tat <init>\n", UI_DUMP_FAILED},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t at;

        if (ui_dump_classify(cases[i].text, strlen(cases[i].text), &at) !=
            cases[i].outcome)
            fail_msg("'%s'", cases[i].text);
        assert_true(at <= strlen(cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(focus_is_parsed_for_all_android_versions),
        cmocka_unit_test(frames_of_all_processes_are_summed),
        cmocka_unit_test(real_dumps_name_the_app_in_front),
        cmocka_unit_test(device_info_is_read),
        cmocka_unit_test(error_messages_of_uiautomator_are_recognized),
    };

    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
