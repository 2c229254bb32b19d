#include "tools/phone/widgets/ui_dump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/widgets/widget_kinds.h"

#define XML_MAX ((size_t)1 << 20)

/* A screen of 100x200 pixels, one per dp. No text of it is measured. */
static void make_tree(struct widget_tree *tree)
{
    static struct phone_theme theme;

    theme_init(&theme, THEME_HUE, false);
    widget_tree_init(tree, NULL, &theme, (struct widget_size){100, 200}, 160);
}

static char *dumped(struct widget_tree *tree, bool compressed, struct buf *xml)
{
    widget_tree_arrange(tree);
    *xml = (struct buf)BUF_INIT(XML_MAX);
    ui_dump_write(tree, &(struct ui_dump_options){0, compressed}, xml);
    assert_false(xml->overflow);
    return xml->data;
}

static struct widget *add_square(struct widget *parent)
{
    struct widget *square = widget_new(parent, &kind_space);

    square->layout.width = 20;
    square->layout.height = 10;
    return square;
}

static void a_node_is_written_as_a_device_writes_it(void **state)
{
    static const char expected[] =
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        "<hierarchy rotation=\"0\">"
        "<node index=\"0\" text=\"\" resource-id=\"\" "
        "class=\"android.widget.FrameLayout\" package=\"a.b\" "
        "content-desc=\"\" checkable=\"false\" checked=\"false\" "
        "clickable=\"false\" enabled=\"true\" focusable=\"false\" "
        "focused=\"false\" scrollable=\"false\" long-clickable=\"false\" "
        "password=\"false\" selected=\"false\" bounds=\"[0,0][100,200]\">"
        "<node index=\"0\" text=\"••\" resource-id=\"a.b:id/ok\" "
        "class=\"android.view.View\" package=\"a.b\" content-desc=\"Fine\" "
        "checkable=\"true\" checked=\"true\" clickable=\"true\" "
        "enabled=\"false\" focusable=\"true\" focused=\"true\" "
        "scrollable=\"true\" long-clickable=\"true\" password=\"true\" "
        "selected=\"true\" bounds=\"[0,0][20,10]\" /></node></hierarchy>";
    struct widget_tree tree;
    struct widget *square;
    struct buf xml;

    (void)state;
    make_tree(&tree);
    square = add_square(widget_window(&tree, "a.b"));
    widget_set_id(square, "ok");
    widget_set_text(square, "OK");
    widget_set_description(square, "Fine");
    square->flags = WIDGET_CHECKABLE | WIDGET_CHECKED | WIDGET_CLICKABLE |
                    WIDGET_DISABLED | WIDGET_FOCUSABLE | WIDGET_FOCUSED |
                    WIDGET_SCROLLABLE | WIDGET_LONG_CLICKABLE |
                    WIDGET_PASSWORD | WIDGET_SELECTED;
    assert_string_equal(dumped(&tree, false, &xml), expected);
    buf_release(&xml);
    widget_tree_release(&tree);
}

