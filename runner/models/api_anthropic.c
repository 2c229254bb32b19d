/* Anthropic's messages API. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "runner/models/api.h"

/* The service requires max_tokens. */
#define TOKENS_DEFAULT 4096

static void api_anthropic_put_path(const char *model, struct buf *url)
{
    (void)model;
    buf_text(url, "/v1/messages");
}

/* ---- writing ---- */

static void put_part(struct request_body *body, const struct model_part *part)
{
    if (part->text) {
        request_body_json(body, "{\"type\":\"text\",\"text\":");
        request_body_string(body, part->text);
        request_body_json(body, "}");
        return;
    }
    request_body_json(body,
                      "{\"type\":\"image\",\"source\":{\"type\":\"base64\","
                      "\"media_type\":");
    request_body_string(body, part->image_type);
    request_body_json(body, ",\"data\":");
    request_body_string_open(body);
    request_body_picture(body, part->image, part->image_size);
    request_body_string_close(body);
    request_body_json(body, "}}");
}

static void put_parts(struct request_body *body,
                      const struct model_message *message,
                      const struct model_call *call, bool *first)
{
    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_part *part = &message->parts[i];

        /* The service refuses empty texts. */
        if (part->answers != call || (part->text && !*part->text))
            continue;
        api_comma(body, first);
        put_part(body, part);
    }
}

/* Tool results come first, as the service requires. */
static void put_content(struct request_body *body,
                        const struct model_message *message)
{
    const struct model_call *call = NULL;
    bool first = true;

    request_body_json(body, "[");
    while ((call = api_next_call(message, call))) {
        bool first_part = true;

        api_comma(body, &first);
        request_body_json(body, "{\"type\":\"tool_result\",\"tool_use_id\":");
        request_body_string(body, call->id);
        request_body_json(body, ",\"content\":[");
        put_parts(body, message, call, &first_part);
        request_body_json(body, "]}");
    }
    put_parts(body, message, NULL, &first);
    request_body_json(body, "]");
}

static void put_messages(struct request_body *body,
                         const struct model_request *request)
{
    bool first = true;

    request_body_json(body, ",\"messages\":[");
    for (size_t i = 0; i < request->message_count; i++) {
        const struct model_message *message = &request->messages[i];

        if (message->role == MODEL_SYSTEM)
            continue;
        api_comma(body, &first);
        request_body_printf(body, "{\"role\":\"%s\",\"content\":",
                            message->role == MODEL_USER ? "user" : "assistant");
        if (message->raw)
            request_body_json(body, message->raw);
        else
            put_content(body, message);
        request_body_json(body, "}");
    }
    request_body_json(body, "]");
}

static void put_system(struct request_body *body,
                       const struct model_request *request)
{
    for (size_t i = 0; i < request->message_count; i++) {
        if (request->messages[i].role != MODEL_SYSTEM)
            continue;
        request_body_json(body, ",\"system\":");
        api_put_texts(body, &request->messages[i], NULL, "");
        return;
    }
}

static bool api_anthropic_write_request(const struct api_model *model,
                                        const struct model_request *request,
                                        struct request_body *body,
                                        struct err *err)
{
    static const struct api_sampling_names sampling_names = {NULL, NULL,
                                                             "top_p", "top_k"};
    struct cJSON *extra = NULL;

    if (!api_extra(request, &extra, err))
        return false;
    request_body_json(body, "{\"model\":");
    request_body_string(body, model->name);
    api_put_number(body, extra, "max_tokens",
                   request->max_tokens ? request->max_tokens : TOKENS_DEFAULT);
    put_system(body, request);
    put_messages(body, request);
    api_put_sampling(body, &sampling_names, model, request, extra);
    api_end_request(body, request, extra);
    return true;
}

/* ---- reading ---- */

static enum model_finish finish_of(const char *reason)
{
    if (!strcmp(reason, "max_tokens"))
        return MODEL_CUT;
    if (!strcmp(reason, "refusal"))
        return MODEL_REFUSED;
    return !strcmp(reason, "model_context_window_exceeded") ? MODEL_OVERFLOW
                                                            : MODEL_FINISHED;
}

/* Input tokens have three parts: new, read from a cache, written to it. */
static void read_usage(const struct cJSON *usage, struct model_usage *used)
{
    int64_t input = api_count(usage, "input_tokens");
    int64_t cached = api_count(usage, "cache_read_input_tokens");
    int64_t written = api_count(usage, "cache_creation_input_tokens");

    if (input >= 0)
        input += (cached > 0 ? cached : 0) + (written > 0 ? written : 0);
    used->input_tokens = input;
    used->cached_tokens = cached;
    used->output_tokens = api_count(usage, "output_tokens");
}

