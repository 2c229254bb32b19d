/*
 * OpenAI's chat completions API, which vLLM, llama.cpp, Ollama and most
 * gateways support.
 */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "runner/models/api.h"

static void api_openai_put_path(const char *model, struct buf *url)
{
    (void)model;
    buf_text(url, "/chat/completions");
}

/* ---- writing ---- */

static void put_image(struct request_body *body,
                      const struct model_request *request,
                      const struct model_part *part)
{
    request_body_json(body, "{\"type\":\"image_url\",\"image_url\":{\"url\":");
    api_put_data_url(body, part);
    if (request->detail) {
        request_body_json(body, ",\"detail\":");
        request_body_string(body, request->detail);
    }
    request_body_json(body, "}}");
}

/* Tool results may only be text: pictures are moved to a user message. */
static bool is_for_user(const struct model_part *part)
{
    return !part->text || !part->answers;
}

static bool has_picture(const struct model_message *message)
{
    for (size_t i = 0; i < message->part_count; i++) {
        if (!message->parts[i].text)
            return true;
    }
    return false;
}

static void put_content(struct request_body *body,
                        const struct model_request *request,
                        const struct model_message *message)
{
    bool first = true;

    /* Every server supports the plain form. */
    if (!has_picture(message)) {
        api_put_texts(body, message, NULL, "");
        return;
    }
    request_body_json(body, "[");
    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_part *part = &message->parts[i];

        if (!is_for_user(part))
            continue;
        api_comma(body, &first);
        if (part->text) {
            request_body_json(body, "{\"type\":\"text\",\"text\":");
            request_body_string(body, part->text);
            request_body_json(body, "}");
        } else {
            put_image(body, request, part);
        }
    }
    request_body_json(body, "]");
}

static bool has_content(const struct model_message *message)
{
    for (size_t i = 0; i < message->part_count; i++) {
        if (is_for_user(&message->parts[i]))
            return true;
    }
    return false;
}

static void put_message(struct request_body *body,
                        const struct model_request *request,
                        const struct model_message *message, bool *first)
{
    static const char *const roles[] = {[MODEL_SYSTEM] = "system",
                                        [MODEL_USER] = "user",
                                        [MODEL_ASSISTANT] = "assistant"};
    const struct model_call *call = NULL;

    if (message->raw) {
        api_comma(body, first);
        request_body_json(body, message->raw);
        return;
    }
    while ((call = api_next_call(message, call))) {
        api_comma(body, first);
        request_body_json(body, "{\"role\":\"tool\",\"tool_call_id\":");
        request_body_string(body, call->id);
        request_body_json(body, ",\"content\":");
        api_put_texts(body, message, call, "Done.");
        request_body_json(body, "}");
    }
    if (!has_content(message))
        return;
    api_comma(body, first);
    request_body_printf(body,
                        "{\"role\":\"%s\",\"content\":", roles[message->role]);
    put_content(body, request, message);
    request_body_json(body, "}");
}

static bool api_openai_write_request(const struct api_model *model,
                                     const struct model_request *request,
                                     struct request_body *body, struct err *err)
{
    /* Compatible servers use the old name, and more parameters. */
    static const struct api_chat official = {
        "messages",
        {"max_completion_tokens", "seed", "top_p", NULL},
        put_message};
    static const struct api_chat compatible = {
        "messages", {"max_tokens", "seed", "top_p", "top_k"}, put_message};

    return api_write_chat(model->official ? &official : &compatible, model,
                          request, body, err);
}

/* ---- reading ---- */

static enum model_finish finish_of(const char *reason)
{
    if (!strcmp(reason, "length"))
        return MODEL_CUT;
    return !strcmp(reason, "content_filter") ? MODEL_FILTERED : MODEL_FINISHED;
}

/* A text, or a list of texts. */
static void read_content(const struct cJSON *content, struct model_reply *reply)
{
    const struct cJSON *part;

    if (cJSON_IsString(content))
        buf_text(&reply->text, content->valuestring);
    if (!cJSON_IsArray(content))
        return;
    cJSON_ArrayForEach(part, content)
        buf_text(&reply->text, api_text(part, "text"));
}

