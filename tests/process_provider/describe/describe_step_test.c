/* Descriptions of typing, swipes, keys and the end; what is never in one. */
#include "process_provider/describe/describe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/process_provider/describe/expect_description.h"

static void passwords_are_never_described(void **state)
{
    (void)state;
    expect_description_of_tap(SCREEN(NODE(W "EditText",
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
    expect_description_load(&tree, buf_cstr(&xml));
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
    expect_description_of_step(
        SEARCH, &action,
        "typed 'wireless mouse' into 'Search'; screen 'Shop' of shop");
    action.submit = true;
    expect_description_of_step(NULL, &action,
                               "typed 'wireless mouse' and pressed Enter");
    action.replace = true;
    expect_description_of_step(
        NULL, &action,
        "typed 'wireless mouse' in place of what was there and pressed "
        "Enter");
    expect_description_of_step(
        SCREEN(NODE(W "EditText", "hint=\"PIN\" password=\"true\"" TAP,
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
    expect_description_load(&before, QUERY("", "focused=\"true\""));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct tree after = TREE_INIT;
        struct description description;

        expect_description_load(&after, cases[i].after);
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
    expect_description_of_step(
        SEARCH, &action,
        "swiped up in 'Offers', to see what is further down; screen "
        "'Shop' of shop");
    expect_description_of_step(
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
        expect_description_of_step(NULL, &steps[i].action, steps[i].line);
    expect_description_of_step(
        SEARCH, &(struct action){.kind = ACTION_CLEAR},
        "cleared the text in 'Search'; screen 'Shop' of shop");
    expect_description_of_step(
        SEARCH, &(struct action){.kind = ACTION_ENTER},
        "pressed Enter in 'Search'; screen 'Shop' of shop");
    expect_description_of_step(
        SEARCH,
        &(struct action){
            .kind = ACTION_LONG_PRESS, .has_from = true, .from = {500, 150}},
        "long-pressed text field 'Search'; screen 'Shop' of shop");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passwords_are_never_described),
        cmocka_unit_test(descriptions_are_bounded_and_clean),
        cmocka_unit_test(typing_is_described_with_text_and_field),
        cmocka_unit_test(text_that_did_not_arrive_was_not_typed),
        cmocka_unit_test(swipes_are_described_with_their_direction),
        cmocka_unit_test(keys_and_endings_are_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
