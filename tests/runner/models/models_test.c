/* Requests to services, and the meaning of their answers. */
#include "runner/models/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/models/api.h"
#include "tests/runner/models/models_fixture.h"

static void say(struct models_fixture *fixture, const char *service,
                const char *text)
{
    char *body = fixture_saying(service, text);

    fixture_answer(fixture, 200, body);
    free(body);
}

static void each_service_gets_its_path_and_key(void **state)
{
    static const char *const paths[4] = {
        "/v1/chat/completions", "/v1/responses", "/v1/messages",
        "/v1beta/models/test-1:generateContent"};
    static const char *const keys[4] = {
        "Authorization: Bearer " TEST_KEY, "Authorization: Bearer " TEST_KEY,
        "x-api-key: " TEST_KEY, "x-goog-api-key: " TEST_KEY};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, fixture_services[i], NULL);
        say(&fixture, fixture_services[i], "Hi \\\"there\\\" \\u4f60");
        assert_true(fixture_ask(&fixture, &reply, &err));
        assert_string_equal(buf_cstr(&reply.text), "Hi \"there\" 你");
        assert_string_equal(fixture.path, paths[i]);
        assert_string_equal(fixture.key_header, keys[i]);
        assert_false(fixture.expected);
        assert_string_equal(reply.served, "test-1-served");
        assert_int_equal(reply.finish, MODEL_FINISHED);
        assert_int_equal(reply.tries, 1);
        assert_int_equal(reply.usage.input_tokens, 100);
        assert_int_equal(reply.usage.cached_tokens, 40);
        assert_int_equal(reply.usage.output_tokens, 7);
        assert_true(reply.usage.cost < 0); /* its price is not known */
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

/* Find base64 data in a request, wherever the service has it. */
static const struct cJSON *find_base64(const struct cJSON *value)
{
    const struct cJSON *child;

    if (cJSON_IsString(value) && strlen(value->valuestring) > 1000000)
        return value;
    cJSON_ArrayForEach(child, value)
    {
        const struct cJSON *found = find_base64(child);

        if (found)
            return found;
    }
    return NULL;
}

static void pictures_arrive_unchanged(void **state)
{
    uint8_t *picture = mem_new(PICTURE_SIZE, 1);
    char *letters = mem_new(base64_size(PICTURE_SIZE) + 1, 1);
    const struct model_part parts[] = {
        {.text = "What is \"this\"?\n\x01\\ 屏幕 \xff"},
        {.image = picture,
         .image_size = PICTURE_SIZE,
         .image_type = "image/png"}};
    const struct model_message message = {
        .role = MODEL_USER, .parts = parts, .part_count = 2};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = 0.25};

    (void)state;
    for (size_t i = 0; i < PICTURE_SIZE; i++)
        picture[i] = (uint8_t)(i * 2654435761U >> 13);
    base64_encode(picture, PICTURE_SIZE, letters);
    for (size_t i = 0; i < 4; i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;
        struct cJSON *root = NULL;
        const char *sent;

        fixture_start(&fixture, fixture_services[i], NULL);
        say(&fixture, fixture_services[i], "A phone");
        assert_true(model_ask(fixture.model, &request, deadline_in_ms(60000),
                              NULL, &reply, &err));
        assert_true(json_parse(buf_cstr(&fixture.asked), fixture.asked.length,
                               &root, &err));
        assert_non_null(find_base64(root));
        sent = find_base64(root)->valuestring;
        if (!strncmp(sent, "data:image/png;base64,", 22))
            sent += 22;
        assert_int_equal(strlen(sent), strlen(letters));
        assert_string_equal(sent, letters);
        assert_non_null(strstr(buf_cstr(&fixture.asked),
                               "What is \\\"this\\\"?\\n\\u0001\\\\ 屏幕 "
                               "\xef\xbf\xbd"));
        assert_non_null(strstr(buf_cstr(&fixture.asked), "0.25"));
        cJSON_Delete(root);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
    free(letters);
    free(picture);
}

struct call_case {
    const char *service;
    const char *answer;
    const char *text;
    const char *id;
    const char *name;
    const char *json; /* a part of it */
    const char *raw;  /* the same of the turn */
};

