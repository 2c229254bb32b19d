#include "process_provider/describe/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define W "android.widget."
#define V "android.view."

/* A screen of 1000 x 2000 with these nodes on it. */
#define SCREEN(nodes_)                                                         \
    "<hierarchy><node class=\"" W "FrameLayout\" package=\"com.example.shop\"" \
    " bounds=\"[0,0][1000,2000]\">" nodes_ "</node></hierarchy>"
#define NODE(class_, attributes_, bounds_)                                     \
    "<node class=\"" class_ "\" package=\"com.example.shop\" " attributes_     \
    " bounds=\"" bounds_ "\"/>"
#define GROUP(class_, attributes_, bounds_, nodes_)                            \
    "<node class=\"" class_ "\" package=\"com.example.shop\" " attributes_     \
    " bounds=\"" bounds_ "\">" nodes_ "</node>"
#define TEXT(text_, bounds_) NODE(W "TextView", "text=\"" text_ "\"", bounds_)

#define TAP " clickable=\"true\""

static void load(struct tree *tree, const char *xml)
{
    struct err err;

    if (!tree_read(tree, xml, strlen(xml), &err))
        fail_msg("%s", err.text);
}

static void expect(const char *xml, int x, int y, const char *expected)
{
    struct tree tree = TREE_INIT;
    struct description description;

    load(&tree, xml);
    describe_tap(&(struct scene){.tree = &tree}, x, y, &description);
    assert_string_equal(description.text, expected);
    assert_int_equal(strncmp(description.line, expected, strlen(expected)), 0);
    tree_release(&tree);
}

static void expect_plain(const char *xml, int x, int y, const char *expected)
{
    struct tree tree = TREE_INIT;
    char line[DESCRIPTION_MAX];

    load(&tree, xml);
    describe_plain(&tree, x, y, line);
    assert_string_equal(line, expected);
    tree_release(&tree);
}

static void expect_step(const char *xml, const struct action *action,
                        const char *expected)
{
    struct tree tree = TREE_INIT;
    struct description description;

    if (xml)
        load(&tree, xml);
    describe_step(&(struct scene){.tree = xml ? &tree : NULL}, action,
                  &description);
    assert_string_equal(description.line, expected);
    tree_release(&tree);
}

/* ---- Algorithm 1 ---- */

static void plain_uses_text_and_description(void **state)
{
    (void)state;
    expect_plain(
        SCREEN(NODE(W "Button", "text=\"Go\" content-desc=\"Start\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "Go Start");
}

static void plain_uses_the_smallest_node_and_of_equals_the_last(void **state)
{
    (void)state;
    expect_plain(
        SCREEN(
            GROUP(W "FrameLayout", "text=\"large\"" TAP, "[0,0][500,500]",
                  NODE(W "View", "text=\"first\"" TAP, "[0,0][100,100]")
                      NODE(W "View", "text=\"last\"" TAP, "[0,0][100,100]"))
                NODE(W "View", "text=\"not clickable\"", "[0,0][50,50]")
                    NODE(W "View", "text=\"no area\"" TAP, "[20,20][10,10]")),
        15, 15, "last");
}

static void plain_falls_back_to_id_and_children(void **state)
{
    (void)state;
    expect_plain(
        SCREEN(GROUP(W "LinearLayout",
                     "resource-id=\"com.example.shop:id/filter_icon\"" TAP,
                     "[0,0][100,100]",
                     TEXT("Price", "[0,0][50,50]")
                         GROUP(W "LinearLayout", "", "[0,50][100,100]",
                               TEXT("grandchild", "[0,50][50,100]")))),
        90, 10, "filter_icon Price");
}

static void plain_has_no_name_for_an_empty_place(void **state)
{
    (void)state;
    expect_plain(SCREEN(TEXT("a", "[0,0][100,100]")), 50, 50, "");
}

/* ---- the converter ---- */

static void button_is_named_by_its_text(void **state)
{
    (void)state;
    expect(
        SCREEN(NODE(W "Button", "text=\"Add to cart\"" TAP, "[0,0][100,100]")),
        50, 50, "tapped button 'Add to cart'");
}

/* A sheet above a button; the button is smaller, but covered. */
static void topmost_node_is_the_target(void **state)
{
    const char *screen = SCREEN(
        NODE(W "Button", "text=\"beneath\"" TAP, "[400,900][600,1000]")
            NODE(V "View", "content-desc=\"Sheet\"" TAP, "[0,800][1000,1500]"));

    (void)state;
    expect(screen, 500, 950, "tapped 'Sheet'");
    expect_plain(screen, 500, 950, "beneath");
}

static void drawing_order_decides_what_is_on_top(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "Button", "text=\"raised\" drawing-order=\"2\"" TAP,
                       "[0,0][100,100]")
                      NODE(W "Button", "text=\"flat\" drawing-order=\"1\"" TAP,
                           "[0,0][100,100]")),
           50, 50, "tapped button 'raised'");
}