static void texts_are_escaped_as_a_device_escapes_them(void **state)
{
    static const struct {
        const char *text;
        const char *attribute;
    } cases[] = {
        {"plain", " text=\"plain\""},
        {"a & b < c > d", " text=\"a &amp; b &lt; c &gt; d\""},
        {"it's", " text=\"it's\""},
        {"say \"hi\"", " text='say \"hi\"'"},
        {"\"it's\"", " text='\"it&apos;s\"'"},
        {"two\nlines\tof\rtext", " text=\"two&#10;lines&#9;of&#13;text\""},
        {"中文 ☀", " text=\"中文 ☀\""},
        {"\U0001f525", " text=\"&#128293;\""},
        {"bell \a!", " text=\"bell .!\""},
        {"cut \xe4\xb8", " text=\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xef\xbf\xbf", " text=\".\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct widget_tree tree;
        struct buf xml;

        make_tree(&tree);
        widget_set_text(add_square(widget_window(&tree, "a.b")), cases[i].text);
        assert_non_null(strstr(dumped(&tree, false, &xml), cases[i].attribute));
        buf_release(&xml);
        widget_tree_release(&tree);
    }
}

static void unnamed_button_is_marked(void **state)
{
    struct widget_tree tree;
    struct widget *window, *named;
    struct buf xml;
    char *mark;

    (void)state;
    make_tree(&tree);
    window = widget_window(&tree, "a.b");
    widget_set_action(add_square(window), 1, 0);
    named = widget_new(window, &kind_stack);
    widget_set_action(named, 1, 0);
    widget_set_description(add_square(named), "its child names it");
    mark = strstr(dumped(&tree, false, &xml), "<node NAF=\"true\" index=\"0\"");
    assert_non_null(mark);
    assert_null(strstr(mark + strlen("<node NAF"), "NAF"));
    buf_release(&xml);
    widget_tree_release(&tree);
}

static void invisible_child_leaves_a_gap_in_the_indexes(void **state)
{
    struct widget_tree tree;
    struct widget *column;
    struct buf xml;

    (void)state;
    make_tree(&tree);
    column = widget_new(widget_window(&tree, "a.b"), &kind_column);
    column->layout.height = 15;
    column->flags |= WIDGET_CLIPS;
    add_square(column);
    add_square(column)->layout.weight = 0;
    widget_tree_arrange(&tree);
    /* As a scrolled list has it: the first is above the top. */
    column->first->bounds = (struct box){0, -12, 20, -2};
    column->last->bounds = (struct box){0, -2, 20, 8};
    xml = (struct buf)BUF_INIT(XML_MAX);
    ui_dump_write(&tree, &(struct ui_dump_options){0, false}, &xml);
    assert_null(strstr(xml.data, "-12"));
    assert_non_null(strstr(xml.data, "<node index=\"1\" text=\"\""));
    assert_non_null(strstr(xml.data, "bounds=\"[0,0][20,8]\""));
    buf_release(&xml);
    widget_tree_release(&tree);
}

static void compressed_trees_omit_layouts(void **state)
{
    struct widget_tree tree;
    struct widget *window, *inner;
    struct buf xml;

    (void)state;
    make_tree(&tree);
    window = widget_window(&tree, "a.b");
    inner = widget_new(widget_new(window, &kind_column), &kind_row);
    widget_set_text(add_square(inner), "one");
    add_square(inner);
    widget_set_text(add_square(inner), "two");
    dumped(&tree, true, &xml);
    assert_null(strstr(xml.data, "LinearLayout"));
    assert_non_null(strstr(xml.data, "<node index=\"0\" text=\"one\""));
    assert_non_null(strstr(xml.data, "<node index=\"1\" text=\"two\""));
    buf_release(&xml);
    widget_tree_release(&tree);
}

static void only_the_active_window_is_written(void **state)
{
    struct widget_tree tree;
    struct buf xml;

    (void)state;
    make_tree(&tree);
    widget_window(&tree, "below");
    widget_window(&tree, "dialog")->flags |= WIDGET_DIALOG;
    widget_window(&tree, "bars")->flags |= WIDGET_PASSIVE;
    dumped(&tree, false, &xml);
    assert_null(strstr(xml.data, "below"));
    assert_non_null(strstr(xml.data, "dialog"));
    assert_null(strstr(xml.data, "bars"));
    buf_release(&xml);
    widget_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_is_written_as_a_device_writes_it),
        cmocka_unit_test(texts_are_escaped_as_a_device_escapes_them),
        cmocka_unit_test(unnamed_button_is_marked),
        cmocka_unit_test(invisible_child_leaves_a_gap_in_the_indexes),
        cmocka_unit_test(compressed_trees_omit_layouts),
        cmocka_unit_test(only_the_active_window_is_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
