#include "process_provider/describe.h"

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
    char line[DESCRIPTION_MAX];

    if (xml)
        load(&tree, xml);
    describe_step(&(struct scene){.tree = xml ? &tree : NULL}, action, line);
    assert_string_equal(line, expected);
    tree_release(&tree);
}

/* Algorithm 1. */

static void plain_takes_text_and_description(void **state)
{
    (void)state;
    expect_plain(
        SCREEN(NODE(W "Button", "text=\"Go\" content-desc=\"Start\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "Go Start");
}

static void plain_takes_the_smallest_and_of_equals_the_last(void **state)
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

static void plain_says_nothing_where_nothing_is(void **state)
{
    (void)state;
    expect_plain(SCREEN(TEXT("a", "[0,0][100,100]")), 50, 50, "");
}

/* The better one. */

static void a_button_is_called_by_its_text(void **state)
{
    (void)state;
    expect(
        SCREEN(NODE(W "Button", "text=\"Add to cart\"" TAP, "[0,0][100,100]")),
        50, 50, "tapped button 'Add to cart'");
}

/* A sheet lies over a button; the button is smaller, but beneath. */
static void what_is_on_top_wins(void **state)
{
    const char *screen = SCREEN(
        NODE(W "Button", "text=\"beneath\"" TAP, "[400,900][600,1000]")
            NODE(V "View", "content-desc=\"Sheet\"" TAP, "[0,800][1000,1500]"));

    (void)state;
    expect(screen, 500, 950, "tapped 'Sheet'");
    expect_plain(screen, 500, 950, "beneath");
}

static void the_order_of_drawing_tells_what_is_on_top(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "Button", "text=\"raised\" drawing-order=\"2\"" TAP,
                       "[0,0][100,100]")
                      NODE(W "Button", "text=\"flat\" drawing-order=\"1\"" TAP,
                           "[0,0][100,100]")),
           50, 50, "tapped button 'raised'");
}

static void a_thing_wrapped_in_the_same_bounds_has_their_name(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "FrameLayout", "content-desc=\"Cart\"" TAP,
                        "[0,0][100,100]",
                        NODE(W "ImageView", TAP, "[0,0][100,100]"))),
           50, 50, "tapped 'Cart'");
}

static void areas_of_nothing_take_no_taps(void **state)
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

static void disabled_things_say_so(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "Button", "text=\"Pay\" enabled=\"false\"" TAP,
                       "[0,0][100,100]")),
           50, 50, "tapped button 'Pay', disabled");
}

static void a_checkbox_says_what_the_tap_makes_of_it(void **state)
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

/* The row takes the tap, the switch in it shows the state. */
static void a_row_with_a_switch_is_that_switch(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", TAP, "[0,300][1000,400]",
                        TEXT("Wi-Fi", "[0,300][500,400]")
                            NODE(W "Switch", "checkable=\"true\"",
                                 "[900,300][1000,400]"))),
           200, 350, "tapped switch 'Wi-Fi', now on");
}

static void a_box_without_a_name_is_named_by_its_row(void **state)
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

static void an_icon_is_named_by_the_nearest_text(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,300][100,420]",
                        NODE(W "ImageView", TAP, "[0,300][100,400]")
                            TEXT("Orders", "[0,400][100,420]"))
                      GROUP(W "LinearLayout", "", "[100,300][200,420]",
                            NODE(W "ImageView", TAP, "[100,300][200,400]")
                                TEXT("Coupons", "[100,400][200,420]"))),
           150, 350, "tapped image at 'Coupons'");
}

static void an_icon_without_words_is_called_by_its_id(void **state)
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

static void a_row_is_its_main_text_and_position(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 100,
           550, "tapped 'Screen' ('199.00'), 3rd item");
}

static void a_row_of_a_search_is_a_result(void **state)
{
    (void)state;
    expect(SCREEN(GROUP("androidx.recyclerview.widget.RecyclerView",
                        "resource-id=\"a:id/search_results\"",
                        "[0,300][1000,2000]", ROWS)),
           100, 450, "tapped 'Keyboard' ('29.99'), 2nd result");
}

