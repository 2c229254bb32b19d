#include "runner/observe/selector_find.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/picture/png.h"
#include "runner/observe/crop_match.h"
#include "tests/runner/test_phone.h"
#include "tests/support/fixtures.h"

#define NODE(attributes, bounds)                                               \
    "<node class=\"android.widget.TextView\" package=\"app\" enabled=\"true\"" \
    " " attributes " bounds=\"" bounds "\" />"

static const char list_screen[] =
    "<?xml version='1.0'?><hierarchy rotation=\"0\">"
    "<node class=\"android.widget.FrameLayout\" package=\"app\" text=\"\" "
    "bounds=\"[0,0][1080,2400]\">"
    "<node class=\"android.widget.Button\" package=\"app\" clickable=\"true\" "
    "enabled=\"true\" bounds=\"[0,100][300,200]\" "
    "resource-id=\"app:id/sort\">" NODE("text=\"Sort\"", "[20,110][200,190]") "</node>" NODE(
        "text=\"Sort\"",
        "[500,100][700,200]") "<node class=\"android.widget.ListView\" "
                              "package=\"app\" "
                              "resource-id=\"app:id/results\" "
                              "bounds=\"[0,300][1080,2300]\">" NODE(
                                  "text=\"Item 1\" resource-id=\"app:id/name\" "
                                  "clickable=\"true\"",
                                  "[0,300][1080,400]") NODE("text=\"Item 2\" "
                                                            "resource-id=\"app:"
                                                            "id/name\" "
                                                            "clickable="
                                                            "\"true\"",
                                                            "[0,400][1080,500]")
                                  NODE(
                                      "text=\"Item 3\" "
                                      "resource-id=\"app:id/name\" "
                                      "clickable=\"true\"",
                                      "[0,500][1080,600]") "</node>" NODE("cont"
                                                                          "ent-"
                                                                          "desc"
                                                                          "=\"C"
                                                                          "art,"
                                                                          " 3 "
                                                                          "item"
                                                                          "s\" "
                                                                          "reso"
                                                                          "urce"
                                                                          "-id="
                                                                          "\"ap"
                                                                          "p:"
                                                                          "id/"
                                                                          "cart"
                                                                          "\" "
                                                                          "clic"
                                                                          "kabl"
                                                                          "e="
                                                                          "\"tr"
                                                                          "ue"
                                                                          "\"",
                                                                          "[900"
                                                                          ",100"
                                                                          "]["
                                                                          "1000"
                                                                          ",200"
                                                                          "]")
                                      NODE(
                                          "text=\"Hidden\" clickable=\"true\"",
                                          "[900,2400][1000,2500]") "</node></"
                                                                   "hierarchy>";

static void read_screen(struct observation *seen, const char *xml)
{
    struct err err = ERR_INIT;

    observation_init(seen);
    seen->screen = (struct extent){1080, 2400};
    seen->has_tree = true;
    if (!tree_read(&seen->tree, xml, strlen(xml), &err))
        fail_msg("%s", err.text);
}

/* Find a selector in JSON; returns the node, or "" and the reason. */
static bool find_json(const struct observation *seen, const char *json,
                      struct selector_match *found, struct err *err)
{
    const struct selector_scope place = {.seen = seen};
    struct node_selector selector = {.nth = 0};
    struct cJSON *tree = NULL;
    struct json root;
    bool done;

    if (!json_parse(json, strlen(json), &tree, err))
        fail_msg("%s: %s", json, err->text);
    root = (struct json)JSON_ROOT(tree);
    if (!node_selector_from_json(&root, &selector, err))
        fail_msg("%s: %s", json, err->text);
    done = selector_find(&place, &selector, found, err);
    node_selector_release(&selector);
    cJSON_Delete(tree);
    return done;
}

static void each_property_finds_its_node(void **state)
{
    static const struct {
        const char *selector;
        int x, y; /* the point to touch */
    } cases[] = {
        {"{\"text\": \"Item 2\"}", 539, 449},
        {"{\"text\": \"  iTEM   2 \"}", 539, 449},
        {"{\"text\": [\"没有\", \"Item 2\"]}", 539, 449},
        {"{\"id\": \"name\", \"nth\": 3}", 539, 549},
        {"{\"id\": \"app:id/name\", \"nth\": 1}", 539, 349},
        {"{\"text\": \"Sort\", \"role\": \"button\"}", 149, 149},
        {"{\"text\": \"Sort\", \"nth\": 2}", 599, 149},
        {"{\"class\": \"Button\"}", 149, 149},
        {"{\"text\": \"Cart, 3 items\"}", 949, 149},
        {"{\"description\": \"cart, 4 items\", \"id\": \"cart\"}", 949, 149},
        {"{\"class\": \"TextView\", \"nth\": 2, \"inside\": {\"id\": "
         "\"results\"}}",
         539, 449},
        {"{\"point\": [12, 34]}", 12, 34},
    };
    struct observation seen;

    (void)state;
    read_screen(&seen, list_screen);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct selector_match found;
        struct err err = ERR_INIT;

        if (!find_json(&seen, cases[i].selector, &found, &err))
            fail_msg("%s: %s", cases[i].selector, err.text);
        if (found.at.x != cases[i].x || found.at.y != cases[i].y)
            fail_msg("%s: found at %d, %d", cases[i].selector, found.at.x,
                     found.at.y);
    }
    observation_release(&seen);
}

