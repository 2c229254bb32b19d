#include "tests/runner/models/models_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

const char *const fixture_services[4] = {"openai", "responses", "anthropic",
                                         "gemini"};

static void answer(void *context, const struct model_question *question,
                   struct model_answer *answer)
{
    struct models_fixture *fixture = context;
    static const char *const headers[] = {"Authorization", "x-api-key",
                                          "x-goog-api-key"};
    size_t i = (size_t)question->number;

    pthread_mutex_lock(&fixture->lock);
    buf_clear(&fixture->asked);
    buf_append(&fixture->asked, question->body, question->size);
    snprintf(fixture->path, sizeof(fixture->path), "%s", question->path);
    fixture->key_header[0] = '\0';
    for (size_t k = 0; k < 3; k++) {
        const char *value = model_question_header(question, headers[k]);

        if (value)
            snprintf(fixture->key_header, sizeof(fixture->key_header), "%s: %s",
                     headers[k], value);
    }
    fixture->expected = model_question_header(question, "Expect") != NULL;
    pthread_mutex_unlock(&fixture->lock);
    if (i >= fixture->answer_count)
        i = fixture->answer_count - 1;
    *answer = fixture->answers[i];
    answer->body = mem_dup(fixture->answers[i].body);
}

static void name_server(const struct models_fixture *fixture)
{
    static const char *const variables[] = {"OPENAI", "ANTHROPIC", "GEMINI"};

    for (size_t i = 0; i < 3; i++) {
        char name[32];
        char url[64];

        snprintf(name, sizeof(name), "%s_BASE_URL", variables[i]);
        snprintf(url, sizeof(url), "http://127.0.0.1:%u%s",
                 model_server_port(fixture->server), i == 0 ? "/v1" : "");
        setenv(name, url, 1);
        snprintf(name, sizeof(name), "%s_API_KEY", variables[i]);
        setenv(name, TEST_KEY, 1);
    }
}

void fixture_start(struct models_fixture *fixture, const char *service,
                   const struct models_options *options)
{
    struct models_options all = {.cache = NULL};
    struct err err = ERR_INIT;
    char name[64];

    *fixture = (struct models_fixture){.asked = BUF_INIT((size_t)64 << 20)};
    pthread_mutex_init(&fixture->lock, NULL);
    fake_clock_init(&fixture->clock_ops);
    spending_init(&fixture->spending, -1, -1);
    snprintf(fixture->folder, sizeof(fixture->folder),
             "/tmp/models_test.XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->cache, sizeof(fixture->cache), "%s/cache.db",
             fixture->folder);
    fixture->server = model_server_start(answer, fixture);
    name_server(fixture);
    if (options)
        all = *options;
    if (all.cache)
        all.cache = fixture->cache;
    all.clock_ops = &fixture->clock_ops.clock_ops;
    all.spending = &fixture->spending;
    snprintf(name, sizeof(name), "%s:test-1", service);
    assert_true(models_open(&all, &fixture->models, &err));
    assert_true(
        models_open_model(fixture->models, name, &fixture->model, &err));
}

void fixture_stop(struct models_fixture *fixture)
{
    char path[128];

    model_close(fixture->model);
    models_close(fixture->models);
    model_server_stop(fixture->server);
    for (size_t i = 0; i < fixture->answer_count; i++)
        free(fixture->answers[i].body);
    buf_release(&fixture->asked);
    spending_release(&fixture->spending);
    unlink(fixture->cache);
    snprintf(path, sizeof(path), "%s-wal", fixture->cache);
    unlink(path);
    snprintf(path, sizeof(path), "%s-shm", fixture->cache);
    unlink(path);
    rmdir(fixture->folder);
}

struct model_answer *fixture_answer(struct models_fixture *fixture,
                                    unsigned status, const char *body)
{
    struct model_answer *added = &fixture->answers[fixture->answer_count++];

    assert_true(fixture->answer_count <= ANSWERS_MAX);
    *added = (struct model_answer){.status = status, .body = mem_dup(body)};
    return added;
}

bool fixture_ask(struct models_fixture *fixture, struct model_reply *reply,
                 struct err *err)
{
    const struct model_part part = {.text = "Hello"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};

    return model_ask(fixture->model, &request, deadline_in_ms(600000), NULL,
                     reply, err);
}

char *fixture_saying(const char *service, const char *text)
{
    static const char *const forms[4] = {
        "{\"model\":\"test-1-served\",\"choices\":[{\"message\":{\"role\":"
        "\"assistant\",\"content\":\"%s\"},\"finish_reason\":\"stop\"}],"
        "\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":7,"
        "\"prompt_tokens_details\":{\"cached_tokens\":40}}}",
        "{\"model\":\"test-1-served\",\"status\":\"completed\",\"output\":[{"
        "\"type\":\"reasoning\",\"summary\":[]},{\"type\":\"message\","
        "\"content\":[{\"type\":\"output_text\",\"text\":\"%s\"}]}],\"usage\":"
        "{\"input_tokens\":100,\"output_tokens\":7,\"input_tokens_details\":{"
        "\"cached_tokens\":40}}}",
        "{\"type\":\"message\",\"model\":\"test-1-served\",\"content\":[{"
        "\"type\":\"text\",\"text\":\"%s\"}],\"stop_reason\":\"end_turn\","
        "\"usage\":{\"input_tokens\":50,\"cache_read_input_tokens\":40,"
        "\"cache_creation_input_tokens\":10,\"output_tokens\":7}}",
        "{\"modelVersion\":\"test-1-served\",\"candidates\":[{\"content\":{"
        "\"role\":\"model\",\"parts\":[{\"text\":\"I think\",\"thought\":true},"
        "{\"text\":\"%s\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{"
        "\"promptTokenCount\":100,\"candidatesTokenCount\":4,"
        "\"thoughtsTokenCount\":3,\"cachedContentTokenCount\":40}}",
    };
    char *body = NULL;

    for (size_t i = 0; i < 4; i++) {
        if (!strcmp(service, fixture_services[i])) {
            size_t size = strlen(forms[i]) + strlen(text) + 1;

            body = mem_new(size, 1);
            snprintf(body, size, "%.*s%s%s",
                     (int)(strstr(forms[i], "%s") - forms[i]), forms[i], text,
                     strstr(forms[i], "%s") + 2);
        }
    }
    assert_non_null(body);
    return body;
}
