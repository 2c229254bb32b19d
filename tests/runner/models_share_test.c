/* What questions share: connections, limits, the cache, the keys. */
#include "runner/models.h"

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
#include "tests/runner/models_fixture.h"
#include "tests/support/heap.h"

static void say(struct models_fixture *fixture, const char *text)
{
    char *body = fixture_saying("openai", text);

    fixture_answer(fixture, 200, body);
    free(body);
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
    pthread_cond_t full; /* somebody was refused */
    int inside;
    int most;
    int refused;
};

/* The first ones stay until there is one too many, however slowly it comes. */
static void answer_crowd(void *context, const struct model_question *question,
                         struct model_answer *answer)
{
    struct crowd *crowd = context;
    struct timespec patience;
    bool refuse;

    (void)question;
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += 60;
    pthread_mutex_lock(&crowd->lock);
    crowd->inside++;
    if (crowd->inside > crowd->most)
        crowd->most = crowd->inside;
    refuse = crowd->inside > 4;
    crowd->refused += refuse;
    if (refuse)
        pthread_cond_broadcast(&crowd->full);
    while (!crowd->refused &&
           !pthread_cond_timedwait(&crowd->full, &crowd->lock, &patience))
        continue;
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