static void missing_node_is_reported_with_similar_ones(void **state)
{
    static const struct {
        const char *selector;
        enum err_code code;
        const char *says;
    } cases[] = {
        {"{\"text\": \"Item 9\"}", ERR_NOT_FOUND,
         "'Item 9' is not on the screen; nearest: text 'Item 1' (not its "
         "text)"},
        {"{\"text\": \"Nowhere\"}", ERR_NOT_FOUND,
         "'Nowhere' is not on the screen, nor anything like it"},
        {"{\"text\": \"Item 9\", \"id\": \"name\"}", ERR_NOT_FOUND,
         "nearest: text 'Item 1' (not its text, id)"},
        {"{\"text\": \"Hidden\"}", ERR_NOT_FOUND, "not on the screen"},
        {"{\"id\": \"name\", \"nth\": 4}", ERR_NOT_FOUND,
         "there are only 3 matches of 'name', not 4"},
        {"{\"text\": \"Item 1\", \"inside\": {\"id\": \"nothing\"}}",
         ERR_NOT_FOUND, "its container: 'nothing'"},
        {"{\"call\": \"shop.sort price\"}", ERR_UNSUPPORTED,
         "only the built-in phone knows"},
    };
    struct observation seen;

    (void)state;
    read_screen(&seen, list_screen);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct selector_match found;
        struct err err = ERR_INIT;

        if (find_json(&seen, cases[i].selector, &found, &err))
            fail_msg("%s was found", cases[i].selector);
        assert_int_equal(err.code, cases[i].code);
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s: '%s' does not say '%s'", cases[i].selector, err.text,
                     cases[i].says);
    }
    observation_release(&seen);
}

/* An element whose center is covered is touched where it is visible. */
static void covering_element_is_not_touched(void **state)
{
    static const char xml[] =
        "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" "
        "bounds=\"[0,0][1000,1000]\">"
        "<node class=\"android.widget.Button\" text=\"Below\" "
        "clickable=\"true\" enabled=\"true\" bounds=\"[0,0][1000,200]\" />"
        "<node class=\"android.widget.Button\" text=\"Above\" "
        "clickable=\"true\" enabled=\"true\" bounds=\"[400,0][700,200]\" />"
        "</node></hierarchy>";
    struct observation seen;
    struct selector_match found;
    struct err err = ERR_INIT;

    (void)state;
    read_screen(&seen, xml);
    assert_true(find_json(&seen, "{\"text\": \"Below\"}", &found, &err));
    assert_true(found.at.x < 400 || found.at.x >= 700);
    observation_release(&seen);
}

/* ---- real screens ---- */

static bool same_bounds(const struct tree_rect *a, const struct tree_rect *b)
{
    return a->left == b->left && a->top == b->top && a->right == b->right &&
           a->bottom == b->bottom;
}

/* Each control of the screen, found by its own properties. */
static void count_found(const struct observation *seen, unsigned *controls,
                        unsigned *right)
{
    const struct selector_scope place = {.seen = seen};

    for (uint32_t i = 0; i < seen->tree.count; i++) {
        const struct tree_node *node = &seen->tree.nodes[i];
        struct node_selector clues;
        struct selector_match found;
        struct err err = ERR_INIT;

        if (!node->takes_taps || (node->flags & NODE_INVISIBLE) ||
            rect_area(&node->bounds) <= 0 || node->bounds.left < 0 ||
            node->bounds.top < 0)
            continue;
        ++*controls;
        selector_build(
            &seen->tree, i,
            (struct action_point){(node->bounds.left + node->bounds.right) / 2,
                                  (node->bounds.top + node->bounds.bottom) / 2},
            &clues);
        *right +=
            selector_find(&place, &clues, &found, &err) &&
            same_bounds(&seen->tree.nodes[found.node].bounds, &node->bounds);
        node_selector_release(&clues);
    }
}

static void every_control_of_real_screens_is_found_again(void **state)
{
    struct fixtures dumps;
    unsigned controls = 0, right = 0;

    (void)state;
    if (!fixtures_find(&dumps, ".xml"))
        skip();
    for (size_t i = 0; i < dumps.count; i++) {
        struct observation seen;
        struct err err = ERR_INIT;

        observation_init(&seen);
        seen.has_tree = tree_load(&seen.tree, dumps.paths[i], &err);
        if (seen.has_tree && (seen.tree.count < 200 || getenv("PROCTOR_FULL")))
            count_found(&seen, &controls, &right);
        observation_release(&seen);
    }
    print_message("%u of %u controls\n", right, controls);
    assert_true(controls > 1000);
    assert_true(right * 1000 >= controls * 999);
    fixtures_release(&dumps);
}

/* ---- similarity of screens ---- */