static const struct call_case call_cases[] = {
    {"openai",
     "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":null,"
     "\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{"
     "\"name\":\"mobile_use\",\"arguments\":\"{\\\"action\\\":\\\"click\\\","
     "\\\"coordinate\\\":[1,2]}\"}}]},\"finish_reason\":\"tool_calls\"}]}",
     "", "c1", "mobile_use",
     "\"arguments\":{\"action\":\"click\",\"coordinate\":[1,2]}",
     "\"tool_calls\":[{\"id\":\"c1\""},
    {"responses",
     "{\"output\":[{\"type\":\"reasoning\",\"id\":\"r\"},{\"type\":"
     "\"computer_call\",\"call_id\":\"c2\",\"action\":{\"type\":\"click\","
     "\"x\":3,\"y\":4},\"pending_safety_checks\":[{\"id\":\"s\",\"code\":"
     "\"m\"}]}]}",
     "", "c2", "computer_call", "\"action\":{\"type\":\"click\"",
     "[{\"type\":\"reasoning\""},
    {"anthropic",
     "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":"
     "\"x\"},{\"type\":\"text\",\"text\":\"I tap.\"},{\"type\":\"tool_use\","
     "\"id\":\"t1\",\"name\":\"computer\",\"input\":{\"action\":\"left_click\","
     "\"coordinate\":[5,6]}}],\"stop_reason\":\"tool_use\"}",
     "I tap.", "t1", "computer", "\"coordinate\":[5,6]",
     "[{\"type\":\"thinking\""},
    {"gemini",
     "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":"
     "\"Ok\"},{\"functionCall\":{\"name\":\"click_at\",\"args\":{\"x\":7,"
     "\"y\":8}},\"thoughtSignature\":\"z\"}]},\"finishReason\":\"STOP\"}]}",
     "Ok", "", "click_at", "{\"functionCall\":{\"name\":\"click_at\"",
     "\"thoughtSignature\":\"z\""},
};

static void structured_calls_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(call_cases); i++) {
        const struct call_case *expected = &call_cases[i];
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, expected->service, NULL);
        fixture_answer(&fixture, 200, expected->answer);
        assert_true(fixture_ask(&fixture, &reply, &err));
        assert_string_equal(buf_cstr(&reply.text), expected->text);
        assert_int_equal(reply.call_count, 1);
        assert_string_equal(reply.calls[0].id, expected->id);
        assert_string_equal(reply.calls[0].name, expected->name);
        assert_non_null(strstr(reply.calls[0].json, expected->json));
        assert_non_null(strstr(buf_cstr(&reply.raw), expected->raw));
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

/* The next request's copy of the last turn, and of its result. */
static const char *const turn_parts[4][3] = {
    {"\"tool_calls\":[{\"id\":\"c1\"",
     "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"Done.\"}",
     "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,"
     "UE5H\"}}"},
    {"{\"type\":\"reasoning\",\"id\":\"r\"},{\"type\":\"computer_call\"",
     "{\"type\":\"computer_call_output\",\"call_id\":\"c2\",\"output\":{"
     "\"type\":\"computer_screenshot\",\"image_url\":\"data:image/png;base64,"
     "UE5H\"}",
     "\"acknowledged_safety_checks\":[{\"id\":\"s\",\"code\":\"m\"}]"},
    {"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\"",
     "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":[{\"type\":"
     "\"image\"",
     "\"data\":\"UE5H\""},
    {"\"thoughtSignature\":\"z\"",
     "{\"functionResponse\":{\"name\":\"click_at\",\"response\":{\"output\":"
     "\"Done.\"},\"parts\":[{\"inline_data\"",
     "\"data\":\"UE5H\""},
};

static void earlier_turns_are_sent_unchanged(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct model_reply second = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, call_cases[i].service, NULL);
        fixture_answer(&fixture, 200, call_cases[i].answer);
        assert_true(fixture_ask(&fixture, &reply, &err));
        {
            const struct model_part task = {.text = "Tap it"};
            const struct model_part result = {.image = "PNG",
                                              .image_size = 3,
                                              .image_type = "image/png",
                                              .answers = &reply.calls[0]};
            const struct model_message messages[] = {
                {.role = MODEL_USER, .parts = &task, .part_count = 1},
                {.role = MODEL_ASSISTANT, .raw = buf_cstr(&reply.raw)},
                {.role = MODEL_USER, .parts = &result, .part_count = 1},
            };
            const struct model_request request = {
                .messages = messages, .message_count = 3, .temperature = -1};

            assert_true(model_ask(fixture.model, &request,
                                  deadline_in_ms(60000), NULL, &second, &err));
        }
        for (size_t k = 0; k < 3; k++) {
            if (!strstr(buf_cstr(&fixture.asked), turn_parts[i][k]))
                fail_msg("%s: no %s in %s", call_cases[i].service,
                         turn_parts[i][k], buf_cstr(&fixture.asked));
        }
        model_reply_release(&reply);
        model_reply_release(&second);
        fixture_stop(&fixture);
    }
}

