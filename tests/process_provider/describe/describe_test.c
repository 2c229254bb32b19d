/* Which element a tap is described by, and its name. */
#include "process_provider/describe/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/process_provider/describe/expect_description.h"

/* ---- Algorithm 1 ---- */

static void plain_uses_text_and_description(void **state)
{
    (void)state;
    expect_plain_description(
        SCREEN(NODE(W "Button", "text=\"Go\" content-desc=\"Start\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "Go Start");
}

static void plain_uses_the_smallest_node_and_of_equals_the_last(void **state)
{
    (void)state;
    expect_plain_description(
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
    expect_plain_description(
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
    expect_plain_description(SCREEN(TEXT("a", "[0,0][100,100]")), 50, 50, "");
}

/* ---- the converter ---- */

static void button_is_named_by_its_text(void **state)
{
    (void)state;
    expect_description_of_tap(
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
    expect_description_of_tap(screen, 500, 950, "tapped 'Sheet'");
    expect_plain_description(screen, 500, 950, "beneath");
}

static void drawing_order_decides_what_is_on_top(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "text=\"raised\" drawing-order=\"2\"" TAP,
                    "[0,0][100,100]")
                   NODE(W "Button", "text=\"flat\" drawing-order=\"1\"" TAP,
                        "[0,0][100,100]")),
        50, 50, "tapped button 'raised'");
}

static void control_has_the_name_of_a_wrapper_with_equal_bounds(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "FrameLayout", "content-desc=\"Cart\"" TAP,
                     "[0,0][100,100]",
                     NODE(W "ImageView", TAP, "[0,0][100,100]"))),
        50, 50, "tapped 'Cart'");
}

static void empty_bounds_are_never_tapped(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "text=\"flat\"" TAP, "[50,50][50,90]")
                   NODE(W "Button", "text=\"inverted\"" TAP, "[90,90][10,10]")),
        50, 50, "tapped nothing: an empty place at 50,50");
}

static void a_child_outside_of_its_parent_is_found(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(
            GROUP(W "FrameLayout", "", "[0,0][100,100]",
                  NODE(W "Button", "text=\"out\"" TAP, "[500,500][600,600]"))),
        550, 550, "tapped button 'out'");
}

static void disabled_control_is_described_as_disabled(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "text=\"Pay\" enabled=\"false\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button 'Pay', disabled");
}

static void checkbox_is_described_with_its_new_state(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "CheckBox",
                    "text=\"Free cancellation\" checkable=\"true\"" TAP,
                    "[0,0][500,100]")),
        50, 50, "tapped checkbox 'Free cancellation', now on");
    expect_description_of_tap(
        SCREEN(NODE(W "CheckBox",
                    "text=\"Free cancellation\" checkable=\"true\" "
                    "checked=\"true\"" TAP,
                    "[0,0][500,100]")),
        50, 50, "tapped checkbox 'Free cancellation', now off");
    expect_description_of_tap(
        SCREEN(NODE(W "RadioButton",
                    "text=\"Blue\" checkable=\"true\" checked=\"true\"" TAP,
                    "[0,0][500,100]")),
        50, 50, "tapped radio button 'Blue', now on");
}

static void a_text_near_an_icon_is_not_its_name(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", "", "[0,300][100,420]",
                     NODE(W "ImageView", TAP, "[0,300][100,400]")
                         TEXT("Orders", "[0,400][100,420]"))
                   GROUP(W "LinearLayout", "", "[100,300][200,420]",
                         NODE(W "ImageView", TAP, "[100,300][200,400]")
                             TEXT("Coupons", "[100,400][200,420]"))),
        150, 350, "tapped image without a name, above 'Coupons'");
    /* The title of a toolbar, whose only control is an unnamed button. */
    expect_description_of_tap(
        SCREEN(GROUP(W "LinearLayout", "", "[0,0][1000,150]",
                     NODE(W "ImageButton", TAP, "[0,0][150,150]")
                         TEXT("Test User", "[200,0][600,150]"))),
        70, 70, "tapped button without a name, left of 'Test User'");
    expect_description_of_tap(
        SCREEN(TEXT("Test User", "[200,0][600,150]")
                   NODE(W "ImageButton", TAP, "[620,0][770,150]")),
        700, 70, "tapped button without a name, right of 'Test User'");
}

