#include "process_provider/tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "process_provider/tree/tree_write.h"

static void read_text(struct tree *tree, const char *text)
{
    struct err err;

    if (!tree_read(tree, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

static void expect_refused(const char *text, enum err_code code,
                           const char *reason)
{
    struct tree tree = TREE_INIT;
    struct err err;

    assert_false(tree_read(&tree, text, strlen(text), &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, reason));
    assert_int_equal(tree.count, 0);
    tree_release(&tree);
}

static void every_attribute_is_read(void **state)
{
    struct tree tree = TREE_INIT;
    const struct tree_node *node;

    (void)state;
    read_text(&tree,
              "<hierarchy rotation=\"1\"><node NAF=\"true\" index=\"0\" "
              "text=\"A &amp; B&#10;&#128512;\" resource-id=\"a.b:id/c\" "
              "class=\"android.widget.Button\" package=\"a.b\" "
              "content-desc=\"d\" checkable=\"true\" checked=\"true\" "
              "clickable=\"true\" enabled=\"false\" focusable=\"true\" "
              "focused=\"true\" scrollable=\"true\" long-clickable=\"true\" "
              "password=\"true\" selected=\"true\" visible-to-user=\"false\" "
              "bounds=\"[-5,7][1080,1920]\" drawing-order=\"3\" "
              "hint=\"h\" /></hierarchy>");
    assert_int_equal(tree.count, 1);
    assert_int_equal(tree.rotation, 1);
    node = &tree.nodes[0];
    assert_string_equal(node->text, "A & B\n\xf0\x9f\x98\x80");
    assert_string_equal(node->id, "a.b:id/c");
    assert_string_equal(node->class_name, "android.widget.Button");
    assert_string_equal(node->package, "a.b");
    assert_string_equal(node->description, "d");
    assert_string_equal(node->hint, "h");
    assert_int_equal(node->flags, (1 << 11) - 1);
    assert_int_equal(node->order, 3);
    assert_int_equal(node->bounds.left, -5);
    assert_int_equal(node->bounds.top, 7);
    assert_int_equal(node->bounds.right, 1080);
    assert_int_equal(node->bounds.bottom, 1920);
    assert_false(tree_repaired(&tree.repairs));
    tree_release(&tree);
}

static void nodes_know_their_parents_and_ends(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node><node><node/></node><node/></node>"
                     "<node/></hierarchy>");
    assert_int_equal(tree.count, 5);
    assert_int_equal(tree.nodes[0].parent, TREE_NONE);
    assert_int_equal(tree.nodes[0].end, 4);
    assert_int_equal(tree.nodes[2].parent, 1);
    assert_int_equal(tree.nodes[3].parent, 0);
    assert_int_equal(tree.nodes[4].parent, TREE_NONE);
    assert_true(tree_within(&tree, 0, 3));
    assert_false(tree_within(&tree, 1, 3));
    tree_release(&tree);
}

static void the_class_may_be_the_tag(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy class=\"hierarchy\" width=\"9\">"
                     "<android.widget.TextView class=\"android.widget."
                     "TextView\" text=\"a\" bounds=\"[0,0][9,9]\" "
                     "displayed=\"true\"/></hierarchy>");
    assert_int_equal(tree.count, 1);
    assert_string_equal(tree.nodes[0].class_name, "android.widget.TextView");
    tree_release(&tree);
}

static void equal_texts_are_shared(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node text=\"x\" class=\"c\"/>"
                     "<node text=\"y\" class=\"d\"/>"
                     "<node text=\"x\" class=\"c\"/></hierarchy>");
    assert_ptr_equal(tree.nodes[0].text, tree.nodes[2].text);
    assert_ptr_equal(tree.nodes[0].class_name, tree.nodes[2].class_name);
    tree_release(&tree);
}

static uint32_t top_at(const struct tree *tree, int x, int y)
{
    uint32_t place = 0;

    return tree_next_at(tree, x, y, &place);
}

static void later_nodes_are_on_top(void **state)
{
    struct tree tree = TREE_INIT;
    uint32_t place = 0;

    (void)state;
    read_text(&tree, "<hierarchy><node bounds=\"[0,0][100,100]\">"
                     "<node bounds=\"[0,0][50,50]\"/>"
                     "<node bounds=\"[0,0][50,50]\"/></node></hierarchy>");
    assert_int_equal(tree_next_at(&tree, 10, 10, &place), 2);
    assert_int_equal(tree_next_at(&tree, 10, 10, &place), 1);
    assert_int_equal(tree_next_at(&tree, 10, 10, &place), 0);
    assert_int_equal(tree_next_at(&tree, 10, 10, &place), TREE_NONE);
    assert_int_equal(top_at(&tree, 50, 50), 0);
    assert_int_equal(top_at(&tree, 100, 100), TREE_NONE);
    tree_release(&tree);
}

