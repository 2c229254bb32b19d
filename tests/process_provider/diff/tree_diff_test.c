#include "process_provider/diff/tree_diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Two screens and their differences. */
struct pair {
    struct tree before;
    struct tree after;
    struct tree_diff diff;
};

static void load(struct tree *tree, const char *nodes)
{
    struct buf xml = BUF_INIT(1 << 20);
    struct err err;

    buf_printf(&xml,
               "<hierarchy><node class=\"F\" bounds=\"[0,0][1000,2000]\">%s"
               "</node></hierarchy>",
               nodes);
    if (!tree_read(tree, buf_cstr(&xml), xml.length, &err))
        fail_msg("%s", err.text);
    buf_release(&xml);
}

static void compare(struct pair *pair, const char *before, const char *after)
{
    *pair = (struct pair){.before = TREE_INIT, .after = TREE_INIT};
    load(&pair->before, before);
    load(&pair->after, after);
    tree_diff(&pair->before, &pair->after, &pair->diff);
}

static void release(struct pair *pair)
{
    tree_diff_release(&pair->diff);
    tree_release(&pair->before);
    tree_release(&pair->after);
}

#define T(text_, bounds_)                                                      \
    "<node class=\"T\" text=\"" text_ "\" bounds=\"" bounds_ "\"/>"
#define BOX(checked_)                                                          \
    "<node class=\"a.CheckBox\" text=\"Free\" checkable=\"true\" "             \
    "clickable=\"true\" checked=\"" checked_ "\" bounds=\"[0,0][9,9]\"/>"

static void the_same_screen_has_no_changes(void **state)
{
    struct pair pair;

    (void)state;
    compare(&pair, T("a", "[0,0][9,9]"), T("a", "[0,0][9,9]"));
    assert_int_equal(pair.diff.count, 0);
    assert_int_equal(pair.diff.matched, 1);
    release(&pair);
}

static void added_and_removed_nodes_are_reported(void **state)
{
    struct pair pair;

    (void)state;
    compare(&pair, T("a", "[0,0][9,9]"), T("b", "[0,50][9,59]"));
    assert_int_equal(pair.diff.count, 2);
    assert_int_not_equal(pair.diff.changes[0].kind, pair.diff.changes[1].kind);
    for (size_t i = 0; i < 2; i++) {
        const struct tree_change *change = &pair.diff.changes[i];
        bool appeared = change->kind == CHANGE_APPEARED;

        assert_true(appeared || change->kind == CHANGE_VANISHED);
        assert_false(change->by_scroll);
        assert_string_equal(appeared ? pair.after.nodes[change->after].text
                                     : pair.before.nodes[change->before].text,
                            appeared ? "b" : "a");
    }
    release(&pair);
}

static void expect_one(const char *before, const char *after,
                       enum tree_change_kind kind)
{
    struct pair pair;

    compare(&pair, before, after);
    assert_int_equal(pair.diff.count, 1);
    assert_int_equal(pair.diff.changes[0].kind, kind);
    assert_int_equal(pair.diff.changes[0].before, 1);
    assert_int_equal(pair.diff.changes[0].after, 1);
    release(&pair);
}

static void each_kind_of_change_is_reported(void **state)
{
    (void)state;
    expect_one(BOX("false"), BOX("true"), CHANGE_CHECKED);
    expect_one(T("a\" selected=\"false", "[0,0][9,9]"),
               T("a\" selected=\"true", "[0,0][9,9]"), CHANGE_SELECTED);
    expect_one(T("a\" enabled=\"false", "[0,0][9,9]"),
               T("a\" enabled=\"true", "[0,0][9,9]"), CHANGE_ENABLED);
    expect_one(T("1 item", "[0,0][9,9]"), T("2 items", "[0,0][9,9]"),
               CHANGE_TEXT);
}

static void node_is_matched_by_its_id(void **state)
{
    (void)state;
    expect_one(T("1\" resource-id=\"a:id/total", "[0,0][9,9]"),
               T("2\" resource-id=\"a:id/total", "[500,900][600,950]"),
               CHANGE_TEXT);
}

#define LIST(nodes_)                                                           \
    "<node class=\"L\" scrollable=\"true\" "                                   \
    "bounds=\"[0,100][1000,500]\">" nodes_ "</node>"
#define LIKE(bounds_)                                                          \
    "<node class=\"a.Button\" content-desc=\"Like\" clickable=\"true\" "       \
    "bounds=\"" bounds_ "\"/>"

/* Four rows are shown; two leave at the top, two appear at the bottom. */
static void scrolling_changes_only_the_ends(void **state)
{
    struct pair pair;
    size_t kinds[CHANGE_KINDS] = {0};

    (void)state;
    compare(
        &pair,
        LIST(T("one", "[0,100][900,200]") LIKE("[900,100][999,200]")
                 T("two", "[0,200][900,300]") LIKE("[900,200][999,300]") T(
                     "three", "[0,300][900,400]") LIKE("[900,300][999,400]")
                     T("four", "[0,400][900,500]") LIKE("[900,400][999,500]")),
        LIST(T("three", "[0,100][900,200]") LIKE("[900,100][999,200]")
                 T("four", "[0,200][900,300]") LIKE("[900,200][999,300]") T(
                     "five", "[0,300][900,400]") LIKE("[900,300][999,400]")
                     T("six", "[0,400][900,500]") LIKE("[900,400][999,500]")));
    assert_int_equal(pair.diff.moved_x, 0);
    assert_int_equal(pair.diff.moved_y, -200);
    assert_int_equal(pair.diff.count, 8);
    for (size_t i = 0; i < pair.diff.count; i++) {
        assert_true(pair.diff.changes[i].by_scroll);
        kinds[pair.diff.changes[i].kind]++;
    }
    assert_int_equal(kinds[CHANGE_APPEARED], 4);
    assert_int_equal(kinds[CHANGE_VANISHED], 4);
    release(&pair);
}

/* Nodes with equal texts are distinguished by their position. */
static void equal_nodes_are_matched_by_position(void **state)
{
    struct pair pair;

    (void)state;
    compare(&pair, LIKE("[0,0][9,9]") LIKE("[0,50][9,59]"),
            LIKE("[0,50][9,59]"));
    assert_int_equal(pair.diff.count, 1);
    assert_int_equal(pair.diff.changes[0].kind, CHANGE_VANISHED);
    assert_int_equal(pair.diff.changes[0].before, 1);
    release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_screen_has_no_changes),
        cmocka_unit_test(added_and_removed_nodes_are_reported),
        cmocka_unit_test(each_kind_of_change_is_reported),
        cmocka_unit_test(node_is_matched_by_its_id),
        cmocka_unit_test(scrolling_changes_only_the_ends),
        cmocka_unit_test(equal_nodes_are_matched_by_position),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
