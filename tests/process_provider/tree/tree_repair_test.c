#include "process_provider/tree/tree_repair.h"

#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NODE "<node text=\"a\" bounds=\"[0,0][9,9]\" />"
#define TREE "<hierarchy rotation=\"0\">" NODE "</hierarchy>"

/* The result of the repair, and the number of each kind of repair. */
struct repaired {
    struct buf xml;
    struct tree_repairs repairs;
};

static void setup(struct repaired *repaired, const char *bytes, size_t length)
{
    struct err err;

    *repaired = (struct repaired){.xml = BUF_INIT(1 << 20)};
    if (!tree_repair(bytes, length, &repaired->xml, &repaired->repairs, &err))
        fail_msg("%s", err.text);
}

/* text must become "<dump>" expected "</dump>", with that many repairs. */
static void expect(const char *text, const char *expected,
                   enum tree_repair repair, uint32_t times)
{
    struct repaired repaired;
    char whole[4096];

    setup(&repaired, text, strlen(text));
    snprintf(whole, sizeof(whole), "<dump>%s</dump>", expected);
    assert_string_equal(buf_cstr(&repaired.xml), whole);
    assert_int_equal(repaired.repairs.count[repair], times);
    buf_release(&repaired.xml);
}

static void expect_refused(const char *text, enum err_code code,
                           const char *reason)
{
    struct buf xml = BUF_INIT(1 << 20);
    struct tree_repairs repairs = {{0}};
    struct err err;

    assert_false(tree_repair(text, strlen(text), &xml, &repairs, &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, reason));
    buf_release(&xml);
}

#define CLEAN "<hierarchy rotation=\"0\">" NODE_CLEAN "</hierarchy>"
#define NODE_CLEAN "<node text=\"a\" bounds=\"[0,0][9,9]\"/>"

static void valid_dump_needs_no_repair(void **state)
{
    struct repaired repaired;

    (void)state;
    setup(&repaired, TREE, strlen(TREE));
    assert_false(tree_repaired(&repaired.repairs));
    buf_release(&repaired.xml);
}

static void text_around_the_tree_is_removed(void **state)
{
    (void)state;
    expect("UI hierchary dumped to: /dev/tty\n<?xml version='1.0'?>" TREE,
           CLEAN, REPAIR_TEXT_AROUND, 1);
    expect(TREE "UI hierchary dumped to: /dev/tty", CLEAN, REPAIR_TEXT_AROUND,
           1);
    expect("at Foo.<init>(Foo.java:3)\n\tat Bar\n" TREE, CLEAN,
           REPAIR_TEXT_AROUND, 2);
}

static void several_roots_are_kept(void **state)
{
    (void)state;
    expect(NODE "\n" NODE, NODE_CLEAN NODE_CLEAN, REPAIR_ROOTS, 1);
}

static void truncated_dump_keeps_complete_nodes(void **state)
{
    (void)state;
    expect("<hierarchy><node bounds=\"[0,0][9,9]\"><node text=\"lo",
           "<hierarchy><node bounds=\"[0,0][9,9]\"></node></hierarchy>",
           REPAIR_CUT_OFF, 3);
}

static void missing_end_tag_is_added(void **state)
{
    (void)state;
    expect("<hierarchy><node bounds=\"[0,0][9,9]\"></hierarchy>",
           "<hierarchy><node bounds=\"[0,0][9,9]\"></node></hierarchy>",
           REPAIR_CUT_OFF, 1);
    expect("<hierarchy></node></hierarchy>", "<hierarchy></hierarchy>",
           REPAIR_END_TAGS, 1);
}

static void control_characters_become_spaces(void **state)
{
    (void)state;
    expect("<hierarchy a=\"x\x01y\x1by\"/>", "<hierarchy a=\"x y y\"/>",
           REPAIR_CONTROL, 2);
}

static void a_stray_less_than_is_escaped(void **state)
{
    (void)state;
    expect("<hierarchy a=\"1 < 2 <b>\"/>", "<hierarchy a=\"1 &lt; 2 &lt;b>\"/>",
           REPAIR_LESS, 2);
    expect("<hierarchy>< 3</hierarchy>", "<hierarchy></hierarchy>",
           REPAIR_TEXT_AROUND, 1);
}

static void missing_quote_is_restored(void **state)
{
    (void)state;
    expect("<hierarchy text=\"ab? resource-id=\"x\" class=\"c\"/>",
           "<hierarchy text=\"ab?\" resource-id=\"x\" class=\"c\"/>",
           REPAIR_QUOTES, 1);
    expect("<hierarchy><node text=\"ab/><node class=\"c\"/></hierarchy>",
           "<hierarchy><node text=\"ab\"/><node class=\"c\"/></hierarchy>",
           REPAIR_QUOTES, 1);
}

static void quotes_within_a_value_are_escaped(void **state)
{
    (void)state;
    expect("<hierarchy text=\"say \"hi\" now\" class=\"c\"/>",
           "<hierarchy text=\"say &quot;hi&quot; now\" class=\"c\"/>",
           REPAIR_QUOTES, 2);
    expect("<hierarchy text='say \"hi\"'/>",
           "<hierarchy text=\"say &quot;hi&quot;\"/>", REPAIR_QUOTES, 0);
}

static void surrogate_pairs_are_joined(void **state)
{
    (void)state;
    expect("<hierarchy text=\"&#55357;&#56832;\"/>",
           "<hierarchy text=\"&#128512;\"/>", REPAIR_SURROGATES, 1);
    expect("<hierarchy text=\"&#xD83D;&#xDE00;\"/>",
           "<hierarchy text=\"&#128512;\"/>", REPAIR_SURROGATES, 1);
    expect("<hierarchy text=\"&#55357;!\"/>",
           "<hierarchy text=\"\xef\xbf\xbd!\"/>", REPAIR_REFERENCES, 1);
}

