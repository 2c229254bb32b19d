#include "base/json.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static struct cJSON *parse(const char *text)
{
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    if (!json_parse(text, strlen(text), &tree, &err))
        fail_msg("%s: %s", text, err.text);
    return tree;
}

static void assert_refused(const char *text, size_t length, enum err_code code,
                           const char *why)
{
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    assert_false(json_parse(text, length, &tree, &err));
    assert_null(tree);
    assert_int_equal(err.code, code);
    assert_string_equal(err.text, why);
}

static void bad_text_is_refused_with_line_and_column(void **state)
{
    static const struct {
        const char *text;
        const char *why;
    } rows[] = {
        {"", "line 1, column 1: syntax error"},
        {"{\"a\":1,}", "line 1, column 8: syntax error near \"}\""},
        {"{\n  \"a\": nope\n}", "line 2, column 8: syntax error near \"n\""},
        {"[\"\xe4\xb8\xad\", x]", "line 1, column 7: syntax error near \"x\""},
        {"{} {}", "line 1, column 4: syntax error near \"{\""},
        {"1 2", "line 1, column 3: syntax error near \"2\""},
        {"[\"a\nb\"]", "line 1, column 4: control character in a string"},
        {"[\"a\\u0000b\"]", "line 1, column 4: U+0000 in a string"},
        {"[\"\xff\"]", "line 1, column 3: not UTF-8"},
        {"[\"\\\xff\"]", "line 1, column 4: not UTF-8"},
        {"[\"\xed\xa0\x80\"]", "line 1, column 3: not UTF-8"},
        {"[\x01]", "line 1, column 2: control character"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_refused(rows[i].text, strlen(rows[i].text), ERR_INVALID,
                       rows[i].why);
}

static void truncated_text_is_refused_at_every_length(void **state)
{
    static const char text[] =
        "{\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"\\u4e2d\\n\"}}";
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    (void)state;
    for (size_t length = 0; length < strlen(text); length++) {
        char *exact = malloc(length ? length : 1);

        assert_non_null(exact);
        memcpy(exact, text, length);
        assert_false(json_parse(exact, length, &tree, &err));
        free(exact);
    }
    cJSON_Delete(parse(text));
}

static void nul_bytes_do_not_end_the_text(void **state)
{
    (void)state;
    assert_refused("{}\0{", 4, ERR_INVALID,
                   "line 1, column 3: control character");
}

static void an_escaped_backslash_before_u0000_is_text(void **state)
{
    struct cJSON *tree = parse("[\"\\\\u0000\", \"\\\"[[\"]");

    (void)state;
    assert_string_equal(tree->child->valuestring, "\\u0000");
    assert_string_equal(tree->child->next->valuestring, "\"[[");
    cJSON_Delete(tree);
}

static void escapes_become_utf8(void **state)
{
    struct cJSON *tree = parse("\"\\u00e9\\ud83d\\udcf1\\/\\t\\u007f\"");

    (void)state;
    assert_string_equal(tree->valuestring, "\xc3\xa9\xf0\x9f\x93\xb1/\t\x7f");
    cJSON_Delete(tree);
}

static void nesting_is_bounded(void **state)
{
    char text[2 * (JSON_DEPTH_MAX + 1)];

    (void)state;
    memset(text, '[', JSON_DEPTH_MAX);
    memset(text + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    text[(size_t)2 * JSON_DEPTH_MAX] = '\0';
    cJSON_Delete(parse(text));
    memset(text, '[', sizeof(text));
    assert_refused(text, sizeof(text), ERR_LIMIT,
                   "line 1, column 65: nested too deeply");
}

static void the_count_of_values_is_bounded(void **state)
{
    size_t length = 2 * JSON_VALUES_MAX + 2;
    char *text = malloc(length);
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 2 ? '1' : ',';
    text[0] = '[';
    text[length - 1] = ']';
    assert_false(json_parse(text, length, &tree, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(text);
}

static void the_size_is_bounded(void **state)
{
    size_t length = JSON_SIZE_MAX + 1;
    char *text = malloc(length);

    (void)state;
    assert_non_null(text);
    memset(text, ' ', length);
    assert_refused(text, length, ERR_LIMIT, "larger than 16777216 bytes");
    free(text);
}

static void getters_return_the_values(void **state)
{
    struct cJSON *tree = parse("{\"s\":\"x\",\"i\":-7,\"n\":1.5,\"b\":true,"
                               "\"o\":{\"k\":1},\"a\":[10,20]}");
    struct json root = JSON_ROOT(tree);
    struct json object, array, item = JSON_NONE;
    struct err err = ERR_INIT;
    const char *text = NULL;
    int64_t number = 0;
    double real = 0;
    bool truth = false;

    (void)state;
    assert_true(json_get_string(&root, "s", &text, &err));
    assert_string_equal(text, "x");
    assert_true(json_get_int(&root, "i", -7, -7, &number, &err));
    assert_int_equal(number, -7);
    assert_true(json_get_number(&root, "n", &real, &err));
    assert_true(real == 1.5);
    assert_true(json_get_bool(&root, "b", &truth, &err));
    assert_true(truth);
    assert_true(json_get_object(&root, "o", &object, &err));
    assert_true(json_get_int(&object, "k", 0, 9, &number, &err));
    assert_int_equal(number, 1);
    assert_true(json_get_array(&root, "a", &array, &err));
    for (int64_t expected = 10; json_next(&array, &item); expected += 10) {
        assert_true(json_as_int(&item, 0, 99, &number, &err));
        assert_int_equal(number, expected);
    }
    assert_int_equal(number, 20);
    cJSON_Delete(tree);
}

static void keys_are_case_sensitive(void **state)
{
    struct cJSON *tree = parse("{\"Name\":\"x\"}");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    const char *text = "untouched";

    (void)state;
    assert_false(json_get_string(&root, "name", &text, &err));
    assert_string_equal(err.text, "name: missing");
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(text, "untouched");
    cJSON_Delete(tree);
}

static void error_has_the_position_and_the_expected_type(void **state)
{
    struct cJSON *tree = parse("{\"apps\":[{},{\"name\":[7]}]}");
    struct json root = JSON_ROOT(tree);
    struct json apps, app = JSON_NONE;
    struct err err = ERR_INIT;
    const char *text;
    bool truth;

    (void)state;
    assert_true(json_get_array(&root, "apps", &apps, &err));
    assert_true(json_next(&apps, &app));
    assert_false(json_get_string(&app, "name", &text, &err));
    assert_string_equal(err.text, "apps[0].name: missing");
    assert_true(json_next(&apps, &app));
    assert_false(json_get_string(&app, "name", &text, &err));
    assert_string_equal(err.text,
                        "apps[1].name: expected a string, found an array");
    assert_false(json_get_bool(&apps, "x", &truth, &err));
    assert_string_equal(err.text, "apps: expected an object, found an array");
    assert_false(json_as_array(&root, &err));
    assert_string_equal(err.text, "expected an array, found an object");
    assert_false(json_next(&apps, &app));
    cJSON_Delete(tree);
}

static void integers_are_exact_or_refused(void **state)
{
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } rows[] = {
        {"9007199254740991", true, JSON_INT_MAX},
        {"-9007199254740991", true, -JSON_INT_MAX},
        {"9007199254740992", false, 0},
        {"9007199254740993", false, 0},
        {"9223372036854775808", false, 0},
        {"1e15", true, 1000000000000000},
        {"-0", true, 0},
        {"1.5", false, 0},
        {"1e999", false, 0},
        {"-1e999", false, 0},
        {"\"1\"", false, 0},
        {"true", false, 0},
        {"null", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct cJSON *tree = parse(rows[i].text);
        struct json root = JSON_ROOT(tree);
        struct err err = ERR_INIT;
        int64_t value = 0;

        assert_int_equal(json_as_int(&root, INT64_MIN, INT64_MAX, &value, &err),
                         rows[i].good);
        assert_true(value == rows[i].value);
        cJSON_Delete(tree);
    }
}

static void error_has_the_valid_range(void **state)
{
    struct cJSON *tree = parse("{\"port\":65536}");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    int64_t port = 0;

    (void)state;
    assert_false(json_get_int(&root, "port", 1, 65535, &port, &err));
    assert_string_equal(
        err.text, "port: expected an integer from 1 to 65535, found 65536");
    assert_true(json_get_int(&root, "port", 65536, 65536, &port, &err));
    cJSON_Delete(tree);
}

static void a_number_must_be_finite(void **state)
{
    struct cJSON *tree = parse("1e999");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    double number;

    (void)state;
    assert_false(json_as_number(&root, &number, &err));
    assert_string_equal(err.text, "too large a number");
    cJSON_Delete(tree);
}

static void optional_members_may_be_missing_or_null(void **state)
{
    struct cJSON *tree = parse("{\"null\":null}");
    static const char *const keys[] = {"null", "missing"};
    struct json root = JSON_ROOT(tree);
    struct json child = JSON_NONE;
    struct err err = ERR_INIT;
    const char *text = "default";
    int64_t number = 5;
    double real = 2.5;
    bool truth = true;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        assert_true(json_opt_string(&root, keys[i], &text, &err));
        assert_true(json_opt_int(&root, keys[i], 0, 9, &number, &err));
        assert_true(json_opt_number(&root, keys[i], &real, &err));
        assert_true(json_opt_bool(&root, keys[i], &truth, &err));
        assert_true(json_opt_object(&root, keys[i], &child, &err));
        assert_true(json_opt_array(&root, keys[i], &child, &err));
    }
    assert_string_equal(text, "default");
    assert_int_equal(number, 5);
    assert_true(real == 2.5);
    assert_true(truth);
    assert_null(child.value);
    cJSON_Delete(tree);
}

static void optional_members_must_have_the_right_type(void **state)
{
    struct cJSON *tree = parse("{\"o\":{},\"z\":0}");
    struct json root = JSON_ROOT(tree);
    struct json child = JSON_NONE, number = {tree->child->next, &root};
    struct err err = ERR_INIT;
    const char *text;
    int64_t value;
    double real;
    bool truth;

    (void)state;
    assert_false(json_opt_string(&root, "o", &text, &err));
    assert_string_equal(err.text, "o: expected a string, found an object");
    assert_false(json_opt_int(&root, "o", 0, 9, &value, &err));
    assert_string_equal(err.text, "o: expected an integer, found an object");
    assert_false(json_opt_number(&root, "o", &real, &err));
    assert_string_equal(err.text, "o: expected a number, found an object");
    assert_false(json_opt_bool(&root, "o", &truth, &err));
    assert_string_equal(err.text, "o: expected a boolean, found an object");
    assert_false(json_opt_array(&root, "o", &child, &err));
    assert_string_equal(err.text, "o: expected an array, found an object");
    assert_false(json_opt_object(&root, "z", &child, &err));
    assert_string_equal(err.text, "z: expected an object, found a number");
    assert_false(json_opt_string(&number, "x", &text, &err));
    assert_string_equal(err.text, "z: expected an object, found a number");
    assert_null(child.value);
    cJSON_Delete(tree);
}

static void null_is_not_a_required_member(void **state)
{
    struct cJSON *tree = parse("{\"s\":null}");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    const char *text;

    (void)state;
    assert_false(json_get_string(&root, "s", &text, &err));
    assert_string_equal(err.text, "s: expected a string, found null");
    cJSON_Delete(tree);
}

static void copy_replaces_the_old_text(void **state)
{
    struct cJSON *tree = parse("{\"s\":\"x\",\"none\":null,\"n\":1}");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    char *text = NULL;

    (void)state;
    assert_true(json_opt_copy(&root, "none", &text, &err));
    assert_null(text);
    assert_true(json_get_copy(&root, "s", &text, &err));
    assert_string_equal(text, "x");
    assert_true(json_opt_copy(&root, "s", &text, &err));
    assert_true(json_opt_copy(&root, "missing", &text, &err));
    assert_false(json_opt_copy(&root, "n", &text, &err));
    assert_string_equal(err.text, "n: expected a string, found a number");
    assert_false(json_get_copy(&root, "missing", &text, &err));
    assert_string_equal(err.text, "missing: missing");
    assert_string_equal(text, "x");
    free(text);
    cJSON_Delete(tree);
}

static void small_numbers_and_counts_keep_to_their_ranges(void **state)
{
    struct cJSON *tree = parse("{\"a\":7,\"b\":-1,\"c\":3000000000}");
    struct json root = JSON_ROOT(tree);
    struct err err = ERR_INIT;
    int64_t count = 5;
    int small = 5;

    (void)state;
    assert_true(json_opt_small(&root, "missing", 0, 3, &small, &err));
    assert_true(json_opt_count(&root, "missing", &count, &err));
    assert_false(json_opt_small(&root, "a", 0, 3, &small, &err));
    assert_string_equal(err.text,
                        "a: expected an integer from 0 to 3, found 7");
    assert_false(json_opt_small(&root, "c", 0, INT_MAX, &small, &err));
    assert_false(json_opt_count(&root, "b", &count, &err));
    assert_int_equal(small, 5);
    assert_int_equal(count, 5);
    assert_true(json_opt_small(&root, "b", -1, 3, &small, &err));
    assert_int_equal(small, -1);
    assert_true(json_opt_count(&root, "c", &count, &err));
    assert_true(count == INT64_C(3000000000));
    cJSON_Delete(tree);
}

static void versions_up_to_the_newest_are_accepted(void **state)
{
    static const struct {
        const char *text;
        const char *says; /* NULL: it is accepted */
    } rows[] = {
        {"{\"format\":\"f\",\"version\":1}", NULL},
        {"{\"format\":\"f\",\"version\":2}", NULL},
        {"{\"format\":\"f\",\"version\":3}",
         "version 3 is not supported; the newest known one is 2"},
        {"{\"format\":\"g\",\"version\":3}", "format: expected \"f\""},
        {"{\"format\":\"f\"}", "version: missing"},
        {"{\"version\":1}", "format: missing"},
        {"[]", "expected an object, found an array"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct cJSON *tree = parse(rows[i].text);
        struct json root = JSON_ROOT(tree);
        struct err err = ERR_INIT;

        assert_int_equal(json_check_format(&root, "f", 2, &err), !rows[i].says);
        if (rows[i].says)
            assert_string_equal(err.text, rows[i].says);
        cJSON_Delete(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_text_is_refused_with_line_and_column),
        cmocka_unit_test(truncated_text_is_refused_at_every_length),
        cmocka_unit_test(nul_bytes_do_not_end_the_text),
        cmocka_unit_test(an_escaped_backslash_before_u0000_is_text),
        cmocka_unit_test(escapes_become_utf8),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(the_count_of_values_is_bounded),
        cmocka_unit_test(the_size_is_bounded),
        cmocka_unit_test(getters_return_the_values),
        cmocka_unit_test(keys_are_case_sensitive),
        cmocka_unit_test(error_has_the_position_and_the_expected_type),
        cmocka_unit_test(integers_are_exact_or_refused),
        cmocka_unit_test(error_has_the_valid_range),
        cmocka_unit_test(a_number_must_be_finite),
        cmocka_unit_test(optional_members_may_be_missing_or_null),
        cmocka_unit_test(optional_members_must_have_the_right_type),
        cmocka_unit_test(null_is_not_a_required_member),
        cmocka_unit_test(copy_replaces_the_old_text),
        cmocka_unit_test(small_numbers_and_counts_keep_to_their_ranges),
        cmocka_unit_test(versions_up_to_the_newest_are_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