static void read_usage(const struct cJSON *usage, struct model_usage *used)
{
    used->input_tokens = api_count(usage, "prompt_tokens");
    used->output_tokens = api_count(usage, "completion_tokens");
    used->cached_tokens =
        api_count(api_member(usage, "prompt_tokens_details"), "cached_tokens");
}

static bool api_openai_read_reply(const struct cJSON *root,
                                  struct model_reply *reply, struct err *err)
{
    const struct cJSON *choice =
        cJSON_GetArrayItem(api_member(root, "choices"), 0);
    const struct cJSON *message = api_member(choice, "message");
    const struct cJSON *call;
    const char *refusal = api_text(message, "refusal");

    if (!cJSON_IsObject(message))
        return err_set(err, ERR_PROTOCOL, "the reply has no message");
    read_content(api_member(message, "content"), reply);
    cJSON_ArrayForEach(call, api_member(message, "tool_calls"))
        api_add_function(reply, api_text(call, "id"),
                         api_member(call, "function"));
    reply->finish = finish_of(api_text(choice, "finish_reason"));
    if (*refusal) {
        reply->finish = MODEL_REFUSED;
        buf_text(&reply->reason, refusal);
    }
    api_keep_raw(reply, message);
    api_add_served(reply, api_member(root, "model"));
    read_usage(api_member(root, "usage"), &reply->usage);
    return true;
}

/* ---- streams ---- */

static bool merge_calls(struct sse *stream, const struct cJSON *calls)
{
    const struct cJSON *call;

    cJSON_ArrayForEach(call, calls)
    {
        struct sse_piece *piece = sse_piece(stream, api_count(call, "index"));

        if (!piece)
            return false;
        if (!piece->block)
            sse_set(&piece->block, call);
        buf_text(&piece->text,
                 api_text(api_member(call, "function"), "arguments"));
    }
    return true;
}

static bool api_openai_merge(struct sse *stream, const struct cJSON *event)
{
    const struct cJSON *choice =
        cJSON_GetArrayItem(api_member(event, "choices"), 0);
    const struct cJSON *delta = api_member(choice, "delta");
    const char *finish = api_text(choice, "finish_reason");

    if (!stream->head)
        sse_set(&stream->head, event);
    if (cJSON_IsObject(api_member(event, "usage")))
        sse_set(&stream->usage, api_member(event, "usage"));
    buf_text(&stream->text, api_text(delta, "content"));
    if (*finish) {
        snprintf(stream->finish, sizeof(stream->finish), "%s", finish);
        stream->ended = true;
    }
    return merge_calls(stream, api_member(delta, "tool_calls"));
}

static void add_call(struct cJSON *calls, const struct sse_piece *piece)
{
    const struct cJSON *function = api_member(piece->block, "function");
    struct cJSON *call = json_add_object(calls, NULL);
    struct cJSON *made;

    json_add_string(call, "id", api_text(piece->block, "id"));
    json_add_string(call, "type", "function");
    made = json_add_object(call, "function");
    json_add_string(made, "name", api_text(function, "name"));
    json_add_string(made, "arguments", buf_cstr(&piece->text));
}

static struct cJSON *api_openai_whole(struct sse *stream)
{
    struct cJSON *root = json_new_object();
    struct cJSON *choice =
        json_add_object(json_add_array(root, "choices"), NULL);
    struct cJSON *message = json_add_object(choice, "message");

    json_add_string(root, "model", api_text(stream->head, "model"));
    json_add_string(message, "role", "assistant");
    json_add_string(message, "content", buf_cstr(&stream->text));
    if (stream->count) {
        struct cJSON *calls = json_add_array(message, "tool_calls");

        for (size_t i = 0; i < stream->count; i++)
            add_call(calls, &stream->pieces[i]);
    }
    json_add_string(choice, "finish_reason", stream->finish);
    sse_give_usage(stream, root, "usage");
    return root;
}

const struct api api_openai = {
    .name = "openai",
    .key_variable = "OPENAI_API_KEY",
    .base_variable = "OPENAI_BASE_URL",
    .base = "https://api.openai.com/v1",
    .key_header = "Authorization: Bearer ",
    .put_path = api_openai_put_path,
    .write = api_openai_write_request,
    .read = api_openai_read_reply,
    .merge = api_openai_merge,
    .whole = api_openai_whole,
};
