#include "tools/mcp/jsonrpc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"

static void messages_are_told_apart(void **state)
{
    static const struct {
        const char *text;
        enum jsonrpc_kind kind;
    } rows[] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", JSONRPC_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":{}}",
         JSONRPC_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
         JSONRPC_NOTIFICATION},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", JSONRPC_RESPONSE},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct jsonrpc_message message;
        enum jsonrpc_code code;
        struct err err = ERR_INIT;

        if (!jsonrpc_parse(rows[i].text, strlen(rows[i].text), &message, &code,
                           &err))
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_int_equal(message.kind, rows[i].kind);
        jsonrpc_release(&message);
    }
}

static void malformed_messages_get_the_code_of_their_error(void **state)
{
    static const struct {
        const char *text;
        enum jsonrpc_code code;
    } rows[] = {
        {"", JSONRPC_PARSE_ERROR},
        {"{", JSONRPC_PARSE_ERROR},
        {"{\"jsonrpc\":\"2.0\"} x", JSONRPC_PARSE_ERROR},
        {"[]", JSONRPC_INVALID_REQUEST},
        {"7", JSONRPC_INVALID_REQUEST},
        {"{}", JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
         JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
         JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
         JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
         JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
         JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", JSONRPC_INVALID_REQUEST},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
         JSONRPC_INVALID_PARAMS},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct jsonrpc_message message;
        enum jsonrpc_code code = JSONRPC_OK;
        struct err err = ERR_INIT;

        assert_false(jsonrpc_parse(rows[i].text, strlen(rows[i].text), &message,
                                   &code, &err));
        assert_int_equal(code, rows[i].code);
        jsonrpc_release(&message);
    }
}

static void deep_and_long_messages_are_refused(void **state)
{
    char *deep = mem_new(JSONRPC_MESSAGE_MAX + 1, 1);
    struct jsonrpc_message message;
    enum jsonrpc_code code;
    struct err err = ERR_INIT;

    (void)state;
    memset(deep, '[', JSONRPC_MESSAGE_MAX + 1);
    assert_false(jsonrpc_parse(deep, 1000, &message, &code, &err));
    jsonrpc_release(&message);
    assert_false(
        jsonrpc_parse(deep, JSONRPC_MESSAGE_MAX + 1, &message, &code, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    jsonrpc_release(&message);
    free(deep);
}

static void answers_repeat_the_id(void **state)
{
    struct cJSON *number = cJSON_CreateNumber(7);
    struct cJSON *text = cJSON_CreateString("a\"b");
    struct buf line = BUF_INIT(1024);
    struct cJSON *answer = jsonrpc_result(number, json_new_object());

    (void)state;
    json_format(answer, &line);
    assert_string_equal(buf_cstr(&line),
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
    cJSON_Delete(answer);
    buf_clear(&line);
    answer = jsonrpc_error(text, JSONRPC_BUSY, "no", NULL);
    json_format(answer, &line);
    assert_string_equal(buf_cstr(&line),
                        "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"error\":"
                        "{\"code\":-32000,\"message\":\"no\"}}");
    assert_false(jsonrpc_id_equal(number, text));
    assert_true(jsonrpc_id_equal(text, text));
    cJSON_Delete(answer);
    cJSON_Delete(number);
    cJSON_Delete(text);
    buf_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_told_apart),
        cmocka_unit_test(malformed_messages_get_the_code_of_their_error),
        cmocka_unit_test(deep_and_long_messages_are_refused),
        cmocka_unit_test(answers_repeat_the_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