static void control_has_the_name_of_a_wrapper_with_equal_bounds(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "FrameLayout", "content-desc=\"Cart\"" TAP,
                        "[0,0][100,100]",
                        NODE(W "ImageView", TAP, "[0,0][100,100]"))),
           50, 50, "tapped 'Cart'");
}

static void empty_bounds_are_never_tapped(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "Button", "text=\"flat\"" TAP, "[50,50][50,90]") NODE(
               W "Button", "text=\"inverted\"" TAP, "[90,90][10,10]")),
           50, 50, "tapped nothing: an empty place at 50,50");
}

static void a_child_outside_of_its_parent_is_found(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(
               W "FrameLayout", "", "[0,0][100,100]",
               NODE(W "Button", "text=\"out\"" TAP, "[500,500][600,600]"))),
           550, 550, "tapped button 'out'");
}

static void disabled_control_is_described_as_disabled(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "Button", "text=\"Pay\" enabled=\"false\"" TAP,
                       "[0,0][100,100]")),
           50, 50, "tapped button 'Pay', disabled");
}

static void checkbox_is_described_with_its_new_state(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "CheckBox",
                       "text=\"Free cancellation\" checkable=\"true\"" TAP,
                       "[0,0][500,100]")),
           50, 50, "tapped checkbox 'Free cancellation', now on");
    expect(SCREEN(NODE(W "CheckBox",
                       "text=\"Free cancellation\" checkable=\"true\" "
                       "checked=\"true\"" TAP,
                       "[0,0][500,100]")),
           50, 50, "tapped checkbox 'Free cancellation', now off");
    expect(SCREEN(NODE(W "RadioButton",
                       "text=\"Blue\" checkable=\"true\" checked=\"true\"" TAP,
                       "[0,0][500,100]")),
           50, 50, "tapped radio button 'Blue', now on");
}

/* The row takes the tap, and the switch in it shows the state. */
static void row_with_a_switch_is_described_as_the_switch(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", TAP, "[0,300][1000,400]",
                        TEXT("Wi-Fi", "[0,300][500,400]")
                            NODE(W "Switch", "checkable=\"true\"",
                                 "[900,300][1000,400]"))),
           200, 350, "tapped switch 'Wi-Fi', now on");
}

static void unnamed_checkbox_is_named_by_its_row(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,300][1000,400]",
                        TEXT("Only in stock", "[0,300][500,400]")
                            NODE(W "CheckBox",
                                 "checkable=\"true\" "
                                 "resource-id=\"a:id/cb_1\"" TAP,
                                 "[900,300][1000,400]"))),
           950, 350, "tapped checkbox 'Only in stock', now on");
}

