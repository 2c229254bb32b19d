/* Services that are slow, overloaded, failing or verbose. */
#include "runner/models/models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/runner/models/models_fixture.h"

static void say(struct models_fixture *fixture, const char *text)
{
    char *body = fixture_saying("openai", text);

    fixture_answer(fixture, 200, body);
    free(body);
}

static void set_header(struct model_answer *answer, size_t i, const char *name,
                       const char *value)
{
    answer->headers[i].name = name;
    answer->headers[i].value = value;
}

static void temporary_errors_are_retried(void **state)
{
    static const unsigned statuses[] = {408, 409, 425, 429, 500,
                                        502, 503, 504, 529};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(statuses); i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, "openai", NULL);
        fixture_answer(&fixture, statuses[i],
                       "{\"error\":{\"message\":\"x\"}}");
        fixture_answer(&fixture, statuses[i], "overloaded");
        say(&fixture, "there");
        assert_true(fixture_ask(&fixture, &reply, &err));
        assert_string_equal(buf_cstr(&reply.text), "there");
        assert_int_equal(reply.tries, 3);
        assert_int_equal(fixture.clock_ops.count, 2);
        assert_true(fixture.clock_ops.waits_s[0] > 0.4);
        assert_true(fixture.clock_ops.waits_s[1] > 0.9);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void note_retry(void *context, int attempt, int attempts,
                       const char *why)
{
    buf_printf(context, "%d of %d: %s\n", attempt, attempts, why);
}

