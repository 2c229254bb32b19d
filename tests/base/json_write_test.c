#include "base/json_write.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

/* Check the formatted text of tree, and free the tree. */
static void assert_becomes(struct cJSON *tree, const char *expected)
{
    struct buf text = BUF_INIT(4096);

    json_format(tree, &text);
    assert_string_equal(buf_cstr(&text), expected);
    buf_release(&text);
    cJSON_Delete(tree);
}

static void a_tree_becomes_one_line(void **state)
{
    struct cJSON *root = json_new_object();
    struct cJSON *list = json_add_array(root, "list");

    (void)state;
    json_add_string(json_add_object(list, NULL), "serial", "emulator-5554");
    json_add_int(list, NULL, 2);
    json_add_bool(list, NULL, false);
    json_add_null(root, "none");
    json_add_number(root, "ms", 1.5);
    assert_becomes(root, "{\"list\":[{\"serial\":\"emulator-5554\"},2,false],"
                         "\"none\":null,\"ms\":1.5}");
}

static void every_int64_is_written_exactly(void **state)
{
    struct cJSON *list = json_new_array();

    (void)state;
    json_add_int(list, NULL, INT64_MIN);
    json_add_int(list, NULL, INT64_MAX);
    json_add_int(list, NULL, 1000000000000000);
    json_add_int(list, NULL, 0);
    assert_becomes(list, "[-9223372036854775808,9223372036854775807,"
                         "1000000000000000,0]");
}

static void quotes_and_control_characters_are_escaped(void **state)
{
    struct cJSON *list = json_new_array();

    (void)state;
    json_add_string(list, NULL, "\"\\/\b\f\n\r\t\x01\x1b[0m");
    assert_becomes(list, "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001b[0m\"]");
}

static void text_that_is_not_utf8_is_repaired(void **state)
{
    struct cJSON *object = json_new_object();

    (void)state;
    json_add_string(object, "\xff", "\xe4\xb8\xad\xe4");
    json_add_string(object, "", "");
    assert_becomes(object, "{\"\xef\xbf\xbd\":\"\xe4\xb8\xad\xef\xbf\xbd\","
                           "\"\":\"\"}");
}

static void numbers_that_are_not_finite_become_null(void **state)
{
    struct cJSON *list = json_new_array();

    (void)state;
    json_add_number(list, NULL, (double)INFINITY);
    json_add_number(list, NULL, (double)NAN);
    assert_becomes(list, "[null,null]");
}

static void written_text_can_be_parsed(void **state)
{
    struct cJSON *list = json_new_array();
    struct cJSON *again = NULL;
    struct buf text = BUF_INIT(4096);
    struct err err = ERR_INIT;
    char all[256];

    (void)state;
    for (int i = 1; i < 256; i++)
        all[i - 1] = (char)i;
    all[255] = '\0';
    json_add_string(list, NULL, all);
    json_format(list, &text);
    assert_true(json_parse(text.data, text.length, &again, &err));
    assert_string_equal(again->child->valuestring, list->child->valuestring);
    assert_memory_equal(again->child->valuestring, all, 127);
    cJSON_Delete(again);
    cJSON_Delete(list);
    buf_release(&text);
}

static void control_characters_are_escaped(void **state)
{
    struct cJSON *object = json_new_object();
    struct buf text = BUF_INIT(200);

    (void)state;
    json_add_string(object, "a\x1b",
                    "\x7f\xc2\x9b"
                    "1m\u202E\u2066手\u00A0");
    json_format(object, &text);
    assert_string_equal(buf_cstr(&text),
                        "{\"a\\u001b\":\"\\u007f\\u009b1m\\u202e"
                        "\\u2066手\u00A0\"}");
    buf_release(&text);
    cJSON_Delete(object);
}

static void printing_ends_the_line(void **state)
{
    struct cJSON *list = json_new_array();
    struct err err = ERR_INIT;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    assert_non_null(out);
    assert_true(json_print(list, out, &err));
    fclose(out);
    assert_string_equal(text, "[]\n");
    free(text);
    cJSON_Delete(list);
}

static void a_full_disk_fails_the_print(void **state)
{
    struct cJSON *list = json_new_array();
    struct err err = ERR_INIT;
    FILE *out = fopen("/dev/full", "w");

    (void)state;
    if (!out)
        skip();
    setbuf(out, NULL);
    assert_false(json_print(list, out, &err));
    assert_int_equal(err.code, ERR_NO_SPACE);
    fclose(out);
    cJSON_Delete(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_becomes_one_line),
        cmocka_unit_test(every_int64_is_written_exactly),
        cmocka_unit_test(quotes_and_control_characters_are_escaped),
        cmocka_unit_test(text_that_is_not_utf8_is_repaired),
        cmocka_unit_test(numbers_that_are_not_finite_become_null),
        cmocka_unit_test(written_text_can_be_parsed),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(printing_ends_the_line),
        cmocka_unit_test(a_full_disk_fails_the_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
