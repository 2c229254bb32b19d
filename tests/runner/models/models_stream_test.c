/* Answers that are streamed, although no stream was requested. */
#include "runner/models/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/runner/models/models_fixture.h"

static const char *const streams[4] = {
    "data: {\"model\":\"test-1-served\",\"choices\":[{\"delta\":{"
    "\"role\":\"assistant\",\"content\":\"Hel\"}}]}\n\n"
    ": a comment\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"lo\"}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":"
    "\"c\",\"function\":{\"name\":\"tap\",\"arguments\":\"{\\\"x\\\"\"}}]}}"
    "]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,"
    "\"function\":{\"arguments\":\":1}\"}}]},\"finish_reason\":"
    "\"tool_calls\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,"
    "\"completion_tokens\":2}}\n\n"
    "data: [DONE]\n\n",
    "event: response.created\ndata: {\"type\":\"response.created\"}\n\n"
    "event: response.output_text.delta\ndata: {\"type\":"
    "\"response.output_text.delta\",\"delta\":\"Hel\"}\n\n"
    "event: response.completed\ndata: {\"type\":\"response.completed\","
    "\"response\":{\"model\":\"test-1-served\",\"output\":[{\"type\":"
    "\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hello\"}"
    "]},{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"tap\","
    "\"arguments\":\"{\\\"x\\\":1}\"}],\"usage\":{\"input_tokens\":5,"
    "\"output_tokens\":2}}}\n\n",
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{"
    "\"model\":\"test-1-served\",\"content\":[],\"usage\":{"
    "\"input_tokens\":5,\"output_tokens\":1}}}\n\n"
    "data: {\"type\":\"content_block_start\",\"index\":0,"
    "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
    "data: {\"type\":\"ping\"}\n\n"
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
    "\"type\":\"text_delta\",\"text\":\"Hel\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{"
    "\"type\":\"text_delta\",\"text\":\"lo\"}}\n\n"
    "data: {\"type\":\"content_block_start\",\"index\":1,"
    "\"content_block\":{\"type\":\"tool_use\",\"id\":\"c\",\"name\":"
    "\"tap\",\"input\":{}}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{"
    "\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"x\\\":\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{"
    "\"type\":\"input_json_delta\",\"partial_json\":\"1}\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
    "\"tool_use\"},\"usage\":{\"output_tokens\":2}}\n\n"
    "data: {\"type\":\"message_stop\"}\n\n",
    "data: {\"modelVersion\":\"test-1-served\",\"candidates\":[{"
    "\"content\":{\"parts\":[{\"text\":\"Hel\"}]}}]}\n\n"
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"lo\"},{"
    "\"functionCall\":{\"name\":\"tap\",\"args\":{\"x\":1}}}]},"
    "\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":5,"
    "\"candidatesTokenCount\":2}}\n\n",
};

static void streams_are_joined(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, fixture_services[i], NULL);
        fixture_answer(&fixture, 200, streams[i])->type =
            "text/event-stream; charset=utf-8";
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%s: %s", fixture_services[i], err.text);
        assert_string_equal(buf_cstr(&reply.text), "Hello");
        assert_string_equal(reply.served, "test-1-served");
        assert_int_equal(reply.call_count, 1);
        assert_string_equal(reply.calls[0].name, "tap");
        assert_non_null(strstr(reply.calls[0].json, "\"x\":1"));
        assert_int_equal(reply.usage.input_tokens, 5);
        assert_int_equal(reply.usage.output_tokens, 2);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void truncated_stream_is_retried(void **state)
{
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    char *whole;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    fixture_answer(&fixture, 200,
                   "data: {\"choices\":[{\"delta\":{\"content\":\"Cli\"}}]}"
                   "\n\n")
        ->type = "text/event-stream";
    whole = fixture_saying("openai", "whole");
    fixture_answer(&fixture, 200, whole);
    free(whole);
    assert_true(fixture_ask(&fixture, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "whole");
    assert_int_equal(reply.tries, 2);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_joined),
        cmocka_unit_test(truncated_stream_is_retried),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
