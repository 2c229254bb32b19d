/* What people mark on a screen. */
#include "tools/live/live_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/node_selector.h"

/* A row with a title and a value, and a row with only an icon. */
#define SCREEN                                                                 \
    "<?xml version='1.0'?><hierarchy rotation=\"0\">"                          \
    "<node index=\"0\" class=\"android.widget.FrameLayout\" "                  \
    "package=\"com.example\" bounds=\"[0,0][400,800]\">"                       \
    "<node index=\"0\" class=\"android.widget.LinearLayout\" "                 \
    "resource-id=\"com.example:id/timeout\" package=\"com.example\" "          \
    "clickable=\"true\" bounds=\"[0,100][400,200]\">"                          \
    "<node index=\"0\" text=\"Screen timeout\" "                               \
    "class=\"android.widget.TextView\" package=\"com.example\" "               \
    "bounds=\"[20,110][300,140]\"/>"                                           \
    "<node index=\"1\" text=\"5 minutes\" "                                    \
    "class=\"android.widget.TextView\" package=\"com.example\" "               \
    "bounds=\"[20,150][300,180]\"/></node>"                                    \
    "<node index=\"1\" class=\"android.widget.ImageView\" "                    \
    "resource-id=\"com.example:id/more\" package=\"com.example\" "             \
    "clickable=\"true\" bounds=\"[0,300][400,400]\"/>"                         \
    "<node index=\"2\" text=\"••••••••\" "                     \
    "class=\"android.widget.EditText\" package=\"com.example\" "               \
    "bounds=\"[0,500][400,600]\"/>"                                            \
    "</node></hierarchy>"

static bool mark(int x, int y, struct node_selector *selector, struct err *err)
{
    struct tree tree = TREE_INIT;
    char words[100];
    bool done;

    assert_true(tree_read(&tree, SCREEN, strlen(SCREEN), err));
    done = live_tree_select(&tree, x, y, selector, words, sizeof(words), err);
    tree_release(&tree);
    return done;
}

static void line_of_a_row_is_meant_and_not_the_row(void **state)
{
    struct node_selector selector;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(mark(160, 165, &selector, &err));
    assert_int_equal(selector.text.count, 1);
    assert_string_equal(selector.text.items[0], "5 minutes");
    assert_int_equal(selector.point.x, 160);
    node_selector_release(&selector);
    assert_true(mark(160, 125, &selector, &err));
    assert_string_equal(selector.text.items[0], "Screen timeout");
    node_selector_release(&selector);
}

static void control_without_a_text_is_what_a_tap_would_touch(void **state)
{
    struct node_selector selector;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(mark(200, 350, &selector, &err));
    assert_int_equal(selector.id.count, 1);
    assert_non_null(strstr(selector.id.items[0], "more"));
    node_selector_release(&selector);
}

static void empty_place_is_refused(void **state)
{
    struct node_selector selector;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(mark(200, 700, &selector, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

/* Reads the text at a point; NULL: err says why not. */
static char *text_at(int x, int y, struct err *err)
{
    struct tree tree = TREE_INIT;
    const char *text;
    char *copy = NULL;

    assert_true(tree_read(&tree, SCREEN, strlen(SCREEN), err));
    if (live_tree_text(&tree, x, y, &text, err))
        copy = mem_dup(text);
    tree_release(&tree);
    return copy;
}

static void text_of_a_place_is_that_of_its_line(void **state)
{
    struct err err = ERR_INIT;
    char *text = text_at(160, 165, &err);

    (void)state;
    assert_string_equal(text, "5 minutes");
    free(text);
    assert_null(text_at(200, 350, &err)); /* an icon */
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void masked_text_is_refused(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    assert_null(text_at(200, 550, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "password"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_of_a_row_is_meant_and_not_the_row),
        cmocka_unit_test(control_without_a_text_is_what_a_tap_would_touch),
        cmocka_unit_test(empty_place_is_refused),
        cmocka_unit_test(text_of_a_place_is_that_of_its_line),
        cmocka_unit_test(masked_text_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
