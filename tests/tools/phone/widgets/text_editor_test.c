#include "tools/phone/widgets/text_editor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"

static void assert_text(struct text_editor *editor, const char *text,
                        size_t caret)
{
    assert_string_equal(buf_cstr(&editor->text), text);
    assert_int_equal(editor->caret, caret);
    assert_int_equal(editor->anchor, caret);
}

static void characters_are_typed_and_erased_whole(void **state)
{
    struct text_editor editor;

    (void)state;
    text_editor_init(&editor, NULL, 7, 9);
    assert_text(&editor, "", 0);
    text_editor_insert(&editor, "a中🦊");
    assert_text(&editor, "a中🦊", 8);
    text_editor_erase_before(&editor);
    assert_text(&editor, "a中", 4);
    text_editor_move(&editor, -1);
    text_editor_insert(&editor, "é");
    assert_text(&editor, "aé中", 3);
    text_editor_erase_behind(&editor);
    assert_text(&editor, "aé", 3);
    text_editor_erase_behind(&editor);
    assert_text(&editor, "aé", 3);
    text_editor_move(&editor, -9);
    text_editor_erase_before(&editor);
    assert_text(&editor, "aé", 0);
    text_editor_release(&editor);
}

static void selection_is_replaced(void **state)
{
    struct text_editor editor;

    (void)state;
    text_editor_init(&editor, "one two three", 4, 7);
    text_editor_insert(&editor, "2");
    assert_text(&editor, "one 2 three", 5);
    editor.anchor = 0;
    text_editor_erase_behind(&editor);
    assert_text(&editor, " three", 0);
    text_editor_release(&editor);
}

static void a_position_inside_a_character_is_before_it(void **state)
{
    struct text_editor editor;

    (void)state;
    text_editor_init(&editor, "中文", 4, 1);
    assert_int_equal(editor.caret, 3);
    assert_int_equal(editor.anchor, 0);
    text_editor_release(&editor);
}

static void words_end_where_other_characters_begin(void **state)
{
    static const struct {
        const char *text;
        size_t at, from, to;
    } cases[] = {
        {"one two", 5, 4, 7},  {"one two", 3, 0, 3}, {"a, b", 2, 2, 2},
        {"买 牛奶", 5, 4, 10}, {"", 0, 0, 0},        {"end", 99, 0, 3},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct text_editor editor;

        text_editor_init(&editor, cases[i].text, 0, 0);
        text_editor_select_word(&editor, cases[i].at);
        assert_int_equal(editor.anchor, cases[i].from);
        assert_int_equal(editor.caret, cases[i].to);
        text_editor_release(&editor);
    }
}

static void text_beyond_the_limit_is_not_typed(void **state)
{
    struct text_editor editor;
    char *most = mem_new(TEXT_EDITOR_MAX + 2, 1);

    (void)state;
    memset(most, 'x', TEXT_EDITOR_MAX);
    text_editor_init(&editor, "ab", 1, 1);
    text_editor_insert(&editor, most);
    assert_text(&editor, "ab", 1);
    most[TEXT_EDITOR_MAX - 2] = '\0';
    text_editor_insert(&editor, most);
    assert_int_equal(editor.text.length, TEXT_EDITOR_MAX);
    text_editor_insert(&editor, "!");
    assert_int_equal(editor.text.length, TEXT_EDITOR_MAX);
    text_editor_release(&editor);
    free(most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_typed_and_erased_whole),
        cmocka_unit_test(selection_is_replaced),
        cmocka_unit_test(a_position_inside_a_character_is_before_it),
        cmocka_unit_test(words_end_where_other_characters_begin),
        cmocka_unit_test(text_beyond_the_limit_is_not_typed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
