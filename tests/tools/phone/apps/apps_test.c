/* The apps: their truth reports what was done in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/apps/app_phone.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"

#define CLOCK "com.android.deskclock"
#define EATS "org.proctor.eats"
#define SETTINGS "com.android.settings"
#define SHOP "org.proctor.shop"
#define NAMES_MAX 40

static void open_app(struct app_phone *phone, const char *package,
                     uint64_t seed)
{
    app_phone_open(phone,
                   &(struct app_phone_options){.fonts = fonts, .seed = seed});
    app_phone_launch(phone, package);
}

static void press_all(struct app_phone *phone, const char *const *names)
{
    for (; *names; names++)
        app_phone_press(phone, *names);
}

/* ---- the clock ---- */

static void an_alarm_rings_at_its_time(void **state)
{
    static const char *const keys[] = {"Add alarm", "hour_up", "hour_up", "OK",
                                       NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, CLOCK, 0);
    press_all(&phone, keys);
    assert_non_null(strstr(app_phone_events(&phone), "clock.alarm_set"));
    task_stack_home(phone.task_stack);
    app_phone_wait(&phone, 3600.0 - 60); /* it is nine, and almost ten */
    assert_false(app_phone_shows(&phone, "dismiss"));
    app_phone_wait(&phone, 120);
    assert_true(app_phone_shows(&phone, "text=\"10:00\""));
    app_phone_press(&phone, "Snooze");
    assert_false(app_phone_shows(&phone, "dismiss"));
    app_phone_wait(&phone, 11 * 60.0);
    app_phone_press(&phone, "Stop");
    assert_false(app_phone_shows(&phone, "dismiss"));
    app_phone_close(&phone);
}

static void a_timer_counts_down_while_others_are_in_front(void **state)
{
    static const char *const keys[] = {"Timer", "timer_setup_digit_9",
                                       "timer_setup_digit_0", "Start", NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, CLOCK, 0);
    press_all(&phone, keys);
    assert_string_equal(app_phone_events(&phone),
                        "clock.tab timer, clock.digit 9, clock.digit 0, "
                        "clock.start_timer, clock.timer_set 90");
    app_phone_wait(&phone, 30);
    assert_true(app_phone_shows(&phone, "text=\"01:00\""));
    app_phone_launch(&phone, SHOP);
    app_phone_wait(&phone, 61);
    assert_true(app_phone_shows(&phone, "Time's up"));
    app_phone_close(&phone);
}

static void the_stopwatch_runs_by_the_phones_clock(void **state)
{
    static const char *const keys[] = {"Stopwatch", "Start", NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, CLOCK, 0);
    press_all(&phone, keys);
    app_phone_wait(&phone, 61.25);
    assert_true(app_phone_shows(&phone, "text=\"01:01.25\""));
    app_phone_press(&phone, "Pause");
    app_phone_wait(&phone, 5);
    assert_true(app_phone_shows(&phone, "text=\"01:01.25\""));
    app_phone_close(&phone);
}

/* ---- the shop ---- */

static void purchase_is_recorded_in_the_truth(void **state)
{
    static const char *const keys[] = {"search_bar", "search_input", NULL};
    static const char *const then[] = {
        "sort",     "Price: low to high", "result_item", "Add to cart", "View",
        "Checkout", "Express (tomorrow)", "Place order", "Confirm",     NULL};
    struct app_phone phone;
    const char *events;

    (void)state;
    open_app(&phone, SHOP, 4);
    press_all(&phone, keys);
    screen_type(phone.screen, "tent");
    app_phone_press(&phone, "search_button");
    press_all(&phone, then);
    assert_true(app_phone_shows(&phone, "Thank you for your order"));
    events = app_phone_events(&phone);
    assert_non_null(strstr(events, "shop.search tent"));
    assert_non_null(strstr(events, "shop.sort price_asc"));
    assert_non_null(strstr(events, "shop.added"));
    assert_non_null(strstr(events, "shop.delivery express"));
    assert_non_null(strstr(events, "shop.ordered"));
    app_phone_close(&phone);
}

/* ---- restaurants ---- */

