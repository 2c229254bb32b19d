/* Taps in rows, lists and grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/process_provider/describe/expect_description.h"

/* The row takes the tap, and the switch in it shows the state. */
static void row_with_a_switch_is_described_as_the_switch(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(
            W "LinearLayout", TAP, "[0,300][1000,400]",
            TEXT("Wi-Fi", "[0,300][500,400]")
                NODE(W "Switch", "checkable=\"true\"", "[900,300][1000,400]"))),
        200, 350, "tapped switch 'Wi-Fi', now on");
}

static void unnamed_checkbox_is_named_by_its_row(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", "", "[0,300][1000,400]",
                     TEXT("Only in stock", "[0,300][500,400]")
                         NODE(W "CheckBox",
                              "checkable=\"true\" "
                              "resource-id=\"a:id/cb_1\"" TAP,
                              "[900,300][1000,400]"))),
        950, 350, "tapped checkbox 'Only in stock', now on");
}

static void a_switch_is_named_by_the_title_of_its_row(void **state)
{
    (void)state;
#define SWITCH_ROW(text_)                                                      \
    SCREEN(GROUP(                                                              \
        W "LinearLayout", "", "[0,300][1000,500]",                             \
        NODE(W "TextView",                                                     \
             "text=\"Saves power at night\" "                                  \
             "resource-id=\"android:id/summary\"",                             \
             "[0,400][700,500]") NODE(W "TextView",                            \
                                      "text=\"Dark theme\" "                   \
                                      "resource-id=\"android:id/title\"",      \
                                      "[0,300][500,380]")                      \
            NODE(W "Switch", "checkable=\"true\" text=\"" text_ "\"" TAP,      \
                 "[850,400][1000,500]")))
    expect_description_of_tap(SWITCH_ROW("开启"), 950, 450,
                              "tapped switch 'Dark theme', now on");
    expect_description_of_tap(SWITCH_ROW("OFF"), 950, 450,
                              "tapped switch 'Dark theme', now on");
    expect_description_of_tap(SWITCH_ROW("Night mode"), 950, 450,
                              "tapped switch 'Night mode', now on");
    /* A state alone is no name. */
    expect_description_of_tap(
        SCREEN(NODE(W "Switch", "checkable=\"true\" text=\"ON\"" TAP,
                    "[850,400][1000,500]")),
        950, 450, "tapped switch without a name, now on");
}

static void a_clickable_row_with_text_is_not_empty(void **state)
{
    (void)state;
#define SCROLLING_ROW(class_, flags_)                                          \
    SCREEN(GROUP(class_, flags_ TAP, "[0,300][1000,500]",                      \
                 TEXT("Account", "[20,320][300,400]")))
    expect_description_of_tap(
        SCROLLING_ROW(W "HorizontalScrollView", "scrollable=\"true\""), 800,
        450, "tapped 'Account'");
    expect_description_of_tap(SCROLLING_ROW(W "ListView", ""), 800, 450,
                              "tapped 'Account'");
    expect_description_of_tap(
        SCREEN(GROUP(W "ListView", TAP, "[0,300][1000,1900]",
                     TEXT("Account", "[20,320][300,400]"))),
        800, 1450, "tapped nothing: an empty place at 800,1450");
}

#define ROW(top_, bottom_, title_, price_)                                     \
    GROUP(W "LinearLayout", TAP, "[0," top_ "][1000," bottom_ "]",             \
          TEXT(price_, "[800," top_ "][1000," bottom_ "]") NODE(               \
              W "TextView", "text=\"" title_ "\" resource-id=\"a:id/title\"",  \
              "[0," top_ "][500," bottom_ "]")                                 \
              NODE(W "ImageButton", "content-desc=\"Like\"" TAP,               \
                   "[500," top_ "][600," bottom_ "]"))
#define ROWS                                                                   \
    ROW("300", "400", "Mouse", "9.99")                                         \
    ROW("400", "500", "Keyboard", "29.99")                                     \
    ROW("500", "600", "Screen", "199.00")

static void row_is_described_by_text_and_position(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 100, 550,
        "tapped 'Screen' ('199.00'), 3rd item");
}

static void row_of_a_search_is_described_as_a_result(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP("androidx.recyclerview.widget.RecyclerView",
                     "resource-id=\"a:id/search_results\"",
                     "[0,300][1000,2000]", ROWS)),
        100, 450, "tapped 'Keyboard' ('29.99'), 2nd result");
}

static void rating_display_belongs_to_its_row(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                     TEXT("Lamp", "[0,0][500,100]")
                         NODE(W "RatingBar", "focusable=\"false\"",
                              "[0,100][200,200]"))),
        50, 150, "tapped 'Lamp'");
}

