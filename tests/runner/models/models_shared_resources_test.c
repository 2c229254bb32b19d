/* Resources that requests share: connections, limits, the cache, keys. */
#include "runner/models/models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/runner/models/models_fixture.h"
#include "tests/support/heap.h"

static void say(struct models_fixture *fixture, const char *text)
{
    char *body = fixture_saying("openai", text);

    fixture_answer(fixture, 200, body);
    free(body);
}

/* ---- connections and memory ---- */

static void connections_are_reused(void **state)
{
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    fixture_answer(&fixture, 500, "{}");
    say(&fixture, "there");
    for (int i = 0; i < 10; i++)
        assert_true(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(model_server_questions(fixture.server), 11);
    assert_int_equal(model_server_connections(fixture.server), 1);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

struct heap_watch {
    size_t most;
    bool over;
};

static void *watch_heap(void *context)
{
    struct heap_watch *watch = context;

    while (!__atomic_load_n(&watch->over, __ATOMIC_ACQUIRE)) {
        size_t now = heap_in_use();

        watch->most = now > watch->most ? now : watch->most;
    }
    return NULL;
}

static void a_request_is_written_without_copying_its_pictures(void **state)
{
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    struct cJSON *shown = NULL;
    uint8_t *picture = mem_new(PICTURE_SIZE, 1);
    const struct model_part part = {.image = picture,
                                    .image_size = PICTURE_SIZE,
                                    .image_type = "image/png"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    struct heap_watch watch = {.most = 0};
    size_t before;
    pthread_t thread;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    fixture_answer(&fixture, 200, "{}");
    before = heap_in_use();
    assert_int_equal(pthread_create(&thread, NULL, watch_heap, &watch), 0);
    for (int i = 0; i < 20; i++) {
        assert_true(models_show(fixture.model, &request, &shown, &err));
        cJSON_Delete(shown);
    }
    __atomic_store_n(&watch.over, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    assert_true(watch.most < before + PICTURE_SIZE / 10);
    model_reply_release(&reply);
    free(picture);
    fixture_stop(&fixture);
}

/* ---- parallel requests ---- */

struct crowd {
    pthread_mutex_t lock;
    pthread_cond_t full; /* a request was refused */
    int inside;
    int most;
    int refused;
};

/* The first requests wait until there is one too many. */
static void answer_crowd(void *context, const struct model_question *question,
                         struct model_answer *answer)
{
    struct crowd *crowd = context;
    struct timespec timeout;
    bool refuse;

    (void)question;
    clock_gettime(CLOCK_REALTIME, &timeout);
    timeout.tv_sec += 60;
    pthread_mutex_lock(&crowd->lock);
    crowd->inside++;
    if (crowd->inside > crowd->most)
        crowd->most = crowd->inside;
    refuse = crowd->inside > 4;
    crowd->refused += refuse;
    if (refuse)
        pthread_cond_broadcast(&crowd->full);
    while (!crowd->refused &&
           !pthread_cond_timedwait(&crowd->full, &crowd->lock, &timeout))
        continue;
    pthread_mutex_unlock(&crowd->lock);
    usleep(
        5000); /* so that calls beyond the limit would overlap with this one */
    pthread_mutex_lock(&crowd->lock);
    crowd->inside--;
    pthread_mutex_unlock(&crowd->lock);
    answer->status = refuse ? 429 : 200;
    answer->body = refuse ? mem_dup("{}") : fixture_saying("openai", "there");
}

static void *ask_in_crowd(void *context)
{
    struct model *model = context;
    const struct model_part part = {.text = "Hello"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};

    for (int i = 0; i < 10; i++) {
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;
        bool done = model_ask(model, &request, deadline_in_ms(600000), NULL,
                              &reply, &err);

        model_reply_release(&reply);
        if (!done)
            return mem_dup(err.text);
    }
    return NULL;
}

/* A service that accepts four parallel requests, used by sixteen threads. */
static void number_of_parallel_requests_is_learned(void **state)
{
    struct crowd crowd = {.lock = PTHREAD_MUTEX_INITIALIZER,
                          .full = PTHREAD_COND_INITIALIZER};
    struct model_server *server = model_server_start(answer_crowd, &crowd);
    struct models_options options = {
        .retry = {.tries = 30, .first_ms = 5, .longest_ms = 20}};
    struct models *models = NULL;
    struct model *model = NULL;
    struct err err = ERR_INIT;
    pthread_t threads[16];
    char url[64];

    (void)state;
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/v1",
             model_server_port(server));
    setenv("OPENAI_BASE_URL", url, 1);
    setenv("OPENAI_API_KEY", TEST_KEY, 1);
    assert_true(models_open(&options, &models, &err));
    assert_true(models_open_model(models, "openai:test", &model, &err));
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_in_crowd, model),
                         0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *failure = NULL;

        pthread_join(threads[i], &failure);
        if (failure)
            fail_msg("%s", (char *)failure);
    }
    assert_true(crowd.refused > 0);
    assert_true(crowd.refused < 80); /* of 160; more without learning */
    model_close(model);
    models_close(models);
    model_server_stop(server);
}

/* ---- the cache ---- */

static bool ask_repeat(struct models_fixture *fixture, const char *text,
                       unsigned repeat, struct model_reply *reply,
                       struct err *err)
{
    const struct model_part part = {.text = text};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {.messages = &message,
                                          .message_count = 1,
                                          .temperature = -1,
                                          .repeat = repeat};

    return model_ask(fixture->model, &request, deadline_in_ms(60000), NULL,
                     reply, err);
}

static void equal_requests_are_answered_from_the_cache(void **state)
{
    const struct models_options options = {.cache = "yes"};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", &options);
    say(&fixture, "one");
    say(&fixture, "two");
    say(&fixture, "three");
    assert_true(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "one");
    assert_true(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "one");
    assert_int_equal(reply.tries, 0);
    assert_int_equal(reply.usage.input_tokens, 100);
    assert_true(ask_repeat(&fixture, "a", 1, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "two");
    assert_true(ask_repeat(&fixture, "b", 0, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "three");
    assert_true(ask_repeat(&fixture, "a", 1, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "two");
    assert_int_equal(model_server_questions(fixture.server), 3);
    /* Only real requests are paid. */
    assert_int_equal(spending_sum(&fixture.spending).input_tokens, 300);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

static void errors_are_not_cached(void **state)
{
    const struct models_options options = {
        .cache = "yes", .retry = {.tries = 1, .first_ms = 1, .longest_ms = 1}};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", &options);
    fixture_answer(&fixture, 500, "{}");
    fixture_answer(&fixture, 200, "garbage");
    fixture_answer(&fixture, 400,
                   "{\"error\":{\"code\":\"context_length_exceeded\"}}");
    say(&fixture, "there");
    assert_false(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_false(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_true(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_int_equal(reply.finish, MODEL_OVERFLOW);
    assert_true(ask_repeat(&fixture, "a", 0, &reply, &err));
    assert_string_equal(buf_cstr(&reply.text), "there");
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

/* ---- keys ---- */

static void key_is_in_no_file_and_no_message(void **state)
{
    struct models_options options = {
        .cache = "yes", .retry = {.tries = 1, .first_ms = 1, .longest_ms = 1}};
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;
    struct log log;
    FILE *trace = tmpfile();
    char traced[4096];
    char *body = fixture_saying("openai", "your key is " TEST_KEY "!");
    static const char *const ends[] = {"", "-wal"};

    (void)state;
    assert_non_null(trace);
    assert_true(log_init(&log, trace, "all", &err));
    options.log = &log;
    fixture_start(&fixture, "openai", &options);
    fixture_answer(&fixture, 401,
                   "{\"error\":{\"message\":\"no such key: " TEST_KEY "\"}}");
    fixture_answer(&fixture, 200, body);
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_null(strstr(err.text, TEST_KEY));
    assert_non_null(strstr(err.text, "no such key: ****"));
    assert_true(fixture_ask(&fixture, &reply, &err));
    assert_null(strstr(buf_cstr(&reply.text), TEST_KEY));
    assert_null(strstr(buf_cstr(&reply.raw), TEST_KEY));
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        struct buf file = BUF_INIT((size_t)16 << 20);
        char path[128];

        snprintf(path, sizeof(path), "%s%s", fixture.cache, ends[i]);
        assert_true(file_load(path, &file, &err));
        assert_null(
            memmem(buf_cstr(&file), file.length, TEST_KEY, strlen(TEST_KEY)));
        buf_release(&file);
    }
    rewind(trace);
    traced[fread(traced, 1, sizeof(traced) - 1, trace)] = '\0';
    assert_non_null(strstr(traced, "openai:test-1"));
    assert_null(strstr(traced, TEST_KEY));
    fclose(trace);
    free(body);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

/* "sk-test-7Qw9zK3mXb5vLp2R" in two halves. */
#define KEY_FIRST "sk-test-7Qw9"
#define KEY_LAST "zK3mXb5vLp2R"

static const struct {
    const char *service;
    const char *type;
    const char *body;
} leaks[] = {
    {"openai", NULL,
     "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":"
     "\"\\u0073k-test-7Qw9zK3m\\u0058b5vLp2R\"}}]}"},
    {"openai", NULL,
     "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":"
     "\"" KEY_FIRST "\\u200b" KEY_LAST "\"}}]}"},
    {"openai", NULL,
     "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":"
     "\"" KEY_FIRST "\xe2\x80\x8b" KEY_LAST "\"}}]}"},
    {"openai", "text/event-stream",
     "data: {\"choices\":[{\"delta\":{\"content\":\"" KEY_FIRST "\"}}]}\n\n"
     "data: {\"choices\":[{\"delta\":{\"content\":\"" KEY_LAST "\"},"
     "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"},
    {"anthropic", NULL,
     "{\"stop_reason\":\"end_turn\",\"content\":["
     "{\"type\":\"text\",\"text\":\"" KEY_FIRST "\"},"
     "{\"type\":\"text\",\"text\":\"" KEY_LAST "\"}]}"},
};

/* Also with invisible characters in between. */
static void assert_no_half(const struct buf *text)
{
    const char *first =
        memmem(buf_cstr(text), text->length, KEY_FIRST, strlen(KEY_FIRST));

    assert_true(!first ||
                !memmem(first, text->length - (size_t)(first - buf_cstr(text)),
                        KEY_LAST, strlen(KEY_LAST)));
}

static void key_in_another_spelling_is_not_stored(void **state)
{
    const struct models_options options = {
        .cache = "yes", .retry = {.tries = 1, .first_ms = 1, .longest_ms = 1}};
    static const char *const ends[] = {"", "-wal"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(leaks); i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, leaks[i].service, &options);
        fixture_answer(&fixture, 200, leaks[i].body)->type = leaks[i].type;
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%s", err.text);
        assert_true(reply.text.length > 0);
        assert_no_half(&reply.text);
        for (size_t j = 0; j < ARRAY_LEN(ends); j++) {
            struct buf file = BUF_INIT((size_t)16 << 20);
            char path[128];

            snprintf(path, sizeof(path), "%s%s", fixture.cache, ends[j]);
            assert_true(file_load(path, &file, &err));
            assert_no_half(&file);
            buf_release(&file);
        }
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void cost_and_token_limits_are_kept(void **state)
{
    const struct model_usage usage = {.input_tokens = 900,
                                      .output_tokens = 100,
                                      .cached_tokens = -1,
                                      .cost = 0.25};
    struct spending spending;
    struct err err = ERR_INIT;

    (void)state;
    spending_init(&spending, 0.5, 5000);
    assert_true(spending_allows(&spending, &err));
    spending_charge(&spending, &usage);
    assert_true(spending_allows(&spending, &err));
    spending_charge(&spending, &usage);
    assert_false(spending_allows(&spending, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "--max-cost"));
    spending_release(&spending);
    spending_init(&spending, -1, 1000);
    spending_charge(&spending, &usage);
    assert_false(spending_allows(&spending, &err));
    assert_non_null(strstr(err.text, "--max-tokens"));
    spending_release(&spending);
}

static void limit_that_cannot_be_counted_is_an_error(void **state)
{
    const struct model_usage no_usage = MODEL_USAGE_UNKNOWN;
    const struct model_usage no_price = {
        .input_tokens = 9, .output_tokens = 1, .cost = -1};
    struct spending spending;
    struct err err = ERR_INIT;

    (void)state;
    spending_init(&spending, -1, -1);
    spending_charge(&spending, &no_usage);
    assert_true(spending_allows(&spending, &err));
    spending_release(&spending);
    spending_init(&spending, -1, 1000);
    spending_charge(&spending, &no_price);
    assert_true(spending_allows(&spending, &err));
    spending_charge(&spending, &no_usage);
    assert_false(spending_allows(&spending, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "--max-tokens cannot be kept"));
    spending_release(&spending);
    spending_init(&spending, 5, -1);
    spending_charge(&spending, &no_price);
    assert_false(spending_allows(&spending, &err));
    assert_non_null(strstr(err.text, "--max-cost cannot be kept"));
    spending_release(&spending);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_are_reused),
        cmocka_unit_test(a_request_is_written_without_copying_its_pictures),
        cmocka_unit_test(number_of_parallel_requests_is_learned),
        cmocka_unit_test(equal_requests_are_answered_from_the_cache),
        cmocka_unit_test(errors_are_not_cached),
        cmocka_unit_test(key_is_in_no_file_and_no_message),
        cmocka_unit_test(key_in_another_spelling_is_not_stored),
        cmocka_unit_test(cost_and_token_limits_are_kept),
        cmocka_unit_test(limit_that_cannot_be_counted_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