static void each_retry_is_reported(void **state)
{
    const struct model_part part = {.text = "Hello"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    struct buf notes = BUF_INIT(4096);
    const struct model_request request = {.messages = &message,
                                          .message_count = 1,
                                          .temperature = -1,
                                          .on_retry = note_retry,
                                          .retry_context = &notes};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    const char *second;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    fixture_answer(&fixture, 503, "{\"error\":{\"message\":\"busy\"}}");
    fixture_answer(&fixture, 503, "{\"error\":{\"message\":\"asleep\"}}");
    say(&fixture, "there");
    assert_true(model_ask(fixture.model, &request, deadline_in_ms(600000), NULL,
                          &reply, &err));
    assert_int_equal(strncmp(buf_cstr(&notes), "2 of ", 5), 0);
    assert_non_null(strstr(buf_cstr(&notes), "busy"));
    second = strstr(buf_cstr(&notes), "\n3 of ");
    assert_non_null(second);
    assert_non_null(strstr(second, "asleep"));
    assert_null(strstr(second + 1, "\n4 of "));
    buf_release(&notes);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

static void other_errors_are_reported_at_once(void **state)
{
    static const struct {
        unsigned status;
        const char *body;
        enum err_code code;
        const char *says;
    } cases[] = {
        {400, "{\"error\":{\"message\":\"bad image\"}}", ERR_REMOTE,
         "bad image"},
        {401, "{\"error\":{\"message\":\"wrong key\"}}", ERR_UNAUTHORIZED,
         "wrong key"},
        {403, "{}", ERR_UNAUTHORIZED, "403"},
        {404, "{\"error\":\"model 'x' not found\"}", ERR_NOT_FOUND,
         "not found"},
        {429,
         "{\"error\":{\"message\":\"You exceeded your current quota\","
         "\"code\":\"insufficient_quota\"}}",
         ERR_REMOTE, "quota"},
        {400,
         "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
         "\"message\":\"Your credit balance is too low\"}}",
         ERR_REMOTE, "credit"},
        {429,
         "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\","
         "\"message\":\"quota\",\"details\":[{\"violations\":[{\"quotaId\":"
         "\"GenerateRequestsPerDayPerProject\"}]}]}}",
         ERR_REMOTE, "quota"},
        {302, "", ERR_REMOTE, "302"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, "openai", NULL);
        fixture_answer(&fixture, cases[i].status, cases[i].body);
        assert_false(fixture_ask(&fixture, &reply, &err));
        assert_int_equal(err.code, cases[i].code);
        assert_non_null(strstr(err.text, cases[i].says));
        assert_non_null(strstr(err.text, "openai:test-1"));
        assert_int_equal(model_server_questions(fixture.server), 1);
        assert_int_equal(fixture.clock_ops.count, 0);
        fixture_stop(&fixture);
    }
}

static void retry_after_is_the_minimum_wait(void **state)
{
    static const struct {
        const char *names[3];
        const char *values[3];
        const char *body;
        double least;
    } cases[] = {
        {{"Retry-After"}, {"7"}, "{}", 7},
        {{"retry-after-ms"}, {"7500"}, "{}", 7.5},
        {{"Retry-After"}, {"Mon, 16 Nov 2026 12:00:30 GMT"}, "{}", 30},
        {{"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
         {"0", "1m30s"},
         "{}",
         90},
        {{"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens",
          "Retry-After"},
         {"0", "250ms", "3"},
         "{}",
         3},
        {{"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"},
         {"5", "6m0s"},
         "{}",
         0.4},
        {{"anthropic-ratelimit-input-tokens-remaining",
          "anthropic-ratelimit-input-tokens-reset"},
         {"0", "2026-11-16T12:00:20Z"},
         "{}",
         20},
        {{NULL},
         {NULL},
         "{\"error\":{\"code\":429,\"message\":\"check your plan and billing "
         "details\",\"details\":[{\"@type\":\"type.googleapis.com/"
         "google.rpc.RetryInfo\",\"retryDelay\":\"34s\"}]}}",
         34},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;
        struct model_answer *answer;

        fixture_start(&fixture, "openai", NULL);
        fixture.clock_ops.chance = 0.999;
        answer = fixture_answer(&fixture, 429, cases[i].body);
        for (size_t k = 0; k < 3 && cases[i].names[k]; k++)
            set_header(answer, k, cases[i].names[k], cases[i].values[k]);
        say(&fixture, "there");
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%zu: %s", i, err.text);
        if ((double)fixture.clock_ops.skipped_ns / 1e9 < cases[i].least - 0.2 ||
            (double)fixture.clock_ops.skipped_ns / 1e9 > cases[i].least + 1.1)
            fail_msg("%zu: waited %g s, not %g", i,
                     (double)fixture.clock_ops.skipped_ns / 1e9,
                     cases[i].least);
        assert_int_equal(reply.tries, 2);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void wait_beyond_the_deadline_fails_at_once(void **state)
{
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    set_header(fixture_answer(&fixture, 429, "{}"), 0, "Retry-After", "3600");
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_non_null(strstr(err.text, "3600 s"));
    assert_int_equal(fixture.clock_ops.count, 0);
    fixture_stop(&fixture);
}

static void retries_are_limited(void **state)
{
    const struct models_options options = {
        .retry = {.tries = 3, .first_ms = 100, .longest_ms = 1000}};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", &options);
    fixture_answer(&fixture, 500, "{\"error\":{\"message\":\"broken\"}}");
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_non_null(strstr(err.text, "after 3 tries"));
    assert_non_null(strstr(err.text, "broken"));
    assert_int_equal(model_server_questions(fixture.server), 3);
    fixture_stop(&fixture);
}

static void invalid_answers_are_retried(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;
        char *whole = fixture_saying("openai", "there");

        fixture_start(&fixture, "openai", NULL);
        if (kind == 0)
            fixture_answer(&fixture, 200, "<html>Bad gateway</html>");
        else if (kind == 1)
            fixture_answer(&fixture, 200, whole)->cut = 60;
        else if (kind == 2)
            fixture_answer(&fixture, 200, "{\"choices\":[]}");
        else if (kind == 3)
            fixture_answer(&fixture, 200, "")->type = "text/plain";
        else
            fixture_answer(&fixture, 200, "{\"choices\":[{\"mess");
        say(&fixture, "there");
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%d: %s", kind, err.text);
        assert_string_equal(buf_cstr(&reply.text), "there");
        assert_int_equal(reply.tries, 2);
        free(whole);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void a_huge_answer_is_bounded(void **state)
{
    static char megabyte[(1 << 20) + 1];
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    memset(megabyte, ' ', sizeof(megabyte) - 1);
    fixture_start(&fixture, "openai", NULL);
    fixture_answer(&fixture, 200, megabyte)->repeated = 1000;
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(model_server_questions(fixture.server), 1);
    fixture_stop(&fixture);
}

static void server_that_is_down_is_unreachable(void **state)
{
    const struct models_options options = {
        .retry = {.tries = 2, .first_ms = 1, .longest_ms = 1}};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    struct model *model = NULL;

    (void)state;
    fixture_start(&fixture, "openai", &options);
    fixture_answer(&fixture, 200, "{}");
    setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1", 1);
    assert_true(models_open_model(fixture.models, "openai:x", &model, &err));
    model_close(fixture.model);
    fixture.model = model;
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    fixture_stop(&fixture);
}

/* ---- time ---- */

static void stalled_request_is_retried(void **state)
{
    const struct models_options options = {.try_ms = 5000};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    struct model_answer *answer;
    char *whole = fixture_saying("openai", "there");

    (void)state;
    fixture_start(&fixture, "openai", &options);
    answer = fixture_answer(&fixture, 200, whole);
    answer->cut = 10;
    answer->stalls = true;
    say(&fixture, "there");
    assert_true(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(reply.tries, 2);
    free(whole);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

struct slow_question {
    struct models_fixture fixture;
    struct cancel cancel;
    struct deadline by;
    bool done;
    struct err err;
};

static void *ask_slowly(void *context)
{
    struct slow_question *slow = context;
    const struct model_part part = {.text = "Hello"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    struct model_reply reply = MODEL_REPLY_INIT;

    slow->done = model_ask(slow->fixture.model, &request, slow->by,
                           &slow->cancel, &reply, &slow->err);
    model_reply_release(&reply);
    return NULL;
}

static void start_slow(struct slow_question *slow, int64_t ms)
{
    struct model_answer *answer;

    slow->err = (struct err)ERR_INIT;
    assert_true(cancel_init(&slow->cancel, &slow->err));
    fixture_start(&slow->fixture, "openai", NULL);
    answer = fixture_answer(&slow->fixture, 200, "{\"choices\":[]}");
    answer->cut = 1;
    answer->stalls = true;
    slow->by = deadline_in_ms(ms);
}

static void stop_slow(struct slow_question *slow)
{
    fixture_stop(&slow->fixture);
    cancel_release(&slow->cancel);
}

static void deadline_ends_a_request(void **state)
{
    struct slow_question slow;
    int64_t start = clock_ns();

    (void)state;
    start_slow(&slow, 150);
    ask_slowly(&slow);
    assert_false(slow.done);
    assert_int_equal(slow.err.code, ERR_TIMEOUT);
    assert_true(clock_ns() - start < INT64_C(60000000000));
    stop_slow(&slow);
}

static void cancel_ends_a_request(void **state)
{
    struct slow_question slow;
    pthread_t thread;
    int64_t start;

    (void)state;
    start_slow(&slow, 600000);
    assert_int_equal(pthread_create(&thread, NULL, ask_slowly, &slow), 0);
    while (model_server_questions(slow.fixture.server) == 0)
        usleep(1000);
    start = clock_ns();
    cancel_fire(&slow.cancel);
    pthread_join(thread, NULL);
    assert_false(slow.done);
    assert_int_equal(slow.err.code, ERR_CANCELLED);
    assert_true(clock_ns() - start < INT64_C(60000000000));
    stop_slow(&slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_errors_are_retried),
        cmocka_unit_test(each_retry_is_reported),
        cmocka_unit_test(other_errors_are_reported_at_once),
        cmocka_unit_test(retry_after_is_the_minimum_wait),
        cmocka_unit_test(wait_beyond_the_deadline_fails_at_once),
        cmocka_unit_test(retries_are_limited),
        cmocka_unit_test(invalid_answers_are_retried),
        cmocka_unit_test(a_huge_answer_is_bounded),
        cmocka_unit_test(server_that_is_down_is_unreachable),
        cmocka_unit_test(stalled_request_is_retried),
        cmocka_unit_test(deadline_ends_a_request),
        cmocka_unit_test(cancel_ends_a_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