struct finish_case {
    const char *service;
    unsigned status;
    const char *answer;
    enum model_finish finish;
};

static const struct finish_case finish_cases[] = {
    {"openai", 200,
     "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"No.\"},"
     "\"finish_reason\":\"stop\"}]}",
     MODEL_REFUSED},
    {"openai", 200,
     "{\"choices\":[{\"message\":{\"content\":\"Cli\"},\"finish_reason\":"
     "\"length\"}]}",
     MODEL_CUT},
    {"openai", 200,
     "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":"
     "\"content_filter\"}]}",
     MODEL_FILTERED},
    {"openai", 200,
     "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":"
     "\"stop\"}]}",
     MODEL_EMPTY},
    {"openai", 400,
     "{\"error\":{\"message\":\"This model's maximum context length is 8192 "
     "tokens.\",\"code\":\"context_length_exceeded\"}}",
     MODEL_OVERFLOW},
    {"openai", 400,
     "{\"object\":\"error\",\"message\":\"The decoder prompt (length 9000) is "
     "longer than the maximum model length of 8192.\",\"code\":400}",
     MODEL_OVERFLOW},
    {"openai", 400,
     "{\"error\":{\"code\":400,\"message\":\"request (9000 tokens) exceeds the "
     "available context size\",\"type\":\"exceed_context_size_error\"}}",
     MODEL_OVERFLOW},
    {"openai", 400,
     "{\"error\":{\"message\":\"The response was filtered\",\"code\":"
     "\"content_filter\"}}",
     MODEL_FILTERED},
    {"responses", 200,
     "{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":"
     "\"max_output_tokens\"},\"output\":[]}",
     MODEL_CUT},
    {"responses", 200,
     "{\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"refusal\","
     "\"refusal\":\"I cannot\"}]}]}",
     MODEL_REFUSED},
    {"anthropic", 200, "{\"content\":[],\"stop_reason\":\"refusal\"}",
     MODEL_REFUSED},
    {"anthropic", 200,
     "{\"content\":[{\"type\":\"text\",\"text\":\"a\"}],\"stop_reason\":"
     "\"max_tokens\"}",
     MODEL_CUT},
    {"anthropic", 400,
     "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
     "\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}",
     MODEL_OVERFLOW},
    {"anthropic", 413,
     "{\"type\":\"error\",\"error\":{\"type\":\"request_too_large\","
     "\"message\":\"Request exceeds the maximum size\"}}",
     MODEL_OVERFLOW},
    {"gemini", 200, "{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}",
     MODEL_FILTERED},
    {"gemini", 200,
     "{\"candidates\":[{\"finishReason\":\"PROHIBITED_CONTENT\"}]}",
     MODEL_FILTERED},
    {"gemini", 400,
     "{\"error\":{\"code\":400,\"message\":\"The input token count (1200000) "
     "exceeds the maximum number of tokens allowed\",\"status\":"
     "\"INVALID_ARGUMENT\"}}",
     MODEL_OVERFLOW},
};

static void failures_of_the_model_are_replies(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(finish_cases); i++) {
        const struct finish_case *expected = &finish_cases[i];
        struct models_fixture fixture;
        struct model_reply reply = MODEL_REPLY_INIT;
        struct err err = ERR_INIT;

        fixture_start(&fixture, expected->service, NULL);
        fixture_answer(&fixture, expected->status, expected->answer);
        if (!fixture_ask(&fixture, &reply, &err))
            fail_msg("%zu: %s", i, err.text);
        assert_string_equal(model_finish_name(reply.finish),
                            model_finish_name(expected->finish));
        assert_int_equal(model_server_questions(fixture.server), 1);
        model_reply_release(&reply);
        fixture_stop(&fixture);
    }
}