static void drawing_order_decides(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node bounds=\"[0,0][9,9]\">"
                     "<node drawing-order=\"2\" bounds=\"[0,0][9,9]\"/>"
                     "<node drawing-order=\"1\" bounds=\"[0,0][9,9]\"/>"
                     "</node></hierarchy>");
    assert_int_equal(top_at(&tree, 1, 1), 1);
    read_text(&tree, "<hierarchy><node bounds=\"[0,0][9,9]\">"
                     "<node drawing-order=\"2\" bounds=\"[0,0][9,9]\"/>"
                     "<node drawing-order=\"1\" bounds=\"[0,0][9,9]\"/>"
                     "<node drawing-order=\"1\" bounds=\"[0,0][9,9]\"/>"
                     "</node></hierarchy>");
    assert_int_equal(top_at(&tree, 1, 1), 3);
    tree_release(&tree);
}

static void windows_are_ordered_by_layer(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree,
              "<displays><display id=\"0\">"
              "<window index=\"0\" title=\"Dialog\" layer=\"5\"><hierarchy "
              "rotation=\"0\"><node text=\"d\" bounds=\"[0,0][9,9]\"/>"
              "</hierarchy></window>"
              "<window index=\"1\" title=\"App\" layer=\"2\"><hierarchy>"
              "<node text=\"a\" bounds=\"[0,0][90,90]\"/></hierarchy>"
              "</window></display></displays>");
    assert_int_equal(tree.window_count, 3);
    assert_string_equal(tree.nodes[top_at(&tree, 1, 1)].text, "d");
    assert_string_equal(tree.nodes[top_at(&tree, 20, 20)].text, "a");
    assert_string_equal(tree.windows[tree.nodes[0].window].title, "Dialog");
    tree_release(&tree);
}

/* A dump without layers lists its windows in any order. */
static void smaller_windows_lie_on_larger_ones(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node text=\"k\" bounds=\"[0,60][90,90]\"/>"
                     "<node text=\"a\" bounds=\"[0,0][90,90]\">"
                     "<node text=\"r\" bounds=\"[0,50][90,90]\"/></node>"
                     "<node text=\"b\" bounds=\"[0,0][90,9]\"/></hierarchy>");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 70)].text, "k");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 55)].text, "r");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 1)].text, "b");
    read_text(&tree, "<hierarchy><node text=\"a\" bounds=\"[0,0][9,9]\"/>"
                     "<node text=\"b\" bounds=\"[0,0][9,9]\"/></hierarchy>");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 1)].text, "b");
    tree_release(&tree);
}

/* Siblings in one place stand in any order in a dump. */
static void controls_lie_on_an_empty_view_in_their_place(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node bounds=\"[0,0][90,90]\">"
                     "<node text=\"group\" bounds=\"[0,0][90,80]\">"
                     "<node text=\"b\" clickable=\"true\" "
                     "bounds=\"[0,0][9,9]\"/></node>"
                     "<node text=\"ground\" clickable=\"true\" "
                     "bounds=\"[0,0][90,80]\"/>"
                     "<node text=\"last\" bounds=\"[50,50][90,80]\"/>"
                     "</node></hierarchy>");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 1)].text, "b");
    assert_string_equal(tree.nodes[top_at(&tree, 40, 40)].text, "group");
    assert_string_equal(tree.nodes[top_at(&tree, 60, 60)].text, "last");
    read_text(&tree, "<hierarchy><node bounds=\"[0,0][90,90]\">"
                     "<node drawing-order=\"1\" bounds=\"[0,0][90,80]\">"
                     "<node bounds=\"[0,0][9,9]\"/></node>"
                     "<node drawing-order=\"2\" text=\"scrim\" "
                     "clickable=\"true\" bounds=\"[0,0][90,80]\"/>"
                     "</node></hierarchy>");
    assert_string_equal(tree.nodes[top_at(&tree, 1, 1)].text, "scrim");
    tree_release(&tree);
}

static void empty_bounds_are_never_hit(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "<hierarchy><node bounds=\"[9,9][9,20]\"/>"
                     "<node bounds=\"[30,30][10,10]\"/>"
                     "<node bounds=\"rubbish\"/><node bounds=\"[1,2][3\"/>"
                     "<node bounds=\"[0,0][40,40]\" displayed=\"false\"/>"
                     "</hierarchy>");
    assert_int_equal(tree.count, 5);
    assert_int_equal(top_at(&tree, 9, 9), TREE_NONE);
    assert_int_equal(top_at(&tree, 20, 20), TREE_NONE);
    tree_release(&tree);
}

static void damaged_dump_is_repaired(void **state)
{
    struct tree tree = TREE_INIT;

    (void)state;
    read_text(&tree, "dumped: <hierarchy><node text=\"R&D\" "
                     "bounds=\"[0,0][9,9]\"><node text=\"cut");
    assert_int_equal(tree.count, 1);
    assert_string_equal(tree.nodes[0].text, "R&D");
    assert_int_equal(tree.repairs.count[REPAIR_TEXT_AROUND], 1);
    assert_true(tree.repairs.count[REPAIR_CUT_OFF] > 0);
    read_text(&tree, "<hierarchy><node/></hierarchy>");
    assert_false(tree_repaired(&tree.repairs));
    tree_release(&tree);
}