static void stars_that_only_show_are_a_part_of_their_row(void **state)
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

static void a_part_of_a_row_says_of_which(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "ListView", "", "[0,300][1000,2000]", ROWS)), 550,
           350, "tapped button 'Like' of 'Mouse', 1st item");
}

static void rows_say_what_they_are_in(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(W "LinearLayout", "", "[0,200][1000,2000]",
                        TEXT("Sort by", "[0,200][1000,300]") GROUP(
                            W "ListView", "", "[0,300][1000,2000]", ROWS))),
           100, 350, "tapped 'Mouse' ('9.99'), 1st item, in 'Sort by'");
}

static void taps_on_nothing_say_so(void **state)
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

static void a_nameless_place_on_a_web_page_says_near_what(void **state)
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

static void what_an_app_draws_is_not_empty(void **state)
{
    (void)state;
    expect(SCREEN(NODE(V "SurfaceView", "", "[0,0][1000,900]")), 500, 500,
           "tapped nothing: a place without a name on what the app draws "
           "itself at 500,500");
}

/* Where the content of a window with a field ends early. */
static void the_keyboard_is_guessed(void **state)
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

static void controls_beside_a_number_make_it_less_and_more(void **state)
{
    (void)state;
    expect(STEPPER("10 km/h"), 50, 1050, "tapped button to decrease '10 km/h'");
    expect(STEPPER("10 km/h"), 750, 1050,
           "tapped button to increase '10 km/h', disabled");
    expect(STEPPER("Photos"), 50, 1050,
           "tapped button without a name, 1st of 2");
}

static void what_has_no_name_says_where_it_stands(void **state)
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

static void a_cell_of_a_grid_says_its_row_and_column(void **state)
{
    (void)state;
    expect(SCREEN(DAY("[0,0][100,100]") DAY("[100,0][200,100]")
                      DAY("[0,100][100,200]") DAY("[100,100][200,200]")),
           50, 150, "tapped 'month day', row 2, column 1");
}

static void things_to_see_are_called_by_their_ids(void **state)
{
    (void)state;
    expect(SCREEN(NODE(V "View", "resource-id=\"com.example.shop:id/progress\"",
                       "[100,100][900,150]")
                      NODE(V "View",
                           "resource-id=\"com.example.shop:id/header_divider\"",
                           "[0,90][1000,160]")),
           500, 120, "tapped 'progress', which takes no taps");
}

static void pictures_are_told(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "ImageView", "", "[0,100][1000,700]")), 500, 400,
           "tapped image without a name, which takes no taps");
}

static void names_for_programs_are_none(void **state)
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

static void text_that_takes_no_taps_is_told(void **state)
{
    (void)state;
    expect(SCREEN(TEXT("No results", "[0,0][500,100]")), 50, 50,
           "tapped text 'No results', which takes no taps");
}

/* Compose: the view around has the state, the one inside the kind. */
static void wrapped_controls_are_one_thing(void **state)
{
    (void)state;
    expect(SCREEN(GROUP(V "View", "checkable=\"true\" enabled=\"false\"" TAP,
                        "[0,0][200,100]",
                        TEXT("Auto", "[50,20][150,80]")
                            NODE(W "RadioButton", "", "[0,0][200,100]"))),
           100, 50, "tapped radio button 'Auto', disabled");
}

static void a_window_keeps_taps_from_those_beneath(void **state)
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

static void passwords_are_never_said(void **state)
{
    (void)state;
    expect(SCREEN(NODE(W "EditText",
                       "text=\"hunter2\" hint=\"Password\" "
                       "password=\"true\"" TAP,
                       "[0,0][500,100]")),
           50, 50, "tapped text field 'Password'");
}

static void lines_are_bounded_and_harmless(void **state)
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

