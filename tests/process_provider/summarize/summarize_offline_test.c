#include "process_provider/summarize/summarize_offline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

/* One node, closed or open; flags are further attributes. */
#define NODE(class_, id_, text_, flags_, bounds_, rest_)                       \
    "<node class=\"android.widget." class_                                     \
    "\" package=\"com.example.shop\" resource-id=\"com.example.shop:id/" id_   \
    "\" text=\"" text_ "\" content-desc=\"\" enabled=\"true\" " flags_         \
    " bounds=\"" bounds_ "\"" rest_
#define SCREEN(inner_)                                                         \
    "<hierarchy rotation=\"0\">" NODE("FrameLayout", "root", "", "",           \
                                      "[0,0][1080,2400]", ">") inner_          \
        "</node></hierarchy>"

#define TITLE(text_)                                                           \
    NODE("TextView", "title", text_, "", "[60,100][700,200]", "/>")
#define SORT                                                                   \
    NODE("Button", "sort", "Sort by", "clickable=\"true\"",                    \
         "[60,300][400,400]", "/>")
#define PRODUCT(text_, bounds_)                                                \
    NODE("TextView", "name", text_, "clickable=\"true\"", bounds_, "/>")
#define LIST                                                                   \
    PRODUCT("Red lamp", "[0,500][1080,700]")                                   \
    PRODUCT("Blue lamp", "[0,700][1080,900]")                                  \
    PRODUCT("Green lamp", "[0,900][1080,1100]")

static const struct action tap_sort = {
    .kind = ACTION_CLICK, .has_from = true, .from = {200, 350}};

static void read_tree(const char *xml, struct tree *tree)
{
    struct err err;

    if (!tree_read(tree, xml, strlen(xml), &err))
        fail_msg("%s", err.text);
}

static const struct screendiff *given(void *pixels)
{
    return pixels;
}

