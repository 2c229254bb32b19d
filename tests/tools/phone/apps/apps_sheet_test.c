/* Tours through the apps, and a picture of each screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "tests/tools/phone/apps/app_phone.h"
#include "tests/tools/phone/graphics/contact_sheet.h"
#include "tests/tools/phone/graphics/fonts_fixture.h"

#define COLUMNS 10
#define STEPS_MAX 60
#define SEED 7

/* A step: press the node with this id or text; or */
#define SHOT "*"    /* a picture is taken */
#define BACK "<"    /* is a key */
#define HOME "^"    /* is another */
#define RECENT "="  /* and another */
#define TYPE "+"    /* "+text" is typed */
#define START "@"   /* "@action" is started */
#define PULL "v"    /* and the one that pulls the shade down */
#define ASK "?"     /* a permission is asked for */
#define WAIT "... " /* some seconds pass */

struct tour {
    const char *package;
    const char *steps[STEPS_MAX];
};

static const struct tour tours[] = {
    {NULL, {SHOT}}, /* the launcher */
    {"com.android.calculator2",
     {"digit_7", "op_mul", "digit_8", SHOT, "eq", "arrow", SHOT, "arrow",
      "menu_history", SHOT}},
    {"com.android.deskclock",
     {SHOT,
      "fab",
      SHOT,
      "ok_button",
      SHOT,
      "tab_menu_clock",
      SHOT,
      "fab",
      SHOT,
      BACK,
      "tab_menu_timer",
      "timer_setup_digit_9",
      "timer_setup_digit_0",
      SHOT,
      "fab",
      WAIT,
      SHOT,
      "tab_menu_stopwatch",
      "fab",
      WAIT,
      "lap",
      WAIT,
      SHOT}},
    {"com.android.settings",
     {SHOT,
      "search_action_bar",
      "+sou",
      SHOT,
      START "android.settings.WIFI_SETTINGS",
      SHOT,
      "wifi_entry",
      SHOT,
      START "android.settings.DISPLAY_SETTINGS",
      SHOT,
      START "android.settings.SOUND_SETTINGS",
      SHOT,
      START "android.settings.INTERNAL_STORAGE_SETTINGS",
      SHOT,
      START "android.settings.APPLICATION_SETTINGS",
      SHOT,
      "app_entry",
      "permission_settings",
      SHOT,
      START "android.settings.LOCALE_SETTINGS",
      SHOT,
      START "android.settings.DEVICE_INFO_SETTINGS",
      SHOT}},
    {"org.proctor.darkroom",
     {SHOT,           "photo_card",  SHOT,          "got_it",
      SHOT,           "tool_adjust", "where_above", "brightness_more",
      SHOT,           "apply",       "tool_crop",   "ratio_square",
      SHOT,           "apply",       "layers",      SHOT,
      "layer_menu",   SHOT,          BACK,          BACK,
      "export",       SHOT,          "save",        BACK,
      "tab_projects", SHOT,          "tab_exports", SHOT}},
    {"org.proctor.browser",
     {SHOT,
      "menu",
      SHOT,
      BACK,
      "tab_count",
      SHOT,
      BACK,
      "address_bar",
      "+desk lamp",
      "search_typed",
      SHOT,
      BACK,
      "shortcut",
      "featured",
      "section",
      SHOT,
      "home_page",
      "address_bar",
      "+quoveka.example",
      "search_typed",
      "city_book",
      "choose_office",
      "office_2",
      "slot_day",
      SHOT}},
    {"org.proctor.sports",
     {SHOT, "section_name", SHOT, "close_offer", SHOT, "tab_scorers", "player",
      "fold_match_log", SHOT, BACK, BACK, "match", SHOT, "side", SHOT, "follow",
      "alerts", SHOT}},
    {"org.proctor.shop",
     {SHOT,
      "search_bar",
      SHOT,
      "search_input",
      "+tent",
      "search_button",
      SHOT,
      "sort",
      SHOT,
      BACK,
      "filter",
      SHOT,
      BACK,
      "result_item",
      SHOT,
      "favorite",
      "add_to_cart",
      SHOT,
      "open_cart",
      WAIT,
      SHOT,
      "checkout",
      SHOT,
      "place_order",
      SHOT,
      "confirm",
      SHOT,
      "continue",
      "nav_categories",
      SHOT,
      "nav_account",
      SHOT,
      "show_coupons",
      SHOT,
      BACK,
      SHOT,
      "orders",
      SHOT,
      "orders_delivered",
      "order_card",
      SHOT,
      "tracking",
      SHOT,
      "rate",
      "star_4",
      SHOT,
      BACK,
      "return",
      SHOT,
      "reason_damaged",
      "send_request",
      WAIT,
      SHOT}},
    {"org.proctor.eats",
     {SHOT,
      "search_bar",
      SHOT,
      BACK,
      "sort",
      SHOT,
      "sort_rating",
      "filter",
      SHOT,
      BACK,
      "chip_open_now",
      "chip_takeout",
      SHOT,
      "restaurant_item",
      SHOT,
      "dish_item",
      SHOT,
      "add",
      "tab_reviews",
      SHOT,
      "tab_hours",
      SHOT,
      "view_order",
      SHOT,
      "place_order",
      SHOT,
      "confirm",
      SHOT}},
    {"org.proctor.pay",
     {SHOT, "tile_bills", SHOT, "no_thanks", SHOT, BACK, "tile_stats", SHOT,
      BACK, "action_transfer", "contact", "amount_input", "+12.50", BACK,
      "next", SHOT, "pay_now", SHOT}},
    {"org.proctor.video",
     {SHOT, "open_search", "+mistakes", "search_button", SHOT, "open_filters",
      SHOT, BACK, "video_row", WAIT, "skip_ad", "player", SHOT, "open_comments",
      SHOT, BACK, "channel_part", SHOT}},
    {"org.proctor.news",
     {SHOT,
      "not_now",
      SHOT,
      "article_card",
      SHOT,
      "read_all",
      "share",
      SHOT,
      BACK,
      "open_comments",
      SHOT,
      BACK,
      BACK,
      "edit_columns",
      "edit",
      SHOT,
      BACK,
      "nav_hot",
      SHOT,
      "hot_row",
      SHOT,
      BACK,
      "nav_following",
      SHOT,
      "nav_me",
      SHOT}},
    {"org.proctor.store",
     {SHOT,         "app_tile",     SHOT,      BACK,
      "nav_charts", SHOT,           "not_now", SHOT,
      "nav_search", "search_input", "+game",   "search_button",
      SHOT,         "filters",      SHOT,      BACK,
      BACK,         "nav_mine",     SHOT,      "updates_card",
      SHOT}},
    {NULL, {PULL, SHOT, PULL, SHOT, RECENT, SHOT, HOME, ASK, SHOT}},
};