static bool api_anthropic_read_reply(const struct cJSON *root,
                                     struct model_reply *reply, struct err *err)
{
    const struct cJSON *content = api_member(root, "content");
    const struct cJSON *block;

    if (!cJSON_IsArray(content))
        return err_set(err, ERR_PROTOCOL, "the reply has no content");
    cJSON_ArrayForEach(block, content)
    {
        const char *type = api_text(block, "type");

        if (!strcmp(type, "text"))
            buf_text(&reply->text, api_text(block, "text"));
        else if (!strcmp(type, "tool_use"))
            api_add_call(reply, api_text(block, "id"), api_text(block, "name"),
                         block);
    }
    reply->finish = finish_of(api_text(root, "stop_reason"));
    api_keep_raw(reply, content);
    api_add_served(reply, api_member(root, "model"));
    read_usage(api_member(root, "usage"), &reply->usage);
    return true;
}

/* ---- streams ---- */

static bool merge_delta(struct sse *stream, const struct cJSON *event)
{
    struct sse_piece *piece = sse_piece(stream, api_count(event, "index"));
    const struct cJSON *delta = api_member(event, "delta");

    if (!piece)
        return false;
    buf_text(&piece->text, api_text(delta, "text"));
    buf_text(&piece->text, api_text(delta, "partial_json"));
    return true;
}

/* Later counts replace earlier ones, member by member. */
static void merge_usage(struct sse *stream, const struct cJSON *usage)
{
    const struct cJSON *count;

    if (!stream->usage)
        stream->usage = json_new_object();
    cJSON_ArrayForEach(count, usage)
    {
        if (!cJSON_IsNumber(count))
            continue;
        cJSON_DeleteItemFromObjectCaseSensitive(stream->usage, count->string);
        json_add_number(stream->usage, count->string, count->valuedouble);
    }
}

static bool api_anthropic_merge(struct sse *stream, const struct cJSON *event)
{
    const char *type = api_text(event, "type");
    const struct cJSON *message = api_member(event, "message");

    if (!strcmp(type, "message_start")) {
        sse_set(&stream->head, message ? message : event);
        merge_usage(stream, api_member(message, "usage"));
    } else if (!strcmp(type, "content_block_start")) {
        struct sse_piece *piece = sse_piece(stream, api_count(event, "index"));

        if (!piece || !api_member(event, "content_block"))
            return false;
        sse_set(&piece->block, api_member(event, "content_block"));
    } else if (!strcmp(type, "content_block_delta")) {
        return merge_delta(stream, event);
    } else if (!strcmp(type, "message_delta")) {
        snprintf(stream->finish, sizeof(stream->finish), "%s",
                 api_text(api_member(event, "delta"), "stop_reason"));
        merge_usage(stream, api_member(event, "usage"));
    } else if (!strcmp(type, "message_stop")) {
        stream->ended = true;
    }
    return true;
}

static void put_block(struct cJSON *content, struct sse_piece *piece)
{
    struct cJSON *block = piece->block ? piece->block : json_new_object();
    struct cJSON *input;

    piece->block = NULL;
    if (!strcmp(api_text(block, "type"), "tool_use")) {
        input = api_parse(buf_cstr(&piece->text));
        if (input) {
            cJSON_DeleteItemFromObjectCaseSensitive(block, "input");
            cJSON_AddItemToObject(block, "input", input);
        }
    } else if (piece->text.length) {
        cJSON_DeleteItemFromObjectCaseSensitive(block, "text");
        json_add_string(block, "text", buf_cstr(&piece->text));
    }
    cJSON_AddItemToArray(content, block);
}

static struct cJSON *api_anthropic_whole(struct sse *stream)
{
    struct cJSON *root = json_new_object();
    struct cJSON *content = json_add_array(root, "content");

    for (size_t i = 0; i < stream->count; i++)
        put_block(content, &stream->pieces[i]);
    json_add_string(root, "model", api_text(stream->head, "model"));
    json_add_string(root, "stop_reason", stream->finish);
    sse_give_usage(stream, root, "usage");
    return root;
}

const struct api api_anthropic = {
    .name = "anthropic",
    .key_variable = "ANTHROPIC_API_KEY",
    .base_variable = "ANTHROPIC_BASE_URL",
    .base = "https://api.anthropic.com",
    .key_header = "x-api-key: ",
    .header = "anthropic-version: 2023-06-01",
    .put_path = api_anthropic_put_path,
    .write = api_anthropic_write_request,
    .read = api_anthropic_read_reply,
    .merge = api_anthropic_merge,
    .whole = api_anthropic_whole,
};
