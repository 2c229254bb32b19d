#include "base/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static void unknown_usage_adds_nothing(void **state)
{
    struct model_usage sum = MODEL_USAGE_UNKNOWN;
    const struct model_usage unknown = MODEL_USAGE_UNKNOWN;
    const struct model_usage known = {.input_tokens = 10,
                                      .output_tokens = 2,
                                      .cached_tokens = -1,
                                      .cost = 0.5};

    (void)state;
    model_usage_add(&sum, &unknown);
    assert_int_equal(sum.input_tokens, -1);
    assert_true(sum.cost < 0);
    model_usage_add(&sum, &known);
    model_usage_add(&sum, &unknown);
    model_usage_add(&sum, &known);
    assert_int_equal(sum.input_tokens, 20);
    assert_int_equal(sum.output_tokens, 4);
    assert_int_equal(sum.cached_tokens, -1);
    assert_true(sum.cost == 1.0);
}

static void tool_calls_follow_the_text(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;
    struct buf text = BUF_INIT(1024);

    (void)state;
    buf_text(&reply.text, "I tap it.");
    assert_true(model_reply_call(&reply, "1", "tap", "{\"x\":1}"));
    assert_true(model_reply_call(&reply, "2", "tap", "{\"x\":2}"));
    model_reply_transcript(&reply, &text);
    assert_string_equal(buf_cstr(&text),
                        "I tap it.\n<tool_call>\n[{\"x\":1},\n{\"x\":2}]\n"
                        "</tool_call>");
    buf_release(&text);
    model_reply_release(&reply);
    assert_int_equal(reply.call_count, 0);
}

static void tool_calls_are_bounded(void **state)
{
    struct model_reply reply = MODEL_REPLY_INIT;

    (void)state;
    for (int i = 0; i < MODEL_CALLS_MAX; i++)
        assert_true(model_reply_call(&reply, "", "tap", "{}"));
    assert_false(model_reply_call(&reply, "", "tap", "{}"));
    model_reply_release(&reply);
}

static bool say_too_much(struct model *model,
                         const struct model_request *request,
                         struct deadline by, const struct cancel *cancel,
                         struct model_reply *reply, struct err *err)
{
    static const char more[4096];

    (void)model, (void)request, (void)by, (void)cancel, (void)err;
    for (size_t i = 0; i <= MODEL_TEXT_MAX / sizeof(more); i++)
        buf_append(&reply->text, more, sizeof(more));
    return true;
}

static void reply_that_is_too_long_leaves_the_old_one(void **state)
{
    static const struct model_ops ops = {.ask = say_too_much};
    struct model model = {.ops = &ops, .name = "chatty"};
    const struct model_request request = {.messages = NULL};
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    buf_text(&reply.text, "before");
    assert_false(
        model_ask(&model, &request, DEADLINE_NEVER, NULL, &reply, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "chatty: a reply that is too long");
    assert_string_equal(buf_cstr(&reply.text), "before");
    model_reply_release(&reply);
}

static void every_finish_reason_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < MODEL_FINISHES; i++)
        assert_non_null(model_finish_name((enum model_finish)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_usage_adds_nothing),
        cmocka_unit_test(tool_calls_follow_the_text),
        cmocka_unit_test(tool_calls_are_bounded),
        cmocka_unit_test(reply_that_is_too_long_leaves_the_old_one),
        cmocka_unit_test(every_finish_reason_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