static void a_text_near_an_icon_is_not_its_name(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,300][100,420]",
                        NODE(W "ImageView", TAP, "[0,300][100,400]")
                            TEXT("Orders", "[0,400][100,420]"))
                      GROUP(W "LinearLayout", "", "[100,300][200,420]",
                            NODE(W "ImageView", TAP, "[100,300][200,400]")
                                TEXT("Coupons", "[100,400][200,420]"))),
           150, 350, "tapped image without a name, above 'Coupons'");
    /* The title of a toolbar, whose only control is an unnamed button. */
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,0][1000,150]",
                        NODE(W "ImageButton", TAP, "[0,0][150,150]")
                            TEXT("Test User", "[200,0][600,150]"))),
           70, 70, "tapped button without a name, left of 'Test User'");
    expect(SCREEN(TEXT("Test User", "[200,0][600,150]")
                      NODE(W "ImageButton", TAP, "[620,0][770,150]")),
           700, 70, "tapped button without a name, right of 'Test User'");
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
    expect(SWITCH_ROW("开启"), 950, 450, "tapped switch 'Dark theme', now on");
    expect(SWITCH_ROW("OFF"), 950, 450, "tapped switch 'Dark theme', now on");
    expect(SWITCH_ROW("Night mode"), 950, 450,
           "tapped switch 'Night mode', now on");
    /* A state alone is no name. */
    expect(SCREEN(NODE(W "Switch", "checkable=\"true\" text=\"ON\"" TAP,
                       "[850,400][1000,500]")),
           950, 450, "tapped switch without a name, now on");
}

static void button_is_named_by_its_description(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "FrameLayout", "content-desc=\"Share\"" TAP,
                        "[0,300][600,700]",
                        NODE(W "ImageButton", "resource-id=\"a:id/fab_icon\"",
                             "[250,450][350,550]"))),
           300, 500, "tapped button 'Share'");
}

static void a_clickable_row_with_text_is_not_empty(void **state)
{
    (void)state;
#define SCROLLING_ROW(class_, flags_)                                          \
    SCREEN(GROUP(class_, flags_ TAP, "[0,300][1000,500]",                      \
                 TEXT("Account", "[20,320][300,400]")))
    expect(SCROLLING_ROW(W "HorizontalScrollView", "scrollable=\"true\""), 800,
           450, "tapped 'Account'");
    expect(SCROLLING_ROW(W "ListView", ""), 800, 450, "tapped 'Account'");
    expect(SCREEN(GROUP(W "ListView", TAP, "[0,300][1000,1900]",
                        TEXT("Account", "[20,320][300,400]"))),
           800, 1450, "tapped nothing: an empty place at 800,1450");
}

static void navigation_bar_is_recognized_by_its_position(void **state)
{
    (void)state;
#define BAR(nodes_, bounds_)                                                   \
    SCREEN(nodes_ NODE(V "View",                                               \
                       "resource-id=\"android:id/navigationBarBackground\"",   \
                       bounds_))
    expect(BAR("", "[0,1880][1000,2000]"), 200, 1940,
           "tapped the system navigation bar, where Back is on most phones, "
           "at 200,1940");
    expect(BAR("", "[0,1880][1000,2000]"), 500, 1940,
           "tapped the system navigation bar, where Home is on most phones, "
           "at 500,1940");
    /* It is above the app's content. */
    expect(BAR(NODE(W "Button", "text=\"Buy\"" TAP, "[600,1800][1000,2000]"),
               "[0,1880][1000,2000]"),
           800, 1940,
           "tapped the system navigation bar, where Recents is on most "
           "phones, at 800,1940");
    /* The handle for gestures does not take taps. */
    expect(BAR(NODE(W "Button", "text=\"Buy\"" TAP, "[600,1800][1000,2000]"),
               "[0,1960][1000,2000]"),
           800, 1970, "tapped button 'Buy'");
    /* The app's window ends above it. */
    expect(SCREEN(""), 500, 2050,
           "tapped the system navigation bar, where Home is on most phones, "
           "at 500,2050");
    expect("<node class=\"" W "FrameLayout\" bounds=\"[100,600][900,1200]\"/>",
           500, 1250, "tapped nothing: an empty place at 500,1250");
}

static bool yes(void *ignored)
{
    (void)ignored;
    return true;
}