static void sampling_and_extra_members_are_sent(void **state)
{
    static const char *const headers[] = {"x-test: yes", NULL};
    const struct model_part part = {.text = "Hello"};
    const struct model_part system = {.text = "Be brief"};
    const struct model_message messages[] = {
        {.role = MODEL_SYSTEM, .parts = &system, .part_count = 1},
        {.role = MODEL_USER, .parts = &part, .part_count = 1}};
    const struct model_request request = {
        .messages = messages,
        .message_count = 2,
        .max_tokens = 99,
        .temperature = 0,
        .top_p = 0.5,
        .has_seed = true,
        .seed = 7,
        .tools = "[{\"x\":1}]",
        .extra = "{\"temperature\":0.75,\"stop\":[\"a\"]}",
        .headers = headers,
    };
    struct models_fixture fixture;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    say(&fixture, "openai", "ok");
    assert_true(model_ask(fixture.model, &request, deadline_in_ms(60000), NULL,
                          &reply, &err));
    assert_string_equal(
        buf_cstr(&fixture.asked),
        "{\"model\":\"test-1\",\"messages\":[{\"role\":\"system\",\"content\":"
        "\"Be brief\"},{\"role\":\"user\",\"content\":\"Hello\"}],"
        "\"max_tokens\":99,\"seed\":7,\"top_p\":0.5,\"tools\":[{\"x\":1}],"
        "\"temperature\":0.75,\"stop\":[\"a\"]}");
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

static void each_service_has_its_names_of_sampling_options(void **state)
{
    static const struct {
        const char *service;
        bool official;
        const char *all;
        const char *fixed; /* sampling */
    } rows[] = {
        {"openai", true,
         "\"max_completion_tokens\":9,\"seed\":7,\"temperature\":0,"
         "\"top_p\":0.5}",
         "\"max_completion_tokens\":9,\"seed\":7}"},
        {"openai", false,
         "\"max_tokens\":9,\"seed\":7,\"temperature\":0,\"top_p\":0.5,"
         "\"top_k\":3}",
         "\"max_tokens\":9,\"seed\":7}"},
        {"responses", true,
         "\"max_output_tokens\":9,\"temperature\":0,\"top_p\":0.5}",
         "\"max_output_tokens\":9}"},
        {"anthropic", true,
         "\"max_tokens\":9,\"messages\":[],\"temperature\":0,"
         "\"top_p\":0.5,\"top_k\":3}",
         "\"max_tokens\":9,\"messages\":[]}"},
        {"gemini", true,
         "\"maxOutputTokens\":9,\"seed\":7,\"temperature\":0,"
         "\"topP\":0.5,\"topK\":3}}",
         "\"maxOutputTokens\":9,\"seed\":7}}"},
    };
    const struct model_request request = {
        .max_tokens = 9, .has_seed = true, .seed = 7, .top_p = 0.5, .top_k = 3};

    (void)state;
    for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
        const char *service = rows[i / 2].service;
        const char *end = i % 2 ? rows[i / 2].fixed : rows[i / 2].all;
        const struct api_model model = {"test-1", rows[i / 2].official, i % 2};
        const struct api *api = api_find(service, strlen(service));
        struct request_body body = REQUEST_BODY_INIT;
        struct err err = ERR_INIT;

        assert_true(api->write(&model, &request, &body, &err));
        assert_true(body.text.length > strlen(end));
        assert_string_equal(
            buf_cstr(&body.text) + body.text.length - strlen(end), end);
        request_body_release(&body);
    }
}

