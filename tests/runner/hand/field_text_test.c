/* The text that was typed, by the content of fields before and after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/macros.h"
#include "base/utf8.h"
#include "runner/hand/field_text.h"

#define TEXT_MAX 512
#define DOTS "••••••"

/* A field in a tree; several of them make a screen. */
struct field {
    const char *id;
    const char *text;
    const char *hint; /* NULL: the dump has no such attribute */
    bool password;
    bool focused;
};

static void put_escaped(struct buf *xml, const char *text)
{
    for (; *text; text++) {
        if (strchr("&<>\"\n", *text))
            buf_printf(xml, "&#%d;", *text);
        else
            buf_byte(xml, *text);
    }
}

static void make_tree(const struct field *fields, size_t count,
                      struct tree *tree)
{
    struct buf xml = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;

    buf_text(&xml, "<hierarchy rotation=\"0\"><node class=\"a\" "
                   "bounds=\"[0,0][1000,2000]\">");
    for (size_t i = 0; i < count; i++) {
        buf_printf(&xml,
                   "<node class=\"android.widget.EditText\" package=\"p\" "
                   "resource-id=\"%s\" password=\"%s\" focused=\"%s\" "
                   "bounds=\"[0,%zu][1000,%zu]\" text=\"",
                   fields[i].id, fields[i].password ? "true" : "false",
                   fields[i].focused ? "true" : "false", i * 100,
                   i * 100 + 100);
        put_escaped(&xml, fields[i].text);
        if (fields[i].hint) {
            buf_text(&xml, "\" hint=\"");
            put_escaped(&xml, fields[i].hint);
        }
        buf_text(&xml, "\"/>");
    }
    buf_text(&xml, "</node></hierarchy>");
    assert_true(tree_read(tree, xml.data, xml.length, &err));
    buf_release(&xml);
}

/* "type [milk]", "replace [a b]", "clear", with " at 500 150". */
static void describe(const struct field_changes *changes, char *text)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < changes->count; i++) {
        const struct field_change *change = &changes->items[i];
        const struct action *action = &change->action;

        snprintf(text + used, TEXT_MAX - used, "%s%s%s", i ? "; " : "",
                 change->is_secret ? "secret " : "",
                 action->kind == ACTION_CLEAR ? "clear"
                 : action->replace            ? "replace"
                                              : "type");
        used = strlen(text);
        if (action->text)
            snprintf(text + used, TEXT_MAX - used, " [%s]", action->text);
        used = strlen(text);
        if (action->has_from)
            snprintf(text + used, TEXT_MAX - used, " at %d %d", action->from.x,
                     action->from.y);
        used = strlen(text);
    }
}

static void compare(struct field_memory *memory, const struct field *before,
                    const struct field *after, size_t count,
                    const char *expected)
{
    struct tree old = TREE_INIT;
    struct tree new = TREE_INIT;
    struct field_changes changes;
    char found[TEXT_MAX];

    make_tree(before, count, &old);
    make_tree(after, count, &new);
    field_text_compare(memory, &old, &new, &changes);
    describe(&changes, found);
    assert_string_equal(found, expected);
    field_changes_release(&changes);
    tree_release(&old);
    tree_release(&new);
}