static void tap_that_changed_the_screen_has_a_target(void **state)
{
    static const char xml[] = SCREEN(TEXT("Total", "[0,300][500,400]") NODE(
        V "SurfaceView", "", "[0,1000][1000,1900]"));
    struct tree tree = TREE_INIT;
    const struct scene scene = {.tree = &tree, .changed = yes};
    struct description description;

    (void)state;
    load(&tree, xml);
    describe_tap(&scene, 100, 350, &description);
    assert_string_equal(description.text, "tapped text 'Total'");
    describe_tap(&scene, 800, 700, &description);
    assert_string_equal(description.text,
                        "tapped a place without a name at 800,700");
    describe_tap(&scene, 500, 1500, &description);
    assert_string_equal(description.text,
                        "tapped a place without a name on what the app draws "
                        "itself at 500,1500");
    tree_release(&tree);
}

static void icon_without_text_is_named_by_its_id(void **state)
{
    (void)state;
    expect(
        SCREEN(NODE(W "ImageButton",
                    "resource-id=\"com.example.shop:id/btn_filter_icon\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button 'filter icon'");
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
    expect(SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 100,
           550, "tapped 'Screen' ('199.00'), 3rd item");
}

static void row_of_a_search_is_described_as_a_result(void **state)
{
    (void)state;
    expect(SCREEN(GROUP("androidx.recyclerview.widget.RecyclerView",
                        "resource-id=\"a:id/search_results\"",
                        "[0,300][1000,2000]", ROWS)),
           100, 450, "tapped 'Keyboard' ('29.99'), 2nd result");
}

static void rating_display_belongs_to_its_row(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                        TEXT("Lamp", "[0,0][500,100]")
                            NODE(W "RatingBar", "focusable=\"false\"",
                                 "[0,100][200,200]"))),
           50, 150, "tapped 'Lamp'");
}

/* An emoji drawn as a picture is a text in the tree. */
static void pictures_do_not_name_a_row(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                        TEXT("\u2615\ufe0f", "[0,0][100,200]")
                            TEXT("Kitchen", "[100,0][500,200]"))),
           50, 150, "tapped 'Kitchen'");
    expect(SCREEN(GROUP(W "LinearLayout", TAP, "[0,0][500,200]",
                        TEXT("\u2615\ufe0f", "[0,0][100,200]"))),
           50, 150, "tapped '\u2615\ufe0f'");
}

static void part_of_a_row_is_described_with_its_row(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 550,
           350, "tapped button 'Like' of 'Mouse', 1st item");
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
    expect(CARDS(NODE(W "TextView", "text=\"08:56\"" TAP, "[0,0][400,100]")),
           40, 350, "tapped button 'M' ('Mon') of '08:56', 1st item");
    expect(CARDS(""), 40, 350, "tapped button 'M' ('Mon'), 1st item");
    /* Chips are side by side, and none is the title of the others. */
    expect(SCREEN(GROUP(
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
    expect(UNDER(""), 500, 350,
           "tapped 'Grill', 1st item, in '103 Garden Row'");
    expect(
        UNDER(NODE(W "EditText", "hint=\"Search\"" TAP, "[0,120][1000,220]")),
        500, 350, "tapped 'Grill', 1st item");
}

static void rows_are_described_with_their_list(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,200][1000,2000]",
                        TEXT("Sort by", "[0,200][1000,300]") GROUP(
                            W "ListView", "", "[0,300][1000,2000]", ROWS))),
           100, 350, "tapped 'Mouse' ('9.99'), 1st item, in 'Sort by'");
}

static void tap_on_an_empty_place_is_described_as_such(void **state)
{
    (void)state;
    expect(SCREEN(""), 500, 500, "tapped nothing: an empty place at 500,500");
    expect(SCREEN(""), 5000, 500, "tapped nothing: an empty place at 5000,500");
    expect(SCREEN(NODE(W "FrameLayout", TAP, "[0,0][1000,2000]")), 500, 500,
           "tapped nothing: an empty place at 500,500");
    expect(SCREEN(NODE("android.webkit.WebView", TAP, "[0,0][1000,900]")), 500,
           500,
           "tapped nothing: a place without a name on a web page at "
           "500,500");
}

static void unnamed_place_on_a_web_page_is_described_by_a_near_text(
    void **state)
{
    (void)state;
    expect(
        SCREEN(GROUP(
            "android.webkit.WebView", "content-desc=\"News\"" TAP,
            "[0,0][1000,1900]",
            NODE(V "View", "content-desc=\"Far\"", "[0,1500][500,1600]")
                NODE(V "View", "content-desc=\"Sport\"", "[0,300][500,400]"))),
        500, 500,
        "tapped nothing: a place without a name on the web page 'News', "
        "near 'Sport' at 500,500");
}