static void order_is_recorded_in_the_truth(void **state)
{
    static const char *const keys[] = {
        "sort",    "Rating",       "Open now", "Takeout",   "restaurant_item",
        "Reviews", "Newest first", "Menu",     "quick_add", "View order",
        "Pick up", "Place order",  "Confirm",  NULL};
    static const char *const expected[] = {
        "eats.sort rating", "eats.filter open_now on", "eats.filter takeout on",
        "eats.open ",       "eats.section reviews",    "eats.reviews newest",
        "eats.added ",      "eats.way pickup",         "eats.ordered "};
    struct app_phone phone;
    const char *at;

    (void)state;
    open_app(&phone, EATS, 4);
    press_all(&phone, keys);
    assert_true(app_phone_shows(&phone, "Thank you for your order"));
    at = app_phone_events(&phone);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        at = strstr(at, expected[i]);
        assert_non_null(at);
    }
    app_phone_close(&phone);
}

static void opening_hours_follow_the_phones_clock(void **state)
{
    static const char *const keys[] = {"sort", "Rating", NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, EATS, 0);
    press_all(&phone, keys);
    assert_true(app_phone_shows(&phone, "Closed, opens"));
    app_phone_press(&phone, "Open now");
    assert_true(app_phone_shows(&phone, "Open until"));
    assert_false(app_phone_shows(&phone, "Closed, opens"));
    app_phone_wait(&phone, 20 * 3600.0); /* from nine to five at night */
    assert_true(app_phone_shows(&phone, "No restaurant found"));
    app_phone_close(&phone);
}

/* ---- the settings ---- */

static bool is_kept(struct app_phone *phone, enum settings_space space,
                    const char *name, const char *value)
{
    struct buf kept = BUF_INIT(1024);
    bool same = settings_get(&phone->handset.settings, space, name, &kept) &&
                !strcmp(buf_cstr(&kept), value);

    buf_release(&kept);
    return same;
}

static void open_settings(struct app_phone *phone, const char *action,
                          const char *data)
{
    struct phone_intent intent = {.action = action, .data = data};

    assert_int_not_equal(
        task_stack_start(phone->task_stack, &intent, 2000, NULL),
        TASK_STACK_NO_ANSWER);
}

static void settings_app_changes_the_phones_settings(void **state)
{
    static const char *const keys[] = {
        "Display",   "Screen timeout", "5 minutes", "Dark theme",
        "Font size", "Largest",        NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 0);
    press_all(&phone, keys);
    assert_string_equal(app_phone_events(&phone),
                        "settings.go display, settings.go timeout, "
                        "settings.timeout 300000, settings.dark on, "
                        "settings.go font_size, settings.font_size 1.3");
    assert_true(
        is_kept(&phone, SETTINGS_SYSTEM, "screen_off_timeout", "300000"));
    assert_true(is_kept(&phone, SETTINGS_SYSTEM, "font_scale", "1.3"));
    assert_true(is_kept(&phone, SETTINGS_SECURE, "ui_night_mode", "2"));
    assert_true(screen_display(phone.screen).dark);
    app_phone_close(&phone);
}

/* The height of the node with this text, description or id. */
static int height_of(struct app_phone *phone, const char *what)
{
    return box_height(app_phone_find(phone, what).bounds);
}

static void font_scale_applies_to_all_apps(void **state)
{
    static const char *const keys[] = {"Display", "Font size", "Largest", NULL};
    struct app_phone phone;
    int title, row, price;

    (void)state;
    open_app(&phone, SHOP, 0);
    price = height_of(&phone, "price");
    app_phone_launch(&phone, SETTINGS);
    title = height_of(&phone, "Display");
    app_phone_press(&phone, "Display");
    row = height_of(&phone, "Font size");
    screen_key(phone.screen, KEY_BACK);
    press_all(&phone, keys);
    screen_key(phone.screen, KEY_BACK);
    assert_in_range(height_of(&phone, "Font size"), row * 5 / 4, row * 3 / 2);
    screen_key(phone.screen, KEY_BACK);
    assert_in_range(height_of(&phone, "Display"), title * 5 / 4, title * 3 / 2);
    app_phone_launch(&phone, SHOP);
    assert_in_range(height_of(&phone, "price"), price * 5 / 4, price * 3 / 2);
    assert_true(settings_put(&phone.handset.settings, SETTINGS_SYSTEM,
                             "font_scale", "1.0"));
    assert_int_equal(height_of(&phone, "price"), price);
    app_phone_close(&phone);
}

static void language_applies_to_all_apps(void **state)
{
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 0);
    open_settings(&phone, "android.settings.LOCALE_SETTINGS", NULL);
    app_phone_press(&phone, "简体中文（中国大陆）");
    assert_string_equal(app_phone_events(&phone), "settings.language zh-CN");
    assert_true(app_phone_shows(&phone, "text=\"语言\""));
    task_stack_home(phone.task_stack);
    assert_true(app_phone_shows(&phone, "设置"));
    app_phone_close(&phone);
}