static void shown_request_has_neither_key_nor_pictures(void **state)
{
    const struct model_part part = {
        .image = "PNG", .image_size = 3, .image_type = "image/png"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    struct models_fixture fixture;
    struct cJSON *shown = NULL;
    struct err err = ERR_INIT;
    char *text;

    (void)state;
    fixture_start(&fixture, "gemini", NULL);
    assert_true(models_show(fixture.model, &request, &shown, &err));
    text = cJSON_PrintUnformatted(shown);
    assert_null(strstr(text, TEST_KEY));
    assert_null(strstr(text, "UE5H"));
    assert_non_null(strstr(text, "…3 bytes…"));
    assert_non_null(strstr(text, "x-goog-api-key: ****"));
    cJSON_free(text);
    cJSON_Delete(shown);
    fixture_answer(&fixture, 200, "{}");
    fixture_stop(&fixture);
}

static void short_key_is_not_shown(void **state)
{
    const struct model_message message = {.role = MODEL_USER};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    const struct models_options options = {.cache = NULL};
    struct models *models = NULL;
    struct model *model = NULL;
    struct cJSON *shown = NULL;
    struct err err = ERR_INIT;

    (void)state;
    setenv("OPENAI_BASE_URL", "http://Q:Z9@127.0.0.1:9/v1", 1);
    setenv("OPENAI_API_KEY", "K7", 1);
    assert_true(models_open(&options, &models, &err));
    assert_true(models_open_model(models, "openai:m", &model, &err));
    assert_true(models_show(model, &request, &shown, &err));
    models_describe(model, shown);
    assert_string_equal(
        cJSON_GetArrayItem(cJSON_GetObjectItem(shown, "headers"), 0)
            ->valuestring,
        "Authorization: Bearer ****");
    for (const struct cJSON *item = shown->child; item; item = item->next) {
        if (!strcmp(item->string, "url"))
            assert_string_equal(item->valuestring,
                                "http://****@127.0.0.1:9/v1/chat/completions");
    }
    cJSON_Delete(shown);
    model_close(model);
    models_close(models);
    unsetenv("OPENAI_BASE_URL");
    unsetenv("OPENAI_API_KEY");
}

static void a_password_of_a_url_is_not_shown_decoded_either(void **state)
{
    const struct model_part part = {.text = "<p@ss/wörd> <p%40ss/w%C3%B6rd>"};
    const struct model_message message = {
        .role = MODEL_USER, .parts = &part, .part_count = 1};
    const struct model_request request = {
        .messages = &message, .message_count = 1, .temperature = -1};
    const struct models_options options = {.cache = NULL};
    struct models *models = NULL;
    struct model *model = NULL;
    struct cJSON *shown = NULL;
    struct err err = ERR_INIT;
    char *text;

    (void)state;
    setenv("OPENAI_BASE_URL", "http://Q:p%40ss%2Fw%C3%B6rd@127.0.0.1:9/v1", 1);
    setenv("OPENAI_API_KEY", "K7", 1);
    assert_true(models_open(&options, &models, &err));
    assert_true(models_open_model(models, "openai:m", &model, &err));
    assert_true(models_show(model, &request, &shown, &err));
    text = cJSON_PrintUnformatted(shown);
    assert_non_null(strstr(text, "<**********> <****************>"));
    cJSON_free(text);
    cJSON_Delete(shown);
    model_close(model);
    models_close(models);
    unsetenv("OPENAI_BASE_URL");
    unsetenv("OPENAI_API_KEY");
}

static void names_and_addresses_are_checked(void **state)
{
    static const char *const wrong[] = {
        "gpt-4o",   "openai:",        "openai:a b",    "openai:../x",
        "claude:x", "gemini:a?key=1", "openai:a\nb: c"};
    const struct models_options options = {.cache = NULL};
    struct models *models = NULL;
    struct model *model = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(models_open(&options, &models, &err));
    setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1/", 1);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(models_open_model(models, wrong[i], &model, &err));
        assert_int_equal(err.code, ERR_INVALID);
    }
    setenv("OPENAI_BASE_URL", "ftp://127.0.0.1/", 1);
    assert_false(models_open_model(models, "openai:x", &model, &err));
    assert_int_equal(err.code, ERR_INVALID);
    unsetenv("OPENAI_BASE_URL");
    unsetenv("OPENAI_API_KEY");
    assert_false(models_open_model(models, "openai:x", &model, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, "OPENAI_API_KEY"));
    setenv("OPENAI_API_KEY", "a\nHost: b", 1);
    assert_false(models_open_model(models, "openai:x", &model, &err));
    assert_int_equal(err.code, ERR_INVALID);
    models_close(models);
}

/* vLLM, llama.cpp and Ollama need none. */
static void local_server_needs_no_key(void **state)
{
    struct models_fixture fixture;
    struct model *model = NULL;
    struct model_reply reply = MODEL_REPLY_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fixture_start(&fixture, "openai", NULL);
    say(&fixture, "openai", "ok");
    unsetenv("OPENAI_API_KEY");
    model_close(fixture.model);
    assert_true(
        models_open_model(fixture.models, "openai:llava:13b", &model, &err));
    fixture.model = model;
    assert_true(fixture_ask(&fixture, &reply, &err));
    assert_string_equal(fixture.key_header, "");
    assert_non_null(strstr(buf_cstr(&fixture.asked), "\"llava:13b\""));
    model_reply_release(&reply);
    fixture_stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_service_gets_its_path_and_key),
        cmocka_unit_test(pictures_arrive_unchanged),
        cmocka_unit_test(structured_calls_are_read),
        cmocka_unit_test(earlier_turns_are_sent_unchanged),
        cmocka_unit_test(failures_of_the_model_are_replies),
        cmocka_unit_test(sampling_and_extra_members_are_sent),
        cmocka_unit_test(each_service_has_its_names_of_sampling_options),
        cmocka_unit_test(shown_request_has_neither_key_nor_pictures),
        cmocka_unit_test(short_key_is_not_shown),
        cmocka_unit_test(a_password_of_a_url_is_not_shown_decoded_either),
        cmocka_unit_test(names_and_addresses_are_checked),
        cmocka_unit_test(local_server_needs_no_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