static void canvas_is_not_described_as_empty(void **state)
{
    (void)state;
    expect(SCREEN(NODE(V "SurfaceView", "", "[0,0][1000,900]")), 500, 500,
           "tapped nothing: a place without a name on what the app draws "
           "itself at 500,500");
}

/* A window with a field whose content ends early. */
static void hidden_keyboard_is_inferred(void **state)
{
    (void)state;
#define CONTENT(bounds_, field_)                                               \
    SCREEN(GROUP(W "FrameLayout", "resource-id=\"android:id/content\"",        \
                 bounds_, field_))
#define FIELD NODE(W "EditText", "hint=\"Title\"" TAP, "[0,0][1000,100]")
    expect(CONTENT("[0,0][1000,1200]", FIELD), 500, 1900,
           "tapped a key of the keyboard, it seems, at 500,1900");
    expect(CONTENT("[0,0][1000,1900]", FIELD), 500, 1950,
           "tapped nothing: an empty place at 500,1950");
    expect(CONTENT("[0,0][1000,1200]", TEXT("Title", "[0,0][1000,100]")), 500,
           1900, "tapped nothing: an empty place at 500,1900");
}

#define STEPPER(value_)                                                        \
    SCREEN(NODE(W "Button", TAP, "[0,1000][100,1100]")                         \
               TEXT(value_, "[300,1020][500,1080]")                            \
                   NODE(W "Button", TAP " enabled=\"false\"",                  \
                        "[700,1000][800,1100]"))

static void controls_beside_a_number_are_decrease_and_increase(void **state)
{
    (void)state;
    expect(STEPPER("10 km/h"), 50, 1050, "tapped button to decrease '10 km/h'");
    expect(STEPPER("10 km/h"), 750, 1050,
           "tapped button to increase '10 km/h', disabled");
    expect(STEPPER("Photos"), 50, 1050,
           "tapped button without a name, 1st of 2");
}

static void unnamed_control_is_described_by_its_position(void **state)
{
    (void)state;
    expect(SCREEN(TEXT("Wiper", "[0,100][300,150]")
                      NODE(W "ImageButton", TAP, "[0,400][100,500]")
                          NODE(W "ImageButton", TAP, "[100,400][200,500]")
                              NODE(W "ImageButton", TAP, "[200,400][300,500]")),
           250, 450, "tapped button without a name, 3rd of 3, in 'Wiper'");
}

#define DAY(bounds_)                                                           \
    NODE(V "View", "resource-id=\"com.example.shop:id/month_day\"" TAP, bounds_)

static void grid_cell_is_described_by_row_and_column(void **state)
{
    (void)state;
    expect(SCREEN(DAY("[0,0][100,100]") DAY("[100,0][200,100]")
                      DAY("[0,100][100,200]") DAY("[100,100][200,200]")),
           50, 150, "tapped 'month day', row 2, column 1");
}

static void images_are_named_by_their_ids(void **state)
{
    (void)state;
    expect(SCREEN(NODE(V "View", "resource-id=\"com.example.shop:id/progress\"",
                       "[100,100][900,150]")
                      NODE(V "View",
                           "resource-id=\"com.example.shop:id/header_divider\"",
                           "[0,90][1000,160]")),
           500, 120, "tapped 'progress', which takes no taps");
}

static void pictures_are_described(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "ImageView", "", "[0,100][1000,700]")), 500, 400,
           "tapped image without a name, which takes no taps");
}