static void contents_tell_what_was_typed(void **state)
{
    static const struct {
        const char *before;
        const char *hint;
        const char *after;
        const char *expected;
    } rows[] = {
        {"", NULL, "milk", "type [milk]"},
        {"", "Search", "milk", "type [milk]"},
        {"Search", "Search", "milk", "type [milk]"},
        {"Search", "Search", "Search", ""},
        {"Search", NULL, "milk", "replace [milk]"},
        {"Search", NULL, "Search milk", "replace [Search milk]"},
        {"milk", "Search", "milk, eggs", "type [, eggs]"},
        {"milk", "Search", "milk", ""},
        {"milk", "Search", "", "clear"},
        {"milk", "Search", "Search", "clear"},
        {"milk", NULL, "", "clear"},
        {"mlk", "Search", "milk", "replace [milk]"},
        {"milk", "Search", "mil", "replace [mil]"},
        {"two apples", "x", "two pears", "replace [two pears]"},
        {"aaa", "x", "aaaa", "type [a]"},
        {"", "搜索", "牛奶", "type [牛奶]"},
        {"搜索", "搜索", "牛奶 2 升", "type [牛奶 2 升]"},
        {"牛奶", "搜索", "牛奶和蛋", "type [和蛋]"},
        {"ㅎ", "x", "한", "replace [한]"},
        {"", "x", "مرحبا", "type [مرحبا]"},
        {"مرحبا", "x", "مرحبا بك", "type [ بك]"},
        {"", "x", "👩‍👩‍👧 ok", "type [👩‍👩‍👧 ok]"},
        {"e", "x", "é", "replace [é]"},
        {"", "x", "a\nb", "type [a\nb]"},
        {"a\n", "x", "a\nb", "type [b]"},
        {"", "x", "<b> & \"c\"", "type [<b> & \"c\"]"},
        {" ", "x", "  ", "type [ ]"},
        {"नमस", "x", "नमस्ते", "type [्ते]"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct field_memory memory = {.secrets = {.count = 0}};
        struct field before = {"f", rows[i].before, rows[i].hint, false, true};
        struct field after = {"f", rows[i].after, rows[i].hint, false, true};

        compare(&memory, &before, &after, 1, rows[i].expected);
        field_memory_release(&memory);
    }
}

/* ---- any edit ---- */

/* Some characters of many scripts, at random. */
static void put_random(unsigned *random, struct buf *text)
{
    static const char *const characters[] = {
        "a",   "B", " ", "\n", "ß",  "й", "牛", "奶", "한", "ا", "ने", "👩",
        "‍", "́",  "&", "<",  "\"", "0", "é",  "日", "ท",  "ก", "😀", "."};

    for (unsigned i = (*random >> 8) % 5; i; i--) {
        *random = *random * 1664525 + 1013904223;
        buf_text(text, characters[(*random >> 8) % ARRAY_LEN(characters)]);
    }
    *random = *random * 1664525 + 1013904223;
}

/* A place between two characters. */
static size_t random_place(const struct buf *text, unsigned *random)
{
    size_t wanted = text->length ? (*random >> 8) % (text->length + 1) : 0;
    size_t at = 0;

    *random = *random * 1664525 + 1013904223;
    while (at < wanted)
        at += utf8_first(text->data + at, text->length - at);
    return at;
}

/* Replace a part in the middle. */
static void edit(const struct buf *before, unsigned *random, struct buf *after)
{
    size_t from = random_place(before, random);
    size_t to = random_place(before, random);

    if (from > to) {
        size_t kept = from;

        from = to;
        to = kept;
    }
    buf_append(after, before->data, from);
    put_random(random, after);
    buf_append(after, before->data + to, before->length - to);
}

static void carry_out(const struct action *action, struct buf *content)
{
    if (action->kind == ACTION_CLEAR || action->replace)
        buf_clear(content);
    if (action->kind == ACTION_TYPE)
        buf_text(content, action->text);
}

static void what_was_typed_gives_the_same_content(void **state)
{
    unsigned random = 3;
    size_t all = 0;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct field_memory memory = {.secrets = {.count = 0}};
        struct field_changes changes;
        struct tree old = TREE_INIT;
        struct tree new = TREE_INIT;
        struct buf before = BUF_INIT(1 << 16);
        struct buf after = BUF_INIT(1 << 16);
        const char *hint = i % 2 ? "hint" : NULL;

        put_random(&random, &before);
        put_random(&random, &before);
        edit(&before, &random, &after);
        make_tree(&(struct field){"f", buf_cstr(&before), hint, false, true}, 1,
                  &old);
        make_tree(&(struct field){"f", buf_cstr(&after), hint, false, true}, 1,
                  &new);
        field_text_compare(&memory, &old, &new, &changes);
        assert_true(changes.count <= 1);
        if (changes.count)
            carry_out(&changes.items[0].action, &before);
        assert_string_equal(buf_cstr(&before), buf_cstr(&after));
        all += changes.count;
        field_changes_release(&changes);
        field_memory_release(&memory);
        tree_release(&old);
        tree_release(&new);
        buf_release(&before);
        buf_release(&after);
    }
    print_message("%zu of %zu texts are exact\n", all, all);
    assert_true(all > 1000);
}

/* ---- fields ---- */

static void fields_without_the_focus_are_pointed_at(void **state)
{
    const struct field before[] = {{"a", "", NULL, false, true},
                                   {"b", "", NULL, false, false},
                                   {"c", "old", NULL, false, false}};
    const struct field after[] = {{"a", "1", NULL, false, false},
                                  {"b", "2", NULL, false, true},
                                  {"c", "old", NULL, false, false}};
    struct field_memory memory = {.secrets = {.count = 0}};

    (void)state;
    compare(&memory, before, after, 3, "type [1]; type [2] at 500 150");
    field_memory_release(&memory);
}