/* The description of a step between two dumps (NULL: not known). */
static void says(const struct action *action, const char *before,
                 const char *after, const struct screendiff *pixels,
                 const char *expected)
{
    struct tree trees[2] = {TREE_INIT, TREE_INIT};
    struct summarize_view view = {
        .action = action, .pixels = given, .from = (void *)(uintptr_t)pixels};
    struct description description;

    if (before) {
        read_tree(before, &trees[0]);
        view.before.tree = &trees[0];
    }
    if (after) {
        read_tree(after, &trees[1]);
        view.after = &trees[1];
    }
    summarize_offline(&view, &description);
    if (!strstr(description.line, expected))
        fail_msg("\"%s\"\n  does not say \"%s\"", description.line, expected);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

static void change_on_the_screen_is_described(void **state)
{
    static const char lamps[] = SCREEN(TITLE("Lamps") SORT LIST);

    (void)state;
    says(&tap_sort, lamps,
         SCREEN(TITLE("Lamps")
                    NODE("Button", "sort", "Price: low to high",
                         "clickable=\"true\"", "[60,300][400,400]", "/>") LIST),
         NULL, "; 'Sort by' became 'Price: low to high'");
    says(&tap_sort, lamps,
         SCREEN(TITLE("Lamps")
                    SORT LIST PRODUCT("Sorted", "[0,2000][1080,2100]")),
         NULL, "; 'Sorted' appeared");
}

static void new_screen_is_described_by_its_title(void **state)
{
    (void)state;
    says(&tap_sort, SCREEN(TITLE("Lamps") SORT LIST),
         SCREEN(TITLE("Checkout") PRODUCT("Address", "[0,500][1080,700]")
                    PRODUCT("Payment", "[0,700][1080,900]")),
         NULL, "; the screen 'Checkout' opened");
}

static void new_app_is_described(void **state)
{
    (void)state;
    says(&tap_sort, SCREEN(TITLE("Lamps") SORT LIST),
         "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\""
         " package=\"com.android.settings\" bounds=\"[0,0][1080,2400]\">"
         "<node class=\"android.widget.TextView\" text=\"Network\""
         " package=\"com.android.settings\" bounds=\"[0,100][500,200]\"/>"
         "</node></hierarchy>",
         NULL, "; settings opened");
}

static void every_launcher_is_the_home_screen(void **state)
{
    static const struct action home = {.kind = ACTION_HOME};

    (void)state;
    says(&home, SCREEN(TITLE("Lamps") SORT LIST),
         "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\""
         " package=\"com.sec.android.app.easylauncher\""
         " bounds=\"[0,0][1080,2400]\"/></hierarchy>",
         NULL, "; the home screen opened");
}

/* Many dumps contain only the window in front. */
static void dialog_is_described_if_the_dump_has_only_it(void **state)
{
    static const struct action tap_ok = {
        .kind = ACTION_CLICK, .has_from = true, .from = {800, 1400}};
    static const char lamps[] = SCREEN(TITLE("Lamps") SORT LIST);
    static const char dialog[] = "<hierarchy rotation=\"0\">" NODE(
        "FrameLayout", "parent", "", "", "[60,900][1020,1500]", ">")
        NODE("TextView", "message", "Sold out", "", "[100,950][900,1050]", "/>")
            NODE("Button", "ok", "OK", "clickable=\"true\"",
                 "[700,1350][900,1450]", "/>") "</node></hierarchy>";

    (void)state;
    says(&tap_sort, lamps, dialog, NULL,
         "; a dialog with 'Sold out', 'OK' opened");
    says(&tap_ok, dialog, lamps, NULL,
         "; the dialog with 'Sold out', 'OK' closed");
}

static void a_sheet_from_the_bottom_is_no_other_screen(void **state)
{
    static const struct action tap_price = {
        .kind = ACTION_CLICK, .has_from = true, .from = {500, 1700}};
    static const char lamps[] = SCREEN(TITLE("Lamps") SORT LIST);
    static const char sheet[] = "<hierarchy rotation=\"0\">" NODE(
        "FrameLayout", "sheet", "", "", "[0,1300][1080,2400]", ">")
        NODE("TextView", "title", "Order", "", "[0,1400][900,1500]", "/>")
            NODE("RadioButton", "price", "Price", "clickable=\"true\"",
                 "[0,1600][1080,1800]", "/>") "</node></hierarchy>";

    (void)state;
    says(&tap_sort, lamps, sheet, NULL,
         "; a sheet with 'Order', 'Price' opened");
    says(&tap_price, sheet, lamps, NULL,
         "; the sheet with 'Order', 'Price' closed");
}

#define CHIP(checked_)                                                         \
    NODE("Button", "open_now", "Open now",                                     \
         "clickable=\"true\" checkable=\"true\" checked=\"" checked_ "\"",     \
         "[60,300][400,400]", "/>")
#define ROWS(a_, b_, c_)                                                       \
    PRODUCT(a_, "[0,500][1080,700]")                                           \
    PRODUCT(b_, "[0,700][1080,900]")                                           \
    PRODUCT(c_, "[0,900][1080,1100]")

/* Even if little of the list is left. */
static void a_filter_is_no_other_screen(void **state)
{
    (void)state;
    says(&tap_sort, SCREEN(CHIP("false") ROWS("Grill", "Diner", "Bakery")),
         SCREEN(CHIP("true") ROWS("Sushi", "Noodles", "Pizza")), NULL,
         "; 'Open now' turned on");
}

static void a_list_that_was_scrolled_is_no_other_screen(void **state)
{
    static const struct action scroll = {.kind = ACTION_SCROLL,
                                         .direction = DIRECTION_DOWN};
#define CITIES(rows_)                                                          \
    SCREEN(NODE("ListView", "cities", "", "scrollable=\"true\"",               \
                "[0,400][1080,2400]", ">") rows_ "</node>")

    (void)state;
    says(&scroll, CITIES(ROWS("Accra", "Berlin", "Cairo")),
         CITIES(ROWS("Oslo", "Paris", "Quito")), NULL,
         "; the content moved and shows 'Oslo', 'Paris', 'Quito'");
}

static void a_password_that_was_typed_is_not_emptied(void **state)
{
    static const struct action type = {.kind = ACTION_TYPE,
                                       .text = (char *)(uintptr_t) "secret"};
#define PASSWORD(text_)                                                        \
    SCREEN(TITLE("Wi-Fi") LIST NODE("EditText", "password", text_,             \
                                    "password=\"true\" focused=\"true\" "      \
                                    "clickable=\"true\"",                      \
                                    "[0,1300][1080,1400]", "/>"))

    (void)state;
    says(&type, PASSWORD(""), PASSWORD("••••••"), NULL,
         "; 'password' filled in");
    says(&type, PASSWORD("••••••"), PASSWORD(""), NULL, "; 'password' emptied");
}

static void clock_is_no_change(void **state)
{
    const struct screendiff clock = {
        .width = 1080,
        .height = 2400,
        .same_size = true,
        .pixels_changed = 200,
        .share = 0.0001,
        .regions = {.boxes = {{60, 30, 150, 70}}, .count = 1},
    };
    const struct screendiff turned = {.width = 2400, .height = 1080};

    (void)state;
    says(&tap_sort, NULL, NULL, &clock, "; nothing changed but the status bar");
    says(&tap_sort, NULL, NULL, &turned, "; the screen has another size");
}

static void switched_on_switch_is_described(void **state)
{
    static const struct action tap = {
        .kind = ACTION_CLICK, .has_from = true, .from = {900, 1350}};

    (void)state;
    says(&tap,
         SCREEN(TITLE("Filters") LIST NODE(
             "Switch", "free", "Free shipping",
             "clickable=\"true\" checkable=\"true\" checked=\"false\"",
             "[0,1300][1080,1400]", "/>")),
         SCREEN(TITLE("Filters") LIST NODE(
             "Switch", "free", "Free shipping",
             "clickable=\"true\" checkable=\"true\" checked=\"true\"",
             "[0,1300][1080,1400]", "/>")),
         NULL, "; 'Free shipping' turned on");
}

static void unchanged_screen_is_described(void **state)
{
    static const char lamps[] = SCREEN(TITLE("Lamps") SORT LIST);
    const struct screendiff equal = {.same_size = true};
    const struct screendiff other = {
        .same_size = true, .pixels_changed = 500, .share = 0.5};

    (void)state;
    says(&tap_sort, lamps, lamps, &equal, "; nothing changed");
    says(&tap_sort, lamps, lamps, NULL, "; nothing changed in the tree");
    says(&tap_sort, lamps, lamps, &other, "; 50 % of the screen changed");
    says(&tap_sort, NULL, NULL, &equal, "; nothing changed");
}

static void without_screens_only_the_action_is_described(void **state)
{
    (void)state;
    says(&tap_sort, SCREEN(TITLE("Lamps") SORT LIST), NULL, NULL, "Sort by");
    says(&tap_sort, NULL, NULL, NULL, "tapped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(change_on_the_screen_is_described),
        cmocka_unit_test(new_screen_is_described_by_its_title),
        cmocka_unit_test(new_app_is_described),
        cmocka_unit_test(every_launcher_is_the_home_screen),
        cmocka_unit_test(dialog_is_described_if_the_dump_has_only_it),
        cmocka_unit_test(a_sheet_from_the_bottom_is_no_other_screen),
        cmocka_unit_test(a_filter_is_no_other_screen),
        cmocka_unit_test(a_list_that_was_scrolled_is_no_other_screen),
        cmocka_unit_test(a_password_that_was_typed_is_not_emptied),
        cmocka_unit_test(clock_is_no_change),
        cmocka_unit_test(switched_on_switch_is_described),
        cmocka_unit_test(unchanged_screen_is_described),
        cmocka_unit_test(without_screens_only_the_action_is_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
