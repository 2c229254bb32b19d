#include "tools/phone/activities/notification_shade.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/apps/app_phone.h"

#define DEBUGGING "USB debugging connected"

static struct phone_fonts *fonts;

static int open_fonts(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    return fonts_open(&fonts, &err) ? 0 : -1;
}

static int close_fonts(void **state)
{
    (void)state;
    fonts_close(fonts);
    return 0;
}

static void open_phone(struct app_phone *phone)
{
    app_phone_open(phone, &(struct app_phone_options){.fonts = fonts});
}

static void swipe(struct app_phone *phone, int from, int to)
{
    screen_touch(phone->screen, SCREEN_DOWN, 540, from);
    screen_touch(phone->screen, SCREEN_MOVE, 540, (from + to) / 2);
    screen_touch(phone->screen, SCREEN_UP, 540, to);
}

static bool is_set(struct app_phone *phone, enum settings_space space,
                   const char *name, const char *expected)
{
    struct buf value = BUF_INIT(STRING_MAP_VALUE_MAX);
    bool same = settings_get(&phone->handset.settings, space, name, &value) &&
                !strcmp(buf_cstr(&value), expected);

    buf_release(&value);
    return same;
}

/* Down twice, from the status bar and from anywhere, and up again. */
static void shade_opens_and_closes_by_swipes(void **state)
{
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    swipe(&phone, 300, 1200); /* not from the top: the launcher takes it */
    assert_false(app_phone_shows(&phone, DEBUGGING));
    swipe(&phone, 10, 1200);
    assert_true(app_phone_shows(&phone, DEBUGGING));
    assert_true(app_phone_shows(&phone, "package=\"com.android.systemui\""));
    assert_false(app_phone_shows(&phone, "Airplane mode"));
    swipe(&phone, 1300, 2000);
    assert_true(app_phone_shows(&phone, "Airplane mode"));
    assert_false(app_phone_shows(&phone, DEBUGGING));
    swipe(&phone, 2000, 1000);
    assert_true(app_phone_shows(&phone, "Search apps"));
    assert_int_equal(notification_shade_state(phone.shade), SHADE_CLOSED);
    app_phone_close(&phone);
}

static void shade_opens_and_closes_by_keys(void **state)
{
    static const int closing[] = {KEY_BACK, KEY_ESCAPE, KEY_HOME,
                                  KEY_APP_SWITCH};
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    for (size_t i = 0; i < ARRAY_LEN(closing); i++) {
        app_phone_launch(&phone, "com.android.calculator2");
        screen_key(phone.screen, KEY_NOTIFICATION);
        assert_true(app_phone_shows(&phone, DEBUGGING));
        screen_key(phone.screen, closing[i]);
        assert_false(app_phone_shows(&phone, DEBUGGING));
        /* BACK and ESC close the shade alone. */
        assert_int_equal(app_phone_shows(&phone, "digit_7"), i < 2);
    }
    app_phone_close(&phone);
}

static void shade_does_not_open_while_the_screen_is_off(void **state)
{
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    screen_key(phone.screen, KEY_POWER);
    screen_key(phone.screen, KEY_NOTIFICATION);
    screen_key(phone.screen, KEY_POWER);
    assert_true(app_phone_shows(&phone, "Search apps"));
    app_phone_close(&phone);
}

/* Each tile changes its setting, shows the change, and the truth reports it. */
static void tiles_switch_settings(void **state)
{
    static const struct {
        const char *tile;
        enum settings_space space;
        const char *setting;
        const char *first, *second;
        const char *events;
    } cases[] = {
        {"Wi-Fi", SETTINGS_GLOBAL, "wifi_on", "0", "1",
         "settings.wifi off, settings.wifi on"},
        {"Bluetooth", SETTINGS_GLOBAL, "bluetooth_on", "1", "0",
         "settings.bluetooth on, settings.bluetooth off"},
        {"Airplane mode", SETTINGS_GLOBAL, "airplane_mode_on", "1", "0",
         "settings.airplane on, settings.airplane off"},
        {"Dark theme", SETTINGS_SECURE, "ui_night_mode", "2", "1",
         "settings.dark on, settings.dark off"},
        {"Auto-rotate", SETTINGS_SYSTEM, "accelerometer_rotation", "0", "1",
         "settings.rotate off, settings.rotate on"},
    };
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_SETTINGS);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        app_phone_press(&phone, cases[i].tile);
        assert_true(
            is_set(&phone, cases[i].space, cases[i].setting, cases[i].first));
        app_phone_press(&phone, cases[i].tile);
        assert_true(
            is_set(&phone, cases[i].space, cases[i].setting, cases[i].second));
        assert_string_equal(app_phone_events(&phone), cases[i].events);
    }
    app_phone_close(&phone);
}