static void alike_fields_are_told_apart_by_their_order(void **state)
{
    const struct field before[] = {{"row", "", NULL, false, true},
                                   {"row", "x", NULL, false, false},
                                   {"", "y", NULL, false, false}};
    const struct field after[] = {{"row", "", NULL, false, false},
                                  {"row", "xy", NULL, false, true},
                                  {"", "yz", NULL, false, false}};
    struct field_memory memory = {.secrets = {.count = 0}};

    (void)state;
    compare(&memory, before, after, 3,
            "replace [xy] at 500 150; replace [yz] at 500 250");
    field_memory_release(&memory);
}

static void a_hint_that_is_back_means_empty(void **state)
{
    const struct field hint = {"f", "Search", NULL, false, true};
    const struct field text = {"f", "milk", NULL, false, true};
    struct field_memory memory = {.secrets = {.count = 0}};

    (void)state;
    compare(&memory, &hint, &text, 1, "replace [milk]");
    compare(&memory, &text, &hint, 1, "clear");
    field_memory_release(&memory);
}

static void a_text_that_was_shortened_again_is_no_hint(void **state)
{
    const struct field text = {"f", "milk", NULL, false, true};
    const struct field longer = {"f", "milk2", NULL, false, true};
    struct field_memory memory = {.secrets = {.count = 0}};

    (void)state;
    compare(&memory, &text, &longer, 1, "replace [milk2]");
    compare(&memory, &longer, &text, 1, "replace [milk]");
    field_memory_release(&memory);
}

static void the_text_of_a_password_is_never_taken(void **state)
{
    const struct field empty = {"f", "", NULL, true, true};
    const struct field dots = {"f", DOTS, NULL, true, true};
    const struct field shown = {"f", "secret1", NULL, false, true};
    const struct field longer = {"f", "secret12", NULL, false, true};
    struct field_memory memory = {.secrets = {.count = 0}};

    (void)state;
    compare(&memory, &empty, &dots, 1, "secret type []");
    compare(&memory, &dots, &shown, 1, "secret replace []");
    compare(&memory, &shown, &longer, 1, "secret replace []");
    compare(&memory, &longer, &empty, 1, "secret clear");
    field_memory_release(&memory);
}

/* ---- submitting ---- */

static bool submitted(const struct field *before, const struct field *after,
                      size_t count)
{
    struct field_memory memory = {.secrets = {.count = 0}};
    struct tree old = TREE_INIT;
    struct tree new = TREE_INIT;
    bool result;

    make_tree(before, 1, &old);
    make_tree(after, count, &new);
    result = field_text_submitted(&memory, &old, &new);
    tree_release(&old);
    tree_release(&new);
    return result;
}

static void a_field_that_is_gone_or_emptied_was_submitted(void **state)
{
    const struct field milk = {"f", "milk", NULL, false, true};
    const struct field calm = {"f", "milk", NULL, false, false};
    const struct field empty = {"f", "", NULL, false, true};
    const struct field other = {"g", "milk", NULL, false, true};

    (void)state;
    assert_true(submitted(&milk, &other, 1));
    assert_true(submitted(&milk, &milk, 0));
    assert_true(submitted(&milk, &empty, 1));
    assert_false(submitted(&milk, &milk, 1));
    assert_false(submitted(&empty, &empty, 1));
    assert_false(submitted(&calm, &other, 1));
}

static void too_many_fields_are_reported(void **state)
{
    struct field before[FIELD_CHANGES_MAX + 1];
    struct field after[FIELD_CHANGES_MAX + 1];
    struct field_memory memory = {.secrets = {.count = 0}};
    struct field_changes changes;
    struct tree old = TREE_INIT;
    struct tree new = TREE_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(before); i++) {
        before[i] = (struct field){"", "", NULL, false, false};
        after[i] = (struct field){"", "x", NULL, false, false};
    }
    make_tree(before, ARRAY_LEN(before), &old);
    make_tree(after, ARRAY_LEN(after), &new);
    field_text_compare(&memory, &old, &new, &changes);
    assert_int_equal(changes.count, FIELD_CHANGES_MAX);
    assert_true(changes.is_incomplete);
    field_changes_release(&changes);
    tree_release(&old);
    tree_release(&new);
    field_memory_release(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_tell_what_was_typed),
        cmocka_unit_test(what_was_typed_gives_the_same_content),
        cmocka_unit_test(fields_without_the_focus_are_pointed_at),
        cmocka_unit_test(alike_fields_are_told_apart_by_their_order),
        cmocka_unit_test(a_hint_that_is_back_means_empty),
        cmocka_unit_test(a_text_that_was_shortened_again_is_no_hint),
        cmocka_unit_test(the_text_of_a_password_is_never_taken),
        cmocka_unit_test(a_field_that_is_gone_or_emptied_was_submitted),
        cmocka_unit_test(too_many_fields_are_reported),
    };

    return cmocka_run_group_tests_name("field_text", tests, NULL, NULL);
}
