/* dumpsys: the parts that clients read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/phone/services/system_phone.h"

#define START "am start -n org.proctor.shop/.MainActivity >/dev/null; "

static void the_window_in_front_is_named(void **state)
{
    assert_phone_prints(*state,
                        START "dumpsys window displays | grep mCurrentFocus | "
                              "cut -d ' ' -f 4-",
                        "u0 org.proctor.shop/org.proctor.shop.MainActivity}\n");
    assert_phone_says(*state, "dumpsys window | grep mFocusedApp",
                      " u0 org.proctor.shop/.MainActivity t2}\n");
    assert_phone_says(*state, "dumpsys window displays",
                      "    init=1080x2400 440dpi "
                      "mMinSizeOfResizeableTaskDp=220 cur=1080x2400 "
                      "app=1080x2400 ");
    assert_phone_says(*state,
                      "wm size 720x1280; wm density 320; "
                      "dumpsys window displays",
                      " base=720x1280 320dpi cur=720x1280 ");
}

static void windows_have_their_frames(void **state)
{
    assert_phone_says(*state, "dumpsys window windows", "  Window #1 Window{");
    assert_phone_says(*state, "dumpsys window windows",
                      "    Frames: parent=[0,0][1080,2400] "
                      "display=[0,0][1080,2400] frame=[0,0][1080,93] "
                      "last=[0,0][1080,93] insetsChanged=false\n");
    assert_phone_says(*state, "dumpsys window policy",
                      "mShowingLockscreen=false");
}

static void frames_are_counted_when_something_changed(void **state)
{
    static const char count[] = "dumpsys gfxinfo org.proctor.shop | "
                                "grep -o 'rendered: [0-9]*'";
    char before[64];

    (void)system_phone_run(*state, START, 0);
    snprintf(before, sizeof(before), "%s",
             buf_cstr(system_phone_run(*state, count, 0)));
    assert_int_equal(strncmp(before, "rendered: ", 10), 0);
    assert_string_equal(buf_cstr(system_phone_run(*state, count, 0)), before);
    (void)system_phone_run(*state, "input swipe 540 1800 540 600", 0);
    assert_string_not_equal(buf_cstr(system_phone_run(*state, count, 0)),
                            before);
    assert_phone_prints(*state,
                        "dumpsys gfxinfo com.android.settings | grep -c frames;"
                        "true",
                        "0\n");
}

static void the_resumed_activity_is_named(void **state)
{
    assert_phone_says(*state, START "dumpsys activity activities",
                      "    topResumedActivity=ActivityRecord{");
    assert_phone_says(*state,
                      "dumpsys activity activities | grep ' ResumedActivity'",
                      " u0 org.proctor.shop/.MainActivity t2}\n");
    assert_phone_says(*state, "dumpsys activity top",
                      "  ACTIVITY org.proctor.shop/.MainActivity ");
    assert_phone_says(*state, "dumpsys activity recents",
                      "  * Recent #0: Task{");
}

static void the_touch_screen_is_described(void **state)
{
    assert_phone_says(*state, "dumpsys input",
                      "        X: min=0, max=32767, flat=0, fuzz=0, "
                      "resolution=0\n");
    assert_phone_prints(*state,
                        "dumpsys input | grep SurfaceOrientation; "
                        "settings put system accelerometer_rotation 0; "
                        "settings put system user_rotation 1; "
                        "dumpsys input | grep SurfaceOrientation",
                        "      SurfaceOrientation: 0\n"
                        "      SurfaceOrientation: 1\n");
}

static void battery_is_printed_and_set(void **state)
{
    assert_phone_prints(*state, "dumpsys battery",
                        "Current Battery Service state:\n"
                        "  AC powered: false\n"
                        "  USB powered: true\n"
                        "  Wireless powered: false\n"
                        "  Dock powered: false\n"
                        "  Max charging current: 500000\n"
                        "  Max charging voltage: 5000000\n"
                        "  Charge counter: 3280000\n"
                        "  status: 2\n"
                        "  health: 2\n"
                        "  present: true\n"
                        "  level: 82\n"
                        "  scale: 100\n"
                        "  voltage: 4200\n"
                        "  temperature: 250\n"
                        "  technology: Li-ion\n");
    assert_phone_prints(*state,
                        "dumpsys battery set level 5; cmd battery unplug; "
                        "dumpsys battery | grep -E 'level|USB|status'; "
                        "dumpsys battery reset; "
                        "dumpsys battery | grep -E 'level|USB'",
                        "  USB powered: false\n"
                        "  status: 3\n"
                        "  level: 5\n"
                        "  USB powered: true\n"
                        "  level: 82\n");
    assert_phone_prints(*state, "dumpsys battery set colour 3",
                        "Unknown set option: colour\n");
}

static void packages_are_described(void **state)
{
    assert_phone_prints(*state,
                        "dumpsys package org.proctor.shop | "
                        "grep -E 'versionName|versionCode|userId|INTERNET: '",
                        "    userId=10100\n"
                        "    versionCode=30201 minSdk=24 targetSdk=34\n"
                        "    versionName=3.2.1\n"
                        "      android.permission.INTERNET: granted=true\n");
    assert_phone_prints(*state, "dumpsys package a.b",
                        "Unable to find package: a.b\n");
}

static void the_display_is_described(void **state)
{
    assert_phone_says(*state, "dumpsys display",
                      "    mBaseDisplayInfo=DisplayInfo{\"Built-in Screen\", "
                      "displayId 0\"");
    assert_phone_says(*state, "dumpsys display",
                      " real 1080 x 2400, largest app ");
    assert_phone_says(*state, "dumpsys display",
                      "mStableDisplaySize=Point(1080, 2400)");
    assert_phone_prints(*state,
                        "dumpsys display | grep mScreenState=; "
                        "input keyevent POWER; "
                        "dumpsys display | grep mScreenState=; "
                        "input keyevent WAKEUP",
                        "  mScreenState=ON\n  mScreenState=OFF\n");
}

static void sleep_is_shown_by_all_services(void **state)
{
    assert_phone_prints(*state,
                        "dumpsys power | grep mWakefulness=; "
                        "input keyevent POWER; "
                        "dumpsys power | grep mWakefulness=; "
                        "dumpsys window displays | grep mCurrentFocus; "
                        "input keyevent WAKEUP; "
                        "dumpsys power | grep mWakefulness=",
                        "  mWakefulness=Awake\n"
                        "  mWakefulness=Asleep\n"
                        "  mCurrentFocus=null\n"
                        "  mWakefulness=Awake\n");
}

static void services_are_listed(void **state)
{
    assert_phone_says(*state, "dumpsys -l",
                      "Currently running services:\n  SurfaceFlinger\n");
    assert_phone_fails(*state, "dumpsys missing", 0,
                       "Can't find service: missing\n");
    assert_phone_says(*state, "dumpsys", "DUMP OF SERVICE window:\n");
    assert_phone_says(*state, "svc wifi disable; dumpsys connectivity",
                      "Active default network: none\n");
    assert_phone_says(*state, "dumpsys telephony.registry", "mCallState=0\n");
    assert_phone_says(*state, "dumpsys activity services",
                      " u0 com.android.inputmethod.latin/.LatinIME}\n");
    assert_phone_says(*state, "dumpsys activity services org.proctor.shop",
                      "  (nothing)\n");
}

int main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, system_phone_set_up,                 \
                                    system_phone_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_window_in_front_is_named),
        TEST(windows_have_their_frames),
        TEST(frames_are_counted_when_something_changed),
        TEST(the_resumed_activity_is_named),
        TEST(the_touch_screen_is_described),
        TEST(battery_is_printed_and_set),
        TEST(packages_are_described),
        TEST(the_display_is_described),
        TEST(sleep_is_shown_by_all_services),
        TEST(services_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
