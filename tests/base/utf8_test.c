#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_character_has_its_length(void **state)
{
    (void)state;
    assert_int_equal(utf8_first("a", 1), 1);
    assert_int_equal(utf8_first("\0", 1), 1);
    assert_int_equal(utf8_first("\xc2\x80", 2), 2);
    assert_int_equal(utf8_first("\xe4\xb8\xad", 3), 3);
    assert_int_equal(utf8_first("\xf0\x9f\x93\xb1 and more", 13), 4);
}

static void sequences_that_rfc_3629_forbids_are_invalid(void **state)
{
    static const char *const bad[] = {
        "\x80",             /* a continuation alone */
        "\xc0\x80",         /* overlong NUL */
        "\xc1\xbf",         /* overlong, two bytes */
        "\xe0\x9f\xbf",     /* overlong, three bytes */
        "\xf0\x8f\xbf\xbf", /* overlong, four bytes */
        "\xed\xa0\x80",     /* a surrogate */
        "\xf4\x90\x80\x80", /* beyond U+10FFFF */
        "\xf5\x80\x80\x80",
        "\xff",
        "\xe4\xb8",     /* truncated */
        "\xe4\xb8x",    /* truncated by another character */
        "\xf0\x9f\x93", /* truncated */
        "\xc3(",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        assert_int_equal(utf8_first(bad[i], strlen(bad[i])), 0);
    assert_int_equal(utf8_first("", 0), 0);
}

static void nothing_is_read_beyond_the_length(void **state)
{
    (void)state;
    assert_int_equal(utf8_first("\xe4\xb8\xad", 2), 0);
    assert_int_equal(utf8_first("\xe4\xb8\xad", 1), 0);
}

static void characters_are_decoded_one_by_one(void **state)
{
    static const struct {
        const char *text;
        uint32_t character;
        size_t bytes;
    } cases[] = {
        {"a", 'a', 1},
        {"\xc3\xa9x", 0xe9, 2},
        {"\xe4\xb8\xad", 0x4e2d, 3},
        {"\xf0\x9f\x93\xb1", 0x1f4f1, 4},
        {"\xe4\xb8", UTF8_REPLACEMENT, 1},
        {"\xed\xa0\x80", UTF8_REPLACEMENT, 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t bytes = 0;

        assert_int_equal(
            utf8_decode(cases[i].text, strlen(cases[i].text), &bytes),
            cases[i].character);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

/* By definition: each encoded code point must be accepted. */
static void every_code_point_is_valid_but_surrogates(void **state)
{
    (void)state;
    for (uint32_t point = 0x80; point <= 0x10ffff; point++) {
        bool surrogate = point >= 0xd800 && point <= 0xdfff;
        char text[4];
        size_t length = 2;

        if (point < 0x800) {
            text[0] = (char)(0xc0 | point >> 6);
        } else if (point < 0x10000) {
            length = 3;
            text[0] = (char)(0xe0 | point >> 12);
        } else {
            length = 4;
            text[0] = (char)(0xf0 | point >> 18);
        }
        for (size_t i = 1; i < length; i++)
            text[i] = (char)(0x80 | (point >> 6 * (length - 1 - i) & 0x3f));
        assert_int_equal(utf8_first(text, length), surrogate ? 0 : length);
    }
}

static void characters_are_appended_as_they_are_decoded(void **state)
{
    static const uint32_t characters[] = {'a',     0x7f,    0x80,   0x7ff,
                                          0x800,   0xd7ff,  0xe000, 0xffff,
                                          0x10000, 0x10ffff};
    struct buf out = BUF_INIT(8);
    size_t bytes;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(characters); i++) {
        buf_clear(&out);
        utf8_append(characters[i], &out);
        assert_int_equal(utf8_decode(out.data, out.length, &bytes),
                         characters[i]);
        assert_int_equal(bytes, out.length);
    }
    buf_clear(&out);
    utf8_append(0xd800, &out);
    assert_string_equal(buf_cstr(&out), "\xef\xbf\xbd");
    buf_release(&out);
}

static void characters_are_appended_by_their_numbers(void **state)
{
    static const struct {
        const char *list;
        const char *text;
    } cases[] = {
        {"72,105", "Hi"},
        {"20013,", "\xe4\xb8\xad"},
        {"0,65,1114112,66", "AB"},
        {"65,x,66", "A"},
        {"", ""},
    };
    struct buf out = BUF_INIT(100);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        buf_clear(&out);
        utf8_append_numbers(cases[i].list, &out);
        assert_string_equal(buf_cstr(&out), cases[i].text);
    }
    buf_release(&out);
}

static void repairing_replaces_bad_bytes_only(void **state)
{
    static const char text[] = "a\xff\xe4\xb8\xad\xe4\xb8!";
    struct buf out = BUF_INIT(100);

    (void)state;
    utf8_repair(text, strlen(text), &out);
    assert_string_equal(buf_cstr(&out), "a\xef\xbf\xbd\xe4\xb8\xad"
                                        "\xef\xbf\xbd\xef\xbf\xbd!");
    buf_release(&out);
}

static void characters_are_counted(void **state)
{
    (void)state;
    assert_int_equal(utf8_count(""), 0);
    assert_int_equal(utf8_count("a\xe4\xb8\xad!"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_has_its_length),
        cmocka_unit_test(sequences_that_rfc_3629_forbids_are_invalid),
        cmocka_unit_test(nothing_is_read_beyond_the_length),
        cmocka_unit_test(characters_are_decoded_one_by_one),
        cmocka_unit_test(every_code_point_is_valid_but_surrogates),
        cmocka_unit_test(characters_are_appended_as_they_are_decoded),
        cmocka_unit_test(characters_are_appended_by_their_numbers),
        cmocka_unit_test(repairing_replaces_bad_bytes_only),
        cmocka_unit_test(characters_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