static void screen_is_similar_only_to_itself(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    struct observation shop;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Shop");
    test_phone_see(&phone);
    shop = phone.seen;
    observation_init(&phone.seen);
    assert_true(selector_screen_similarity(&shop.tree, &shop.tree) > 0.999);
    test_phone_do(&phone,
                  &(struct action){.kind = ACTION_WAIT, .milliseconds = 90000});
    test_phone_see(&phone);
    assert_true(selector_screen_similarity(&shop.tree, &phone.seen.tree) >
                0.95);
    test_phone_open(&phone, "Settings");
    test_phone_see(&phone);
    assert_true(selector_screen_similarity(&shop.tree, &phone.seen.tree) < 0.3);
    observation_release(&shop);
    test_phone_stop(&phone);
}

/* ---- pictures ---- */

static void a_crop_is_found_where_it_moved_to(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    struct picture screen = PICTURE_INIT, part = PICTURE_INIT;
    struct crop_match match;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_see(&phone);
    assert_true(
        png_decode(phone.seen.png.data, phone.seen.png.length, &screen, &err));
    assert_true(picture_resize(&part, 180, 150, &err));
    for (uint32_t y = 0; y < part.height; y++)
        memcpy(picture_row(&part, y),
               picture_row(&screen, 401 + y) + (size_t)331 * PICTURE_PIXEL,
               (size_t)part.width * PICTURE_PIXEL);
    crop_match_search(&screen, &part, NULL, &match);
    assert_int_equal(match.box.left, 331);
    assert_int_equal(match.box.top, 401);
    assert_true(match.likeness > 0.999);
    crop_match_search(&screen, &part, &(struct action_point){100, 100}, &match);
    assert_int_equal(match.box.left, 331);
    picture_release(&screen);
    picture_release(&part);
    test_phone_stop(&phone);
}

/* ---- waiting ---- */

/* A text that is on this screen, and not on the other. */
static const char *only_here(const struct observation *here,
                             const struct observation *other)
{
    for (uint32_t i = here->tree.count; i-- > 0;) {
        const char *text = here->tree.nodes[i].text;
        bool there = strlen(text) < 8;

        for (uint32_t j = 0; j < other->tree.count && !there; j++)
            there = !strcmp(text, other->tree.nodes[j].text);
        if (!there)
            return text;
    }
    fail_msg("both show the same");
    return NULL;
}

static void element_below_is_scrolled_to(void **state)
{
    const struct phone_options options = {.seed = 3};
    const struct action down = {.kind = ACTION_SCROLL,
                                .direction = DIRECTION_DOWN};
    struct test_phone phone;
    struct observation top;
    struct node_selector wanted = {.nth = 0};
    struct selector_wait wait;
    struct selector_match found;
    struct err err = ERR_INIT;

    (void)state;
    test_phone_start(&phone, &options);
    test_phone_open(&phone, "Shop");
    test_phone_see(&phone);
    top = phone.seen;
    observation_init(&phone.seen);
    for (int i = 0; i < 3; i++)
        test_phone_do(&phone, &down);
    test_phone_see(&phone);
    text_list_add(&wanted.text, only_here(&phone.seen, &top));
    (void)test_phone_run(&phone, "am force-stop org.proctor.shop");
    test_phone_open(&phone, "Shop");
    wait = (struct selector_wait){.observer = phone.observer};
    assert_false(
        selector_wait(&wait, &wanted, SOON, &phone.seen, &found, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    wait.actor = phone.actor;
    wait.scrolls = 8;
    if (!selector_wait(&wait, &wanted, SOON, &phone.seen, &found, &err))
        fail_msg("%s", err.text);
    assert_true(found.score > 0.99);
    node_selector_release(&wanted);
    observation_release(&top);
    test_phone_stop(&phone);
}

static void wait_times_out_on_the_phones_clock(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct test_phone phone;
    struct node_selector nothing = {.nth = 0};
    struct selector_wait wait;
    struct selector_match found;
    struct err err = ERR_INIT;
    int64_t began;

    (void)state;
    test_phone_start(&phone, &options);
    text_list_add(&nothing.text, "Nothing of that name");
    wait = (struct selector_wait){.observer = phone.observer,
                                  .milliseconds = 2000};
    began = observer_now_ms(phone.observer);
    assert_false(
        selector_wait(&wait, &nothing, SOON, &phone.seen, &found, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_in_range(observer_now_ms(phone.observer) - began, 2000, 3000);
    node_selector_release(&nothing);
    test_phone_stop(&phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_property_finds_its_node),
        cmocka_unit_test(missing_node_is_reported_with_similar_ones),
        cmocka_unit_test(covering_element_is_not_touched),
        cmocka_unit_test(every_control_of_real_screens_is_found_again),
        cmocka_unit_test(screen_is_similar_only_to_itself),
        cmocka_unit_test(a_crop_is_found_where_it_moved_to),
        cmocka_unit_test(element_below_is_scrolled_to),
        cmocka_unit_test(wait_times_out_on_the_phones_clock),
    };

    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
