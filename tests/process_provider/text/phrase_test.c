#include "process_provider/text/phrase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

struct pair {
    const char *from;
    const char *to; /* NULL: not usable */
};

/* Each input must become the expected text. */
static void expect_all(bool (*make)(const char *, struct phrase *),
                       const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct phrase phrase;

        if (make(pairs[i].from, &phrase) != (pairs[i].to != NULL))
            fail_msg("\"%s\" says something, or nothing", pairs[i].from);
        if (pairs[i].to)
            assert_string_equal(phrase.text, pairs[i].to);
    }
}

static void ids_become_words(void **state)
{
    static const struct pair pairs[] = {
        {"com.app:id/btn_filter_icon", "filter icon"},
        {"com.app:id/searchBox", "search box"},
        {"iv_back", "back"},
        {"a:id/tvUserName", "user name"},
        {"a:id/ll_share_layout", "share"},
        {"com.example:id/new-item", "new item"},
        {"ok", "ok"},
        {"a:id/layout", NULL},
        {"com.tencent.mm:id/kbq", NULL},
        {"a:id/g_3", NULL},
        {"a:id/0_resource_name_obfuscated", NULL},
        {"", NULL},
    };

    (void)state;
    expect_all(phrase_of_id, pairs, ARRAY_LEN(pairs));
}

static void packages_become_apps(void **state)
{
    static const struct pair pairs[] = {
        {"com.android.settings", "settings"},
        {"com.duolingo", "duolingo"},
        {"com.warrescue.app", "warrescue"},
        {"com.deepeye.musicpro.debug", "musicpro"},
        {"android", "android"},
        {"", NULL},
    };

    (void)state;
    expect_all(phrase_of_package, pairs, ARRAY_LEN(pairs));
}

static void only_visible_characters_are_kept(void **state)
{
    static const struct pair pairs[] = {
        {"  two\n\twords ", "two words"},
        {"a\x01"
         "b\x7f\x1b[31mc",
         "a b [31mc"},
        {"\xe2\x80\xae"
         "back\xe2\x80\xac",
         "back"},
        {"\xee\x80\x80 Home", "Home"}, /* the glyph of a private font */
        {"a\xc2\xa0\xe3\x80\x80z", "a z"},
        {"搜索\xe2\x80\x8b框", "搜索框"},
        {"\xee\x80\x80\xc2\x85", NULL},
        {"", NULL},
    };

    (void)state;
    expect_all(phrase_clean, pairs, ARRAY_LEN(pairs));
}

/* Cut to any size, it ends with a whole character and an ellipsis. */
static void long_text_is_cut_at_a_character(void **state)
{
    const char *text = "中文字符 and more 中文字符 and more";
    char to[64];

    (void)state;
    for (size_t size = 8; size <= strlen(text); size++) {
        assert_true(phrase_copy(text, to, size));
        assert_true(strlen(to) < size);
        assert_string_equal(to + strlen(to) - 3, "…");
        assert_true(!strncmp(text, to, strlen(to) - 3));
        assert_true((text[strlen(to) - 3] & 0xc0) != 0x80);
    }
    assert_true(phrase_copy(text, to, strlen(text) + 1));
    assert_string_equal(to, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_become_words),
        cmocka_unit_test(packages_become_apps),
        cmocka_unit_test(only_visible_characters_are_kept),
        cmocka_unit_test(long_text_is_cut_at_a_character),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