static void secured_network_requires_its_password(void **state)
{
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 3);
    open_settings(&phone, "android.settings.WIFI_SETTINGS", NULL);
    app_phone_press(&phone, "Trizero_Cafe");
    screen_type(phone.screen, "hunter2");
    app_phone_press(&phone, "connect"); /* too short */
    screen_type(phone.screen, "2");
    app_phone_press(&phone, "connect");
    assert_true(app_phone_shows(&phone, "Connecting"));
    app_phone_wait(&phone, 3);
    assert_true(app_phone_shows(&phone, "Check password and try again"));
    app_phone_press(&phone, "Trizero_Cafe");
    screen_type(phone.screen, "kanoxzolaka29"); /* the seed's */
    app_phone_press(&phone, "connect");
    app_phone_wait(&phone, 3);
    assert_false(app_phone_shows(&phone, "Connecting"));
    assert_true(is_kept(&phone, SETTINGS_GLOBAL, "wifi_ssid", "Trizero_Cafe"));
    assert_non_null(
        strstr(app_phone_events(&phone), "settings.joined Trizero_Cafe"));
    app_phone_press(&phone, "Use Wi-Fi");
    assert_string_equal(app_phone_events(&phone), "settings.wifi off");
    assert_true(is_kept(&phone, SETTINGS_GLOBAL, "wifi_on", "0"));
    app_phone_close(&phone);
}

static void setting_changed_by_adb_is_shown_at_once(void **state)
{
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 0);
    open_settings(&phone, "android.settings.WIFI_SETTINGS", NULL);
    assert_false(app_phone_shows(&phone, "turn Wi-Fi on"));
    assert_true(
        settings_put(&phone.handset.settings, SETTINGS_GLOBAL, "wifi_on", "0"));
    assert_true(app_phone_shows(&phone, "turn Wi-Fi on"));
    app_phone_close(&phone);
}

static void settings_app_grants_permissions_and_stops_apps(void **state)
{
    static const char *const keys[] = {"permission_settings", "Location",
                                       "Allow", NULL};
    static const char *const then[] = {"Force stop", "OK", NULL};
    struct app_phone phone;
    struct phone_package shop;

    (void)state;
    open_app(&phone, SHOP, 0);
    open_settings(&phone, "android.settings.APPLICATION_DETAILS_SETTINGS",
                  "package:" SHOP);
    press_all(&phone, keys);
    assert_non_null(strstr(app_phone_events(&phone),
                           "settings.permission " SHOP " location allow"));
    assert_true(packages_find(&phone.handset.packages, SHOP, &shop));
    assert_true(
        package_permission(&shop, "android.permission.ACCESS_FINE_LOCATION")
            ->granted);
    open_settings(&phone, "android.settings.APPLICATION_DETAILS_SETTINGS",
                  "package:" SHOP);
    press_all(&phone, then);
    assert_non_null(strstr(app_phone_events(&phone), "settings.stop " SHOP));
    assert_int_equal(processes_find(&phone.handset.processes, SHOP), 0);
    app_phone_close(&phone);
}

static void seven_taps_enable_the_developer_options(void **state)
{
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 0);
    assert_true(settings_put(&phone.handset.settings, SETTINGS_GLOBAL,
                             "development_settings_enabled", "0"));
    open_settings(&phone, "android.settings.DEVICE_INFO_SETTINGS", NULL);
    for (int i = 0; i < 7; i++) {
        assert_null(strstr(app_phone_events(&phone), "settings.developer"));
        app_phone_press(&phone, "Build number");
    }
    assert_non_null(strstr(app_phone_events(&phone), "settings.developer on"));
    assert_true(
        is_kept(&phone, SETTINGS_GLOBAL, "development_settings_enabled", "1"));
    app_phone_close(&phone);
}

static void a_setting_is_found_by_its_name(void **state)
{
    static const char *const keys[] = {"search_action_bar", "search_src_text",
                                       NULL};
    struct app_phone phone;

    (void)state;
    open_app(&phone, SETTINGS, 0);
    press_all(&phone, keys);
    screen_type(phone.screen, "airpl");
    app_phone_press(&phone, "Airplane mode");
    app_phone_press(&phone, "Airplane mode");
    assert_non_null(strstr(app_phone_events(&phone), "settings.airplane on"));
    app_phone_close(&phone);
}

/* ---- seeds ---- */

/* The texts of the nodes of some ids, on the screen as it is. */
struct names {
    char texts[NAMES_MAX][128];
    size_t count;
};