/* Take a picture of one screen in so many. */
struct album {
    struct contact_sheet sheet;
    int each;
    int seen;
};

static void shoot(struct app_phone *phone, struct album *album)
{
    struct phone_frame *frame;
    struct err err = ERR_INIT;

    if (album->seen++ % album->each)
        return;

    assert_true(screen_look(phone->screen, &frame, &err));
    contact_sheet_add(&album->sheet, &frame->picture);
    screen_frame_drop(frame);
}

static void start(struct app_phone *phone, const char *action)
{
    struct phone_intent intent = {.action = action};

    assert_int_not_equal(
        task_stack_start(phone->task_stack, &intent, 2000, NULL),
        TASK_STACK_NO_ANSWER);
}

static void take_step(struct app_phone *phone, const char *step,
                      struct album *album)
{
    if (!strcmp(step, SHOT))
        shoot(phone, album);
    else if (!strcmp(step, BACK))
        screen_key(phone->screen, KEY_BACK);
    else if (!strcmp(step, HOME))
        screen_key(phone->screen, KEY_HOME);
    else if (!strcmp(step, RECENT))
        screen_key(phone->screen, KEY_APP_SWITCH);
    else if (!strcmp(step, PULL))
        screen_key(phone->screen, KEY_NOTIFICATION);
    else if (!strcmp(step, ASK))
        popup_show(phone->popup, POPUP_PERMISSION, "");
    else if (!strcmp(step, WAIT))
        app_phone_wait(phone, 7.5);
    else if (*step == *TYPE)
        screen_type(phone->screen, step + 1);
    else if (*step == *START)
        start(phone, step + 1);
    else
        app_phone_press(phone, step);
}

static int count_shots(void)
{
    int count = 0;

    for (size_t i = 0; i < ARRAY_LEN(tours); i++) {
        for (const char *const *step = tours[i].steps; *step; step++)
            count += !strcmp(*step, SHOT);
    }
    return count;
}

static void take_tours(enum phone_locale locale, struct album *album)
{
    struct app_phone phone;

    app_phone_open(&phone, &(struct app_phone_options){
                               .fonts = fonts,
                               .locale = locale,
                               .dark = locale == LOCALE_ZH,
                               .seed = SEED,
                           });
    for (size_t i = 0; i < ARRAY_LEN(tours); i++) {
        if (tours[i].package)
            app_phone_launch(&phone, tours[i].package);
        for (const char *const *step = tours[i].steps; *step; step++)
            take_step(&phone, *step, album);
    }
    app_phone_close(&phone);
}

static void check_album(enum phone_locale locale, int each, const char *name)
{
    struct album album = {.each = each};

    contact_sheet_init(&album.sheet, COLUMNS, (count_shots() - 1) / each + 1);
    take_tours(locale, &album);
    contact_sheet_check(&album.sheet, name);
    contact_sheet_release(&album.sheet);
}

static void screens_of_apps_equal_the_golden(void **state)
{
    (void)state;
    check_album(LOCALE_EN, 1, "apps");
}

/* A few of them, to keep the picture small. */
static void chinese_and_dark_screens_of_apps_equal_the_golden(void **state)
{
    (void)state;
    check_album(LOCALE_ZH, 4, "apps-zh");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(screens_of_apps_equal_the_golden),
        cmocka_unit_test(chinese_and_dark_screens_of_apps_equal_the_golden),
    };

    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