static void text_that_is_no_dump_is_refused(void **state)
{
    (void)state;
    expect_refused("", ERR_INVALID, "empty");
    expect_refused("ERROR: null root node returned by UiTestAutomationBridge.",
                   ERR_INVALID, "null root node");
    expect_refused("<a><b c=\"d\"/></a>", ERR_INVALID, "no nodes");
    expect_refused("<hierarchy rotation=\"0\"/>", ERR_INVALID, "no nodes");
}

static void entities_and_doctypes_are_refused(void **state)
{
    (void)state;
    expect_refused("<!DOCTYPE h [<!ENTITY a \"aaaa\"><!ENTITY b "
                   "\"&a;&a;&a;\">]><hierarchy><node text=\"&b;\"/>"
                   "</hierarchy>",
                   ERR_INVALID, "DOCTYPE");
    expect_refused("<!DOCTYPE h SYSTEM \"file:///etc/passwd\"><hierarchy>"
                   "<node/></hierarchy>",
                   ERR_INVALID, "DOCTYPE");
}

static void depth_is_bounded(void **state)
{
    struct buf text = BUF_INIT(1 << 20);

    (void)state;
    for (int i = 0; i <= TREE_DEPTH_MAX; i++)
        buf_text(&text, "<node>");
    for (int i = 0; i <= TREE_DEPTH_MAX; i++)
        buf_text(&text, "</node>");
    expect_refused(buf_cstr(&text), ERR_LIMIT, "inside of each other");
    buf_release(&text);
}

static void xml_has_no_control_characters(void **state)
{
    static const char xml[] =
        "<hierarchy><node text=\"a&#155;b&#8238;c&#127;\" "
        "bounds=\"[0,0][1,1]\"/></hierarchy>";
    struct tree tree = TREE_INIT;
    struct buf written = BUF_INIT(10000);
    struct err err;

    (void)state;
    assert_true(tree_read(&tree, xml, strlen(xml), &err));
    tree_write_xml(&tree, &written);
    assert_non_null(
        strstr(buf_cstr(&written), "text=\"a&#155;b&#8238;c&#127;\""));
    buf_release(&written);
    tree_release(&tree);
}

static void written_xml_reads_back(void **state)
{
    struct tree tree = TREE_INIT;
    struct tree again = TREE_INIT;
    struct buf first = BUF_INIT(1 << 20);
    struct buf second = BUF_INIT(1 << 20);

    (void)state;
    read_text(&tree, "<hierarchy rotation=\"3\"><node text=\"&lt;'&quot;&#10;"
                     "\" enabled=\"false\" bounds=\"[1,2][3,4]\"><node "
                     "hint=\"h\" checked=\"true\"/></node><node/></hierarchy>");
    tree_write_xml(&tree, &first);
    read_text(&again, buf_cstr(&first));
    tree_write_xml(&again, &second);
    assert_string_equal(buf_cstr(&first), buf_cstr(&second));
    assert_string_equal(again.nodes[0].text, "<'\"\n");
    assert_int_equal(again.nodes[1].parent, 0);
    buf_release(&first);
    buf_release(&second);
    tree_release(&tree);
    tree_release(&again);
}

static void text_output_is_indented_and_clean(void **state)
{
    struct tree tree = TREE_INIT;
    struct buf text = BUF_INIT(1 << 20);

    (void)state;
    read_text(&tree, "<hierarchy><node class=\"a.Frame\" bounds=\"[0,0][9,9]\">"
                     "<node class=\"a.Button\" text=\"O&#10;K\" "
                     "resource-id=\"a:id/ok\" clickable=\"true\" "
                     "bounds=\"[1,1][2,2]\"/></node></hierarchy>");
    tree_write_text(&tree, &text);
    assert_string_equal(buf_cstr(&text),
                        "Frame [0,0][9,9]\n"
                        "  Button 'O K' #ok [1,1][2,2] clickable\n");
    buf_release(&text);
    tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_attribute_is_read),
        cmocka_unit_test(nodes_know_their_parents_and_ends),
        cmocka_unit_test(the_class_may_be_the_tag),
        cmocka_unit_test(equal_texts_are_shared),
        cmocka_unit_test(later_nodes_are_on_top),
        cmocka_unit_test(drawing_order_decides),
        cmocka_unit_test(windows_are_ordered_by_layer),
        cmocka_unit_test(smaller_windows_lie_on_larger_ones),
        cmocka_unit_test(controls_lie_on_an_empty_view_in_their_place),
        cmocka_unit_test(empty_bounds_are_never_hit),
        cmocka_unit_test(damaged_dump_is_repaired),
        cmocka_unit_test(text_that_is_no_dump_is_refused),
        cmocka_unit_test(entities_and_doctypes_are_refused),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(xml_has_no_control_characters),
        cmocka_unit_test(written_xml_reads_back),
        cmocka_unit_test(text_output_is_indented_and_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