static void read_names(struct app_phone *phone, struct names *names)
{
    struct buf xml = app_phone_dump(phone);
    struct app_node_reader reader = {buf_cstr(&xml), 0};
    struct app_node node;

    while (names->count < NAMES_MAX && app_node_next(&reader, &node)) {
        if (strstr(node.id, ":id/product_name") ||
            strstr(node.id, ":id/restaurant_name") ||
            strstr(node.id, ":id/price"))
            memcpy(names->texts[names->count++], node.text, sizeof(node.text));
    }
    buf_release(&xml);
}

static void assert_none_shared(const struct names *one,
                               const struct names *other)
{
    for (size_t i = 0; i < one->count; i++) {
        for (size_t j = 0; j < other->count; j++)
            assert_string_not_equal(one->texts[i], other->texts[j]);
    }
}

/* On the screen that a press leads to, when the app was opened. */
static void compare_seeds(const char *package, const char *press)
{
    static struct names all[4];

    for (size_t seed = 0; seed < ARRAY_LEN(all); seed++) {
        struct app_phone phone;

        all[seed].count = 0;
        open_app(&phone, package, seed);
        app_phone_press(&phone, press);
        read_names(&phone, &all[seed]);
        assert_true(all[seed].count > 5);
        app_phone_close(&phone);
        for (size_t other = 0; other < seed; other++)
            assert_none_shared(&all[seed], &all[other]);
    }
}

static void two_seeds_share_no_names_and_no_prices(void **state)
{
    (void)state;
    compare_seeds(SHOP, "Audio");
    compare_seeds(EATS, "restaurant_item");
}

static void the_same_seed_and_inputs_give_the_same_bytes(void **state)
{
    static const char *const keys[] = {"Audio", "result_item", "Buy now", NULL};
    struct buf dumps[2], truths[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct app_phone phone;

        open_app(&phone, SHOP, 9);
        press_all(&phone, keys);
        dumps[i] = app_phone_dump(&phone);
        truths[i] = (struct buf)BUF_INIT(1 << 20);
        truth_log_print_events(&phone.truth, 0, &truths[i]);
        truth_log_print_state(&phone.truth, &truths[i]);
        app_phone_close(&phone);
    }
    assert_string_equal(buf_cstr(&dumps[0]), buf_cstr(&dumps[1]));
    assert_string_equal(buf_cstr(&truths[0]), buf_cstr(&truths[1]));
    for (int i = 0; i < 2; i++) {
        buf_release(&dumps[i]);
        buf_release(&truths[i]);
    }
}

static void skins_change_wording_and_not_behaviour(void **state)
{
    struct buf dumps[2];

    (void)state;
    for (unsigned skin = 0; skin < 2; skin++) {
        struct app_phone phone;

        app_phone_open(
            &phone, &(struct app_phone_options){.fonts = fonts, .skin = skin});
        app_phone_launch(&phone, "com.android.calculator2");
        dumps[skin] = app_phone_dump(&phone);
        app_phone_press(&phone, "7");
        assert_string_equal(app_phone_events(&phone), "calculator.press 7");
        app_phone_close(&phone);
    }
    assert_non_null(strstr(buf_cstr(&dumps[0]), ":id/digit_7\""));
    assert_non_null(strstr(buf_cstr(&dumps[1]), ":id/btn_digit_7\""));
    buf_release(&dumps[0]);
    buf_release(&dumps[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alarm_rings_at_its_time),
        cmocka_unit_test(a_timer_counts_down_while_others_are_in_front),
        cmocka_unit_test(the_stopwatch_runs_by_the_phones_clock),
        cmocka_unit_test(purchase_is_recorded_in_the_truth),
        cmocka_unit_test(order_is_recorded_in_the_truth),
        cmocka_unit_test(opening_hours_follow_the_phones_clock),
        cmocka_unit_test(settings_app_changes_the_phones_settings),
        cmocka_unit_test(font_scale_applies_to_all_apps),
        cmocka_unit_test(language_applies_to_all_apps),
        cmocka_unit_test(secured_network_requires_its_password),
        cmocka_unit_test(setting_changed_by_adb_is_shown_at_once),
        cmocka_unit_test(settings_app_grants_permissions_and_stops_apps),
        cmocka_unit_test(seven_taps_enable_the_developer_options),
        cmocka_unit_test(a_setting_is_found_by_its_name),
        cmocka_unit_test(two_seeds_share_no_names_and_no_prices),
        cmocka_unit_test(the_same_seed_and_inputs_give_the_same_bytes),
        cmocka_unit_test(skins_change_wording_and_not_behaviour),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