static void button_is_named_by_its_description(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(W "FrameLayout", "content-desc=\"Share\"" TAP,
                     "[0,300][600,700]",
                     NODE(W "ImageButton", "resource-id=\"a:id/fab_icon\"",
                          "[250,450][350,550]"))),
        300, 500, "tapped button 'Share'");
}

static void navigation_bar_is_recognized_by_its_position(void **state)
{
    (void)state;
#define BAR(nodes_, bounds_)                                                   \
    SCREEN(nodes_ NODE(V "View",                                               \
                       "resource-id=\"android:id/navigationBarBackground\"",   \
                       bounds_))
    expect_description_of_tap(
        BAR("", "[0,1880][1000,2000]"), 200, 1940,
        "tapped the system navigation bar, where Back is on most phones, "
        "at 200,1940");
    expect_description_of_tap(
        BAR("", "[0,1880][1000,2000]"), 500, 1940,
        "tapped the system navigation bar, where Home is on most phones, "
        "at 500,1940");
    /* It is above the app's content. */
    expect_description_of_tap(
        BAR(NODE(W "Button", "text=\"Buy\"" TAP, "[600,1800][1000,2000]"),
            "[0,1880][1000,2000]"),
        800, 1940,
        "tapped the system navigation bar, where Recents is on most "
        "phones, at 800,1940");
    /* The handle for gestures does not take taps. */
    expect_description_of_tap(
        BAR(NODE(W "Button", "text=\"Buy\"" TAP, "[600,1800][1000,2000]"),
            "[0,1960][1000,2000]"),
        800, 1970, "tapped button 'Buy'");
    /* The app's window ends above it. */
    expect_description_of_tap(
        SCREEN(""), 500, 2050,
        "tapped the system navigation bar, where Home is on most phones, "
        "at 500,2050");
    expect_description_of_tap(
        "<node class=\"" W "FrameLayout\" bounds=\"[100,600][900,1200]\"/>",
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
    expect_description_load(&tree, xml);
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
    expect_description_of_tap(
        SCREEN(NODE(W "ImageButton",
                    "resource-id=\"com.example.shop:id/btn_filter_icon\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button 'filter icon'");
}

static void tap_on_an_empty_place_is_described_as_such(void **state)
{
    (void)state;
    expect_description_of_tap(SCREEN(""), 500, 500,
                              "tapped nothing: an empty place at 500,500");
    expect_description_of_tap(SCREEN(""), 5000, 500,
                              "tapped nothing: an empty place at 5000,500");
    expect_description_of_tap(
        SCREEN(NODE(W "FrameLayout", TAP, "[0,0][1000,2000]")), 500, 500,
        "tapped nothing: an empty place at 500,500");
    expect_description_of_tap(
        SCREEN(NODE("android.webkit.WebView", TAP, "[0,0][1000,900]")), 500,
        500,
        "tapped nothing: a place without a name on a web page at "
        "500,500");
}

static void unnamed_place_on_a_web_page_is_described_by_a_near_text(
    void **state)
{
    (void)state;
    expect_description_of_tap(
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
    expect_description_of_tap(
        SCREEN(NODE(V "SurfaceView", "", "[0,0][1000,900]")), 500, 500,
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
    expect_description_of_tap(
        CONTENT("[0,0][1000,1200]", FIELD), 500, 1900,
        "tapped a key of the keyboard, it seems, at 500,1900");
    expect_description_of_tap(CONTENT("[0,0][1000,1900]", FIELD), 500, 1950,
                              "tapped nothing: an empty place at 500,1950");
    expect_description_of_tap(
        CONTENT("[0,0][1000,1200]", TEXT("Title", "[0,0][1000,100]")), 500,
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
    expect_description_of_tap(STEPPER("10 km/h"), 50, 1050,
                              "tapped button to decrease '10 km/h'");
    expect_description_of_tap(STEPPER("10 km/h"), 750, 1050,
                              "tapped button to increase '10 km/h', disabled");
    expect_description_of_tap(STEPPER("Photos"), 50, 1050,
                              "tapped button without a name, 1st of 2");
}

static void unnamed_control_is_described_by_its_position(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(TEXT("Wiper", "[0,100][300,150]")
                   NODE(W "ImageButton", TAP, "[0,400][100,500]")
                       NODE(W "ImageButton", TAP, "[100,400][200,500]")
                           NODE(W "ImageButton", TAP, "[200,400][300,500]")),
        250, 450, "tapped button without a name, 3rd of 3, in 'Wiper'");
}

static void images_are_named_by_their_ids(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(V "View", "resource-id=\"com.example.shop:id/progress\"",
                    "[100,100][900,150]")
                   NODE(V "View",
                        "resource-id=\"com.example.shop:id/header_divider\"",
                        "[0,90][1000,160]")),
        500, 120, "tapped 'progress', which takes no taps");
}

static void pictures_are_described(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "ImageView", "", "[0,100][1000,700]")), 500, 400,
        "tapped image without a name, which takes no taps");
}