static void technical_names_are_not_used(void **state)
{
    (void)state;
    expect(
        SCREEN(NODE(W "Button", "text=\"HDR\" content-desc=\"MENUID_HDR\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button 'HDR'");
    expect(
        SCREEN(NODE(W "Button", "content-desc=\"NONE\"" TAP, "[0,0][100,100]")),
        50, 50, "tapped button without a name");
    expect(SCREEN(NODE(W "Button", "content-desc=\"search%3Fq%3Da%20b\"" TAP,
                       "[0,0][100,100]")),
           50, 50, "tapped button without a name");
    expect(SCREEN(NODE(W "Button", "content-desc=\"START\"" TAP,
                       "[0,0][100,100]")),
           50, 50, "tapped button 'START'");
}

static void text_that_is_not_clickable_is_described_as_such(void **state)
{
    (void)state;
    expect(SCREEN(TEXT("No results", "[0,0][500,100]")), 50, 50,
           "tapped text 'No results', which takes no taps");
}

/* Compose: the outer view has the state, the inner one the kind. */
static void wrapped_controls_are_one_target(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(V "View", "checkable=\"true\" enabled=\"false\"" TAP,
                        "[0,0][200,100]",
                        TEXT("Auto", "[50,20][150,80]")
                            NODE(W "RadioButton", "", "[0,0][200,100]"))),
           100, 50, "tapped radio button 'Auto', disabled");
}

static void window_blocks_taps_of_those_below(void **state)
{
    (void)state;
    expect(
        "<displays><display id=\"0\"><window title=\"Dialog\" layer=\"9\">"
        "<hierarchy>" TEXT(
            "Sure?",
            "[100,100][900,300]") "</hierarchy></window><window "
                                  "title=\"App\" layer=\"1\"><hierarchy>" NODE(
                                      W "Button", "text=\"Buy\"" TAP,
                                      "[0,0][1000,2000]") "</hierarchy></"
                                                          "window></"
                                                          "display></"
                                                          "displays>",
        500, 200, "tapped text 'Sure?', which takes no taps");
}

static void passwords_are_never_described(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "EditText",
                       "text=\"hunter2\" hint=\"Password\" "
                       "password=\"true\"" TAP,
                       "[0,0][500,100]")),
           50, 50, "tapped text field 'Password'");
}

static void descriptions_are_bounded_and_clean(void **state)
{
    struct buf xml = BUF_INIT(1 << 20);
    struct tree tree = TREE_INIT;
    struct description description;

    (void)state;
    buf_text(&xml, "<node class=\"a.Button\" clickable=\"true\" text=\"");
    for (int i = 0; i < 9999; i++)
        buf_text(&xml, "名&#27;&#10;");
    buf_text(&xml, "\" bounds=\"[0,0][9,9]\"/>");
    load(&tree, buf_cstr(&xml));
    describe_tap(&(struct scene){.tree = &tree}, 5, 5, &description);
    assert_true(strlen(description.line) < DESCRIPTION_MAX);
    assert_null(strpbrk(description.line, "\n\x1b"));
    assert_non_null(strstr(description.line, "…"));
    buf_release(&xml);
    tree_release(&tree);
}

#define SEARCH                                                                 \
    SCREEN(                                                                    \
        NODE(W "TextView", "text=\"Shop\" resource-id=\"a:id/toolbar_title\"", \
             "[0,0][500,100]")                                                 \
            NODE(W "EditText",                                                 \
                 "text=\"\" hint=\"Search\" focused=\"true\"" TAP,             \
                 "[0,100][1000,200]")                                          \
                GROUP(W "ScrollView",                                          \
                      "scrollable=\"true\" content-desc=\"Offers\"",           \
                      "[0,300][1000,2000]", ""))

static char text[] = "wireless\nmouse";

static void typing_is_described_with_text_and_field(void **state)
{
    struct action action = {.kind = ACTION_TYPE, .text = text};

    (void)state;
    expect_step(SEARCH, &action,
                "typed 'wireless mouse' into 'Search'; screen 'Shop' of shop");
    action.submit = true;
    expect_step(NULL, &action, "typed 'wireless mouse' and pressed Enter");
    action.replace = true;
    expect_step(NULL, &action,
                "typed 'wireless mouse' in place of what was there and pressed "
                "Enter");
    expect_step(SCREEN(NODE(W "EditText", "hint=\"PIN\" password=\"true\"" TAP,
                            "[0,100][1000,200]")),
                &(struct action){.kind = ACTION_TYPE, .text = text},
                "typed a password into 'PIN'; in shop");
}