static void typing_says_what_and_where(void **state)
{
    struct action action = {.kind = ACTION_TYPE, .text = text};

    (void)state;
    expect_step(SEARCH, &action,
                "typed 'wireless mouse' into 'Search'; screen 'Shop' of shop");
    action.submit = true;
    expect_step(NULL, &action, "typed 'wireless mouse' and pressed Enter");
    expect_step(SCREEN(NODE(W "EditText", "hint=\"PIN\" password=\"true\"" TAP,
                            "[0,100][1000,200]")),
                &(struct action){.kind = ACTION_TYPE, .text = text},
                "typed a password into 'PIN'; in shop");
}

static void swipes_say_which_way(void **state)
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

static void keys_and_ends_are_told(void **state)
{
    static char word[] = "42";
    static const struct {
        struct action action;
        const char *line;
    } steps[] = {
        {{.kind = ACTION_BACK}, "pressed Back"},
        {{.kind = ACTION_HOME}, "pressed Home"},
        {{.kind = ACTION_ENTER}, "pressed Enter"},
        {{.kind = ACTION_RECENTS}, "opened the list of recent apps"},
        {{.kind = ACTION_WAIT}, "waited"},
        {{.kind = ACTION_OPEN_APP, .text = word}, "opened the app '42'"},
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
        cmocka_unit_test(plain_takes_text_and_description),
        cmocka_unit_test(plain_takes_the_smallest_and_of_equals_the_last),
        cmocka_unit_test(plain_falls_back_to_id_and_children),
        cmocka_unit_test(plain_says_nothing_where_nothing_is),
        cmocka_unit_test(a_button_is_called_by_its_text),
        cmocka_unit_test(what_is_on_top_wins),
        cmocka_unit_test(the_order_of_drawing_tells_what_is_on_top),
        cmocka_unit_test(a_thing_wrapped_in_the_same_bounds_has_their_name),
        cmocka_unit_test(areas_of_nothing_take_no_taps),
        cmocka_unit_test(a_child_outside_of_its_parent_is_found),
        cmocka_unit_test(disabled_things_say_so),
        cmocka_unit_test(a_checkbox_says_what_the_tap_makes_of_it),
        cmocka_unit_test(a_row_with_a_switch_is_that_switch),
        cmocka_unit_test(a_box_without_a_name_is_named_by_its_row),
        cmocka_unit_test(an_icon_is_named_by_the_nearest_text),
        cmocka_unit_test(an_icon_without_words_is_called_by_its_id),
        cmocka_unit_test(a_row_is_its_main_text_and_position),
        cmocka_unit_test(a_row_of_a_search_is_a_result),
        cmocka_unit_test(stars_that_only_show_are_a_part_of_their_row),
        cmocka_unit_test(pictures_do_not_name_a_row),
        cmocka_unit_test(a_part_of_a_row_says_of_which),
        cmocka_unit_test(rows_say_what_they_are_in),
        cmocka_unit_test(taps_on_nothing_say_so),
        cmocka_unit_test(a_nameless_place_on_a_web_page_says_near_what),
        cmocka_unit_test(what_an_app_draws_is_not_empty),
        cmocka_unit_test(the_keyboard_is_guessed),
        cmocka_unit_test(controls_beside_a_number_make_it_less_and_more),
        cmocka_unit_test(what_has_no_name_says_where_it_stands),
        cmocka_unit_test(a_cell_of_a_grid_says_its_row_and_column),
        cmocka_unit_test(things_to_see_are_called_by_their_ids),
        cmocka_unit_test(pictures_are_told),
        cmocka_unit_test(names_for_programs_are_none),
        cmocka_unit_test(text_that_takes_no_taps_is_told),
        cmocka_unit_test(wrapped_controls_are_one_thing),
        cmocka_unit_test(a_window_keeps_taps_from_those_beneath),
        cmocka_unit_test(passwords_are_never_said),
        cmocka_unit_test(lines_are_bounded_and_harmless),
        cmocka_unit_test(typing_says_what_and_where),
        cmocka_unit_test(swipes_say_which_way),
        cmocka_unit_test(keys_and_ends_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