static void technical_names_are_not_used(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "text=\"HDR\" content-desc=\"MENUID_HDR\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button 'HDR'");
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "content-desc=\"NONE\"" TAP, "[0,0][100,100]")),
        50, 50, "tapped button without a name");
    expect_description_of_tap(
        SCREEN(NODE(W "Button", "content-desc=\"search%3Fq%3Da%20b\"" TAP,
                    "[0,0][100,100]")),
        50, 50, "tapped button without a name");
    expect_description_of_tap(
        SCREEN(
            NODE(W "Button", "content-desc=\"START\"" TAP, "[0,0][100,100]")),
        50, 50, "tapped button 'START'");
}

static void text_that_is_not_clickable_is_described_as_such(void **state)
{
    (void)state;
    expect_description_of_tap(SCREEN(TEXT("No results", "[0,0][500,100]")), 50,
                              50,
                              "tapped text 'No results', which takes no taps");
}

/* Compose: the outer view has the state, the inner one the kind. */
static void wrapped_controls_are_one_target(void **state)
{
    (void)state;
    expect_description_of_tap(
        SCREEN(GROUP(V "View", "checkable=\"true\" enabled=\"false\"" TAP,
                     "[0,0][200,100]",
                     TEXT("Auto", "[50,20][150,80]")
                         NODE(W "RadioButton", "", "[0,0][200,100]"))),
        100, 50, "tapped radio button 'Auto', disabled");
}

static void window_blocks_taps_of_those_below(void **state)
{
    (void)state;
    expect_description_of_tap(
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
        cmocka_unit_test(a_text_near_an_icon_is_not_its_name),
        cmocka_unit_test(button_is_named_by_its_description),
        cmocka_unit_test(navigation_bar_is_recognized_by_its_position),
        cmocka_unit_test(tap_that_changed_the_screen_has_a_target),
        cmocka_unit_test(icon_without_text_is_named_by_its_id),
        cmocka_unit_test(tap_on_an_empty_place_is_described_as_such),
        cmocka_unit_test(
            unnamed_place_on_a_web_page_is_described_by_a_near_text),
        cmocka_unit_test(canvas_is_not_described_as_empty),
        cmocka_unit_test(hidden_keyboard_is_inferred),
        cmocka_unit_test(controls_beside_a_number_are_decrease_and_increase),
        cmocka_unit_test(unnamed_control_is_described_by_its_position),
        cmocka_unit_test(images_are_named_by_their_ids),
        cmocka_unit_test(pictures_are_described),
        cmocka_unit_test(technical_names_are_not_used),
        cmocka_unit_test(text_that_is_not_clickable_is_described_as_such),
        cmocka_unit_test(wrapped_controls_are_one_target),
        cmocka_unit_test(window_blocks_taps_of_those_below),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