/* The same screen with that text in a field, which may have the focus. */
#define QUERY(text, more)                                                      \
    SCREEN(NODE(W "EditText",                                                  \
                "text=\"" text "\" resource-id=\"a:id/query\" "                \
                "hint=\"Search\" " more TAP,                                   \
                "[0,100][1000,200]"))

static void text_that_did_not_arrive_was_not_typed(void **state)
{
    static char typed[] = "Wireless mouse";
    static const struct {
        const char *after;
        const char *line;
    } cases[] = {
        {QUERY("wireless mouse", "focused=\"true\""),
         "typed 'Wireless mouse' into 'Search'"},
        {QUERY("a wireless-mouse pad", "focused=\"true\""),
         "typed 'Wireless mouse' into 'Search'"},
        {QUERY("", "focused=\"true\""),
         "tried to type 'Wireless mouse' into 'Search', which is empty"},
        {QUERY("wirel", "focused=\"true\""),
         "tried to type 'Wireless mouse' into 'Search', which shows 'wirel'"},
        /* Unknown: another field, none, or a password. */
        {QUERY("", ""), "typed 'Wireless mouse' into 'Search'"},
        {SCREEN(NODE(W "EditText",
                     "text=\"\" resource-id=\"a:id/other\" "
                     "focused=\"true\"" TAP,
                     "[0,100][1000,200]")),
         "typed 'Wireless mouse' into 'Search'"},
        {QUERY("\xe2\x80\xa2", "focused=\"true\" password=\"true\""),
         "typed 'Wireless mouse' into 'Search'"},
    };
    const struct action action = {.kind = ACTION_TYPE, .text = typed};
    struct tree before = TREE_INIT;

    (void)state;
    load(&before, QUERY("", "focused=\"true\""));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct tree after = TREE_INIT;
        struct description description;

        load(&after, cases[i].after);
        describe_step(&(struct scene){.tree = &before, .next = &after}, &action,
                      &description);
        assert_string_equal(description.text, cases[i].line);
        tree_release(&after);
    }
    tree_release(&before);
}

static void swipes_are_described_with_their_direction(void **state)
{
    struct action action = {
        .kind = ACTION_SWIPE,
        .has_from = true,
        .has_to = true,
        .from = {500, 1500},
        .to = {500, 500},
    };

    (void)state;
    expect_step(SEARCH, &action,
                "swiped up in 'Offers', to see what is further down; screen "
                "'Shop' of shop");
    expect_step(
        NULL,
        &(struct action){.kind = ACTION_SCROLL, .direction = DIRECTION_DOWN},
        "scrolled down");
}

