/* Services that are slow, overloaded, broken or talkative. */
#include "runner/models.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/runner/models_fixture.h"
#include "tests/support/heap.h"

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

static void passing_troubles_are_waited_out(void **state)
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
        assert_int_equal(fixture.pace.count, 2);
        assert_true(fixture.pace.waits_s[0] > 0.4);
        assert_true(fixture.pace.waits_s[1] > 0.9);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void other_troubles_are_told_at_once(void **state)
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
        assert_int_equal(fixture.pace.count, 0);
        fixture_stop(&fixture);
    }
}

static void what_the_service_wants_is_the_least(void **state)
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
        fixture.pace.chance = 0.999;
        answer = fixture_answer(&fixture, 429, cases[i].body);
        for (size_t k = 0; k < 3 && cases[i].names[k]; k++)
            set_header(answer, k, cases[i].names[k], cases[i].values[k]);
        say(&fixture, "there");
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%zu: %s", i, err.text);
        if ((double)fixture.pace.jumped_ns / 1e9 < cases[i].least - 0.2 ||
            (double)fixture.pace.jumped_ns / 1e9 > cases[i].least + 1.1)
            fail_msg("%zu: waited %g s, not %g", i,
                     (double)fixture.pace.jumped_ns / 1e9, cases[i].least);
        assert_int_equal(reply.tries, 2);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void a_wait_that_is_too_long_is_not_begun(void **state)
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
    assert_int_equal(fixture.pace.count, 0);
    fixture_stop(&fixture);
}

static void it_gives_up_after_so_many_tries(void **state)
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

static void bad_answers_are_asked_for_again(void **state)
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

static void nobody_at_home_is_unreachable(void **state)
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
    assert_true(models_get(fixture.models, "openai:x", &model, &err));
    model_close(fixture.model);
    fixture.model = model;
    assert_false(fixture_ask(&fixture, &reply, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    fixture_stop(&fixture);
}

/* ---- time ---- */

static void a_try_that_stalls_is_tried_again(void **state)
{
    const struct models_options options = {.try_ms = 100};
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

static void the_deadline_ends_a_question(void **state)
{
    struct slow_question slow;
    int64_t start = clock_ns();

    (void)state;
    start_slow(&slow, 150);
    ask_slowly(&slow);
    assert_false(slow.done);
    assert_int_equal(slow.err.code, ERR_TIMEOUT);
    assert_true(clock_ns() - start < 2000000000);
    stop_slow(&slow);
}

static void cancelling_wakes_a_question(void **state)
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
    assert_true(clock_ns() - start < 1000000000);
    stop_slow(&slow);
}

/* ---- connections and memory ---- */

static void connections_are_used_again(void **state)
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

/* ---- many at once ---- */

struct crowd {
    pthread_mutex_t lock;
    int inside;
    int most;
    int refused;
};

static void answer_crowd(void *context, const struct model_question *question,
                         struct model_answer *answer)
{
    struct crowd *crowd = context;
    bool refuse;

    (void)question;
    pthread_mutex_lock(&crowd->lock);
    crowd->inside++;
    if (crowd->inside > crowd->most)
        crowd->most = crowd->inside;
    refuse = crowd->inside > 4;
    crowd->refused += refuse;
    pthread_mutex_unlock(&crowd->lock);
    usleep(5000);
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

/* A service that takes four at once, asked by sixteen. */
static void it_learns_how_many_may_ask_at_once(void **state)
{
    struct crowd crowd = {.lock = PTHREAD_MUTEX_INITIALIZER};
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
    assert_true(models_get(models, "openai:test", &model, &err));
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
    assert_true(crowd.refused < 80); /* of 160; without learning, more */
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

static void equal_questions_are_answered_from_the_cache(void **state)
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
    /* Only what was asked is paid. */
    assert_int_equal(spending_sum(&fixture.spending).input_tokens, 300);
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

static void errors_are_never_remembered(void **state)
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

static void no_file_and_no_message_has_the_key(void **state)
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

static void spending_has_limits(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passing_troubles_are_waited_out),
        cmocka_unit_test(other_troubles_are_told_at_once),
        cmocka_unit_test(what_the_service_wants_is_the_least),
        cmocka_unit_test(a_wait_that_is_too_long_is_not_begun),
        cmocka_unit_test(it_gives_up_after_so_many_tries),
        cmocka_unit_test(bad_answers_are_asked_for_again),
        cmocka_unit_test(a_huge_answer_is_bounded),
        cmocka_unit_test(nobody_at_home_is_unreachable),
        cmocka_unit_test(a_try_that_stalls_is_tried_again),
        cmocka_unit_test(the_deadline_ends_a_question),
        cmocka_unit_test(cancelling_wakes_a_question),
        cmocka_unit_test(connections_are_used_again),
        cmocka_unit_test(a_request_is_written_without_copying_its_pictures),
        cmocka_unit_test(it_learns_how_many_may_ask_at_once),
        cmocka_unit_test(equal_questions_are_answered_from_the_cache),
        cmocka_unit_test(errors_are_never_remembered),
        cmocka_unit_test(no_file_and_no_message_has_the_key),
        cmocka_unit_test(spending_has_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