static void invalid_references_are_fixed(void **state)
{
    (void)state;
    expect("<hierarchy text=\"A & B &nbsp; &#0; &#10;\"/>",
           "<hierarchy text=\"A &amp; B &amp;nbsp;   &#10;\"/>",
           REPAIR_REFERENCES, 3);
}

static void repeated_attribute_counts_once(void **state)
{
    (void)state;
    expect("<hierarchy text=\"a\" text=\"b\" odd =3/>",
           "<hierarchy text=\"a\"/>", REPAIR_ATTRIBUTES, 3);
}

static void names_of_inner_classes_become_valid(void **state)
{
    (void)state;
    expect("<hierarchy><a.B$C bounds=\"\"/></hierarchy>",
           "<hierarchy><a.B_C bounds=\"\"/></hierarchy>", REPAIR_NAMES, 1);
}

/* Write text in charset, with what comes before. */
static size_t encode(const char *charset, const char *before, const char *text,
                     char *to, size_t size)
{
    iconv_t state = iconv_open(charset, "UTF-8");
    char *from = (char *)(uintptr_t)text;
    size_t left = strlen(text);
    size_t length = strlen(before);
    char *end = to + length;
    size_t room = size - length;

    assert_true(state != (iconv_t)-1);
    memcpy(to, before, length);
    assert_int_equal(iconv(state, &from, &left, &end, &room), 0);
    iconv_close(state);
    return size - room;
}

static void expect_decoded(const char *charset, const char *before,
                           const char *word, enum tree_repair repair)
{
    struct repaired repaired;
    char text[1024];
    char bytes[4096];
    size_t length;

    snprintf(text, sizeof(text),
             "<hierarchy><node text=\"%s\" bounds=\"\"/></hierarchy>", word);
    length = encode(charset, before, text, bytes, sizeof(bytes));
    setup(&repaired, bytes, length);
    assert_non_null(strstr(buf_cstr(&repaired.xml), word));
    assert_int_equal(repaired.repairs.count[repair], 1);
    buf_release(&repaired.xml);
}

static void other_encodings_are_decoded(void **state)
{
    (void)state;
    expect_decoded("UTF-16LE", "\xff\xfe", "设置 😀", REPAIR_UTF16);
    expect_decoded("UTF-16BE", "\xfe\xff", "설정", REPAIR_UTF16);
    expect_decoded("UTF-16LE", "", "设置", REPAIR_UTF16);
    expect_decoded("UTF-8", "\xef\xbb\xbf", "设置", REPAIR_ENCODING_MARK);
    expect_decoded("GBK", "", "搜索 设置 我的 首页", REPAIR_GBK);
    expect_decoded("CP949", "", "빠른 설정 화면 내비게이션", REPAIR_CP949);
}

static void invalid_bytes_are_replaced(void **state)
{
    (void)state;
    expect("<hierarchy text=\"caf\xc3\xa9 \xff\"/>",
           "<hierarchy text=\"caf\xc3\xa9 \xef\xbf\xbd\"/>",
           REPAIR_INVALID_BYTES, 1);
}

static void text_that_is_no_tree_is_quoted_in_the_error(void **state)
{
    (void)state;
    expect_refused("ERROR: could not get idle state.\n", ERR_INVALID,
                   "ERROR: could not get idle state.");
    expect_refused("  \n", ERR_INVALID, "empty");
    expect_refused("", ERR_INVALID, "empty");
    expect_refused("<html><body>404</body></html>", ERR_INVALID, "no UI tree");
}

static void a_doctype_is_refused(void **state)
{
    (void)state;
    expect_refused("<!DOCTYPE a [<!ENTITY b \"c\">]>" TREE, ERR_INVALID,
                   "DOCTYPE");
    expect_refused("text <!doctype html>" TREE, ERR_INVALID, "DOCTYPE");
}

static void depth_is_bounded(void **state)
{
    struct buf text = BUF_INIT(1 << 20);

    (void)state;
    for (int i = 0; i <= TREE_DEPTH_MAX; i++)
        buf_text(&text, "<node bounds=\"\">");
    expect_refused(buf_cstr(&text), ERR_LIMIT, "inside of each other");
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_dump_needs_no_repair),
        cmocka_unit_test(text_around_the_tree_is_removed),
        cmocka_unit_test(several_roots_are_kept),
        cmocka_unit_test(truncated_dump_keeps_complete_nodes),
        cmocka_unit_test(missing_end_tag_is_added),
        cmocka_unit_test(control_characters_become_spaces),
        cmocka_unit_test(a_stray_less_than_is_escaped),
        cmocka_unit_test(missing_quote_is_restored),
        cmocka_unit_test(quotes_within_a_value_are_escaped),
        cmocka_unit_test(surrogate_pairs_are_joined),
        cmocka_unit_test(invalid_references_are_fixed),
        cmocka_unit_test(repeated_attribute_counts_once),
        cmocka_unit_test(names_of_inner_classes_become_valid),
        cmocka_unit_test(other_encodings_are_decoded),
        cmocka_unit_test(invalid_bytes_are_replaced),
        cmocka_unit_test(text_that_is_no_tree_is_quoted_in_the_error),
        cmocka_unit_test(a_doctype_is_refused),
        cmocka_unit_test(depth_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