/* An emoji drawn as a picture is a text in the tree. */
static void pictures_do_not_name_a_row(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                     TEXT("\u2615\ufe0f", "[0,0][100,200]")
                         TEXT("Kitchen", "[100,0][500,200]"))),
        50, 150, "tapped 'Kitchen'");
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                     TEXT("\u2615\ufe0f", "[0,0][100,200]"))),
        50, 150, "tapped '\u2615\ufe0f'");
}

static void part_of_a_row_is_described_with_its_row(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 550, 350,
        "tapped button 'Like' of 'Mouse', 1st item");
}

/*
 * A card with several controls: its title is above, not beside another control.
 */
static void row_is_not_named_by_another_control(void **state)
{
    (void)state;
#define CARD(top_)                                                             \
    GROUP(W "FrameLayout", "", "[0,0][1000,600]",                              \
          top_ NODE(W "Button", "text=\"M\" content-desc=\"Mon\"" TAP,         \
                    "[0,300][90,390]") TEXT("Vibrate", "[0,500][200,560]")     \
              NODE(W "CheckBox", "checkable=\"true\"" TAP,                     \
                   "[900,490][1000,570]"))
#define CARDS(top_)                                                            \
    SCREEN(GROUP(W "ListView", "", "[0,0][1000,2000]",                         \
                 CARD(top_) GROUP(W "FrameLayout", "", "[0,600][1000,1200]",   \
                                  TEXT("Other", "[0,700][200,800]"))))
    expect_description_of_tap(
        CARDS(NODE(W "TextView", "text=\"08:56\"" TAP, "[0,0][400,100]")), 40,
        350, "tapped button 'M' ('Mon') of '08:56', 1st item");
    expect_description_of_tap(CARDS(""), 40, 350,
                              "tapped button 'M' ('Mon'), 1st item");
    /* Chips are side by side, and none is the title of the others. */
    expect_description_of_tap(
        SCREEN(GROUP(
            W "ListView", "", "[0,0][1000,2000]",
            GROUP(W "ListView", "", "[0,100][1000,200]",
                  NODE(W "Button", "text=\"Sort\"" TAP, "[0,100][200,200]")
                      NODE(W "Button",
                           "text=\"Open now\" checkable=\"true\"" TAP,
                           "[220,100][420,200]"))
                GROUP(W "FrameLayout", TAP, "[0,200][1000,500]",
                      TEXT("Grill", "[0,210][500,300]")))),
        300, 150, "tapped button 'Open now', now on, 2nd item");
}

static void heading_does_not_name_a_later_group(void **state)
{
    (void)state;
#define UNDER(between_)                                                        \
    SCREEN(GROUP(W "LinearLayout", "", "[0,0][1000,2000]",                     \
                 TEXT("103 Garden Row", "[0,0][500,100]") between_ GROUP(      \
                     W "ListView", "", "[0,300][1000,2000]",                   \
                     GROUP(W "FrameLayout", TAP, "[0,300][1000,500]",          \
                           TEXT("Grill", "[0,310][500,400]"))                  \
                         GROUP(W "FrameLayout", TAP, "[0,500][1000,700]",      \
                               TEXT("Diner", "[0,510][500,600]")))))
    expect_description_of_tap(UNDER(""), 500, 350,
                              "tapped 'Grill', 1st item, in '103 Garden Row'");
    expect_description_of_tap(
        UNDER(NODE(W "EditText", "hint=\"Search\"" TAP, "[0,120][1000,220]")),
        500, 350, "tapped 'Grill', 1st item");
}

static void rows_are_described_with_their_list(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", "", "[0,200][1000,2000]",
                     TEXT("Sort by", "[0,200][1000,300]")
                         GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS))),
        100, 350, "tapped 'Mouse' ('9.99'), 1st item, in 'Sort by'");
}

#define DAY(bounds_)                                                           \
    NODE(V "View", "resource-id=\"com.example.shop:id/month_day\"" TAP, bounds_)

static void grid_cell_is_described_by_row_and_column(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(DAY("[0,0][100,100]") DAY("[100,0][200,100]")
                   DAY("[0,100][100,200]") DAY("[100,100][200,200]")),
        50, 150, "tapped 'month day', row 2, column 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_with_a_switch_is_described_as_the_switch),
        cmocka_unit_test(unnamed_checkbox_is_named_by_its_row),
        cmocka_unit_test(a_switch_is_named_by_the_title_of_its_row),
        cmocka_unit_test(a_clickable_row_with_text_is_not_empty),
        cmocka_unit_test(row_is_described_by_text_and_position),
        cmocka_unit_test(row_of_a_search_is_described_as_a_result),
        cmocka_unit_test(rating_display_belongs_to_its_row),
        cmocka_unit_test(pictures_do_not_name_a_row),
        cmocka_unit_test(part_of_a_row_is_described_with_its_row),
        cmocka_unit_test(row_is_not_named_by_another_control),
        cmocka_unit_test(heading_does_not_name_a_later_group),
        cmocka_unit_test(rows_are_described_with_their_list),
        cmocka_unit_test(grid_cell_is_described_by_row_and_column),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