static void keys_and_endings_are_described(void **state)
{
    static char word[] = "42";
    static char outwards[] = "out";
    static const struct {
        struct action action;
        const char *line;
    } steps[] = {
        {{.kind = ACTION_BACK}, "pressed Back"},
        {{.kind = ACTION_HOME}, "pressed Home"},
        {{.kind = ACTION_CLEAR}, "cleared the text"},
        {{.kind = ACTION_ENTER}, "pressed Enter"},
        {{.kind = ACTION_RECENTS}, "opened the list of recent apps"},
        {{.kind = ACTION_WAIT}, "waited"},
        {{.kind = ACTION_OPEN_APP, .text = word}, "opened the app '42'"},
        {{.kind = ACTION_KEY, .text = word}, "pressed the key '42'"},
        {{.kind = ACTION_PINCH, .text = outwards},
         "pinched with two fingers away from each other"},
        {{.kind = ACTION_RAW, .text = word},
         "ran the command '42' on the phone"},
        {{.kind = ACTION_RAW, .text = word, .effect = EFFECT_SETTING},
         "ran the command '42' on the phone, which changes "
         "settings without the screen"},
        {{.kind = ACTION_ANSWER, .text = word}, "answered '42'"},
        {{.kind = ACTION_ASK, .text = word}, "asked '42'"},
        {{.kind = ACTION_COMPLETE}, "said that the task is complete"},
        {{.kind = ACTION_FAIL}, "gave up"},
        {{.kind = ACTION_CLICK, .has_from = true, .from = {1, 2}},
         "tapped at 1,2"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        expect_step(NULL, &steps[i].action, steps[i].line);
    expect_step(SEARCH, &(struct action){.kind = ACTION_CLEAR},
                "cleared the text in 'Search'; screen 'Shop' of shop");
    expect_step(SEARCH, &(struct action){.kind = ACTION_ENTER},
                "pressed Enter in 'Search'; screen 'Shop' of shop");
    expect_step(SEARCH,
                &(struct action){.kind = ACTION_LONG_PRESS,
                                 .has_from = true,
                                 .from = {500, 150}},
                "long-pressed text field 'Search'; screen 'Shop' of shop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_uses_text_and_description),
        cmocka_unit_test(plain_uses_the_smallest_node_and_of_equals_the_last),
        cmocka_unit_test(plain_falls_back_to_id_and_children),
        cmocka_unit_test(plain_has_no_name_for_an_empty_place),
        cmocka_unit_test(button_is_named_by_its_text),
        cmocka_unit_test(topmost_node_is_the_target),
        cmocka_unit_test(drawing_order_decides_what_is_on_top),
        cmocka_unit_test(control_has_the_name_of_a_wrapper_with_equal_bounds),
        cmocka_unit_test(empty_bounds_are_never_tapped),
        cmocka_unit_test(a_child_outside_of_its_parent_is_found),
        cmocka_unit_test(disabled_control_is_described_as_disabled),
        cmocka_unit_test(checkbox_is_described_with_its_new_state),
        cmocka_unit_test(row_with_a_switch_is_described_as_the_switch),
        cmocka_unit_test(unnamed_checkbox_is_named_by_its_row),
        cmocka_unit_test(a_text_near_an_icon_is_not_its_name),
        cmocka_unit_test(a_switch_is_named_by_the_title_of_its_row),
        cmocka_unit_test(button_is_named_by_its_description),
        cmocka_unit_test(a_clickable_row_with_text_is_not_empty),
        cmocka_unit_test(navigation_bar_is_recognized_by_its_position),
        cmocka_unit_test(tap_that_changed_the_screen_has_a_target),
        cmocka_unit_test(icon_without_text_is_named_by_its_id),
        cmocka_unit_test(row_is_described_by_text_and_position),
        cmocka_unit_test(row_of_a_search_is_described_as_a_result),
        cmocka_unit_test(rating_display_belongs_to_its_row),
        cmocka_unit_test(pictures_do_not_name_a_row),
        cmocka_unit_test(part_of_a_row_is_described_with_its_row),
        cmocka_unit_test(row_is_not_named_by_another_control),
        cmocka_unit_test(heading_does_not_name_a_later_group),
        cmocka_unit_test(rows_are_described_with_their_list),
        cmocka_unit_test(tap_on_an_empty_place_is_described_as_such),
        cmocka_unit_test(
            unnamed_place_on_a_web_page_is_described_by_a_near_text),
        cmocka_unit_test(canvas_is_not_described_as_empty),
        cmocka_unit_test(hidden_keyboard_is_inferred),
        cmocka_unit_test(controls_beside_a_number_are_decrease_and_increase),
        cmocka_unit_test(unnamed_control_is_described_by_its_position),
        cmocka_unit_test(grid_cell_is_described_by_row_and_column),
        cmocka_unit_test(images_are_named_by_their_ids),
        cmocka_unit_test(pictures_are_described),
        cmocka_unit_test(technical_names_are_not_used),
        cmocka_unit_test(text_that_is_not_clickable_is_described_as_such),
        cmocka_unit_test(wrapped_controls_are_one_target),
        cmocka_unit_test(window_blocks_taps_of_those_below),
        cmocka_unit_test(passwords_are_never_described),
        cmocka_unit_test(descriptions_are_bounded_and_clean),
        cmocka_unit_test(typing_is_described_with_text_and_field),
        cmocka_unit_test(text_that_did_not_arrive_was_not_typed),
        cmocka_unit_test(swipes_are_described_with_their_direction),
        cmocka_unit_test(keys_and_endings_are_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