/* A setting that was changed in another way is shown at once. */
static void changed_setting_is_shown(void **state)
{
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    assert_true(app_phone_find(&phone, "Wi-Fi").checkable);
    assert_true(app_phone_shows(&phone, "checked=\"true\""));
    assert_true(
        settings_put(&phone.handset.settings, SETTINGS_GLOBAL, "wifi_on", "0"));
    assert_true(settings_put(&phone.handset.settings, SETTINGS_SYSTEM,
                             "accelerometer_rotation", "0"));
    assert_false(app_phone_shows(&phone, "checked=\"true\""));
    app_phone_close(&phone);
}

static void slider_sets_the_brightness(void **state)
{
    struct app_phone phone;
    struct app_node slider;
    int y;

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_SETTINGS);
    slider = app_phone_find(&phone, "Display brightness");
    y = (slider.bounds.top + slider.bounds.bottom) / 2;
    app_phone_tap(&phone, slider.bounds.right - 2, y);
    assert_true(is_set(&phone, SETTINGS_SYSTEM, "screen_brightness", "255"));
    assert_string_equal(app_phone_events(&phone), "settings.brightness 255");
    app_phone_close(&phone);
}

static void post(struct app_phone *phone, const char *tag, const char *title)
{
    struct phone_notification posted = {.package = "org.proctor.shop",
                                        .text = "Your order"};

    snprintf(posted.tag, sizeof(posted.tag), "%s", tag);
    snprintf(posted.title, sizeof(posted.title), "%s", title);
    notifications_post(&phone->handset.notifications, &posted);
}

static void notifications_are_shown_opened_and_cleared(void **state)
{
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    assert_false(app_phone_shows(&phone, "Clear all"));
    post(&phone, "a", "First");
    post(&phone, "b", "Second");
    post(&phone, "a", "Third"); /* replaces the first */
    assert_true(app_phone_shows(&phone, "Second"));
    assert_true(app_phone_shows(&phone, "Third"));
    assert_false(app_phone_shows(&phone, "First"));
    app_phone_press(&phone, "Third");
    assert_true(app_phone_shows(&phone, "package=\"org.proctor.shop\""));
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    assert_false(app_phone_shows(&phone, "Third"));
    app_phone_press(&phone, "Clear all");
    assert_int_equal(notification_shade_state(phone.shade), SHADE_CLOSED);
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    assert_false(app_phone_shows(&phone, "Second"));
    assert_true(app_phone_shows(&phone, DEBUGGING));
    app_phone_close(&phone);
}

/* The oldest ones are dropped, and those that are shown fit on the screen. */
static void number_of_notifications_is_limited(void **state)
{
    struct app_phone phone;
    char tag[16];

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    for (unsigned i = 0; i < NOTIFICATIONS_MAX + 5; i++) {
        snprintf(tag, sizeof(tag), "t%u", i);
        post(&phone, tag, tag);
    }
    assert_int_equal(phone.handset.notifications.count, NOTIFICATIONS_MAX);
    assert_true(app_phone_shows(&phone, "text=\"t20\""));
    assert_true(app_phone_shows(&phone, "text=\"+12\""));
    assert_true(app_phone_shows(&phone, DEBUGGING));
    app_phone_close(&phone);
}

static void debugging_notification_opens_settings(void **state)
{
    struct app_phone phone;

    (void)state;
    open_phone(&phone);
    notification_shade_set(phone.shade, SHADE_NOTIFICATIONS);
    app_phone_press(&phone, DEBUGGING);
    assert_true(app_phone_shows(&phone, "package=\"com.android.settings\""));
    notification_shade_set(phone.shade, SHADE_SETTINGS);
    app_phone_press(&phone, "Open settings");
    assert_true(app_phone_shows(&phone, "package=\"com.android.settings\""));
    assert_int_equal(notification_shade_state(phone.shade), SHADE_CLOSED);
    app_phone_close(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shade_opens_and_closes_by_swipes),
        cmocka_unit_test(shade_opens_and_closes_by_keys),
        cmocka_unit_test(shade_does_not_open_while_the_screen_is_off),
        cmocka_unit_test(tiles_switch_settings),
        cmocka_unit_test(changed_setting_is_shown),
        cmocka_unit_test(slider_sets_the_brightness),
        cmocka_unit_test(notifications_are_shown_opened_and_cleared),
        cmocka_unit_test(number_of_notifications_is_limited),
        cmocka_unit_test(debugging_notification_opens_settings),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
