/* OpenAI's responses API, with computer use. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/models/api.h"

#define COMPUTER_CALL "computer_call"

static void api_responses_put_path(const char *model, struct buf *url)
{
    (void)model;
    buf_text(url, "/responses");
}

/* ---- writing ---- */

static void put_part(struct request_body *body,
                     const struct model_request *request,
                     const struct model_part *part)
{
    if (part->text) {
        request_body_json(body, "{\"type\":\"input_text\",\"text\":");
        request_body_string(body, part->text);
    } else {
        request_body_json(body, "{\"type\":\"input_image\",\"detail\":");
        request_body_string(body, request->detail ? request->detail : "auto");
        request_body_json(body, ",\"image_url\":");
        api_put_data_url(body, part);
    }
    request_body_json(body, "}");
}

static const struct model_part *find_picture(
    const struct model_message *message, const struct model_call *call)
{
    for (size_t i = 0; i < message->part_count; i++) {
        if (!message->parts[i].text && message->parts[i].answers == call)
            return &message->parts[i];
    }
    return NULL;
}

static bool is_computer(const struct model_call *call)
{
    return !strcmp(call->name, COMPUTER_CALL);
}

/* Safety checks that must be acknowledged. */
static void put_safety_checks(struct request_body *body,
                              const struct model_call *call)
{
    struct cJSON *tree = api_parse(call->json);
    const struct cJSON *checks = api_member(tree, "pending_safety_checks");
    struct buf text = BUF_INIT(MODEL_TEXT_MAX);

    if (cJSON_GetArraySize(checks) > 0) {
        json_format(checks, &text);
        request_body_json(body, ",\"acknowledged_safety_checks\":");
        request_body_json(body, buf_cstr(&text));
    }
    buf_release(&text);
    cJSON_Delete(tree);
}

static void put_answer(struct request_body *body,
                       const struct model_message *message,
                       const struct model_call *call)
{
    const struct model_part *picture = find_picture(message, call);

    request_body_printf(body, "{\"type\":\"%s\",\"call_id\":",
                        is_computer(call) ? "computer_call_output"
                                          : "function_call_output");
    request_body_string(body, call->id);
    request_body_json(body, ",\"output\":");
    if (is_computer(call) && picture) {
        request_body_json(body,
                          "{\"type\":\"computer_screenshot\",\"image_url\":");
        api_put_data_url(body, picture);
        request_body_json(body, "}");
        put_safety_checks(body, call);
    } else {
        api_put_texts(body, message, call, "Done.");
    }
    request_body_json(body, "}");
}

/* Does a part belong to the user's message, not to the result of a call? */
static bool is_for_user(const struct model_part *part)
{
    if (!part->answers)
        return true;
    return !part->text && !is_computer(part->answers);
}

static void put_content(struct request_body *body,
                        const struct model_request *request,
                        const struct model_message *message)
{
    static const char *const roles[] = {[MODEL_SYSTEM] = "system",
                                        [MODEL_USER] = "user",
                                        [MODEL_ASSISTANT] = "assistant"};
    bool first = true;

    request_body_printf(body,
                        "{\"role\":\"%s\",\"content\":", roles[message->role]);
    if (message->role == MODEL_ASSISTANT) {
        api_put_texts(body, message, NULL, "");
        request_body_json(body, "}");
        return;
    }
    request_body_json(body, "[");
    for (size_t i = 0; i < message->part_count; i++) {
        if (!is_for_user(&message->parts[i]))
            continue;
        api_comma(body, &first);
        put_part(body, request, &message->parts[i]);
    }
    request_body_json(body, "]}");
}

static bool has_content(const struct model_message *message)
{
    for (size_t i = 0; i < message->part_count; i++) {
        if (is_for_user(&message->parts[i]))
            return true;
    }
    return false;
}

/* The items of a list, without its brackets. */
static void put_raw(struct request_body *body, const char *raw, bool *first)
{
    size_t length = strlen(raw);
    char *items;

    if (length <= 2)
        return;
    items = mem_dup_n(raw + 1, length - 2);
    api_comma(body, first);
    request_body_json(body, items);
    free(items);
}

static void put_message(struct request_body *body,
                        const struct model_request *request,
                        const struct model_message *message, bool *first)
{
    const struct model_call *call = NULL;

    if (message->raw) {
        put_raw(body, message->raw, first);
        return;
    }
    while ((call = api_next_call(message, call))) {
        api_comma(body, first);
        put_answer(body, message, call);
    }
    if (!has_content(message))
        return;
    api_comma(body, first);
    put_content(body, request, message);
}

static bool api_responses_write_request(const struct api_model *model,
                                        const struct model_request *request,
                                        struct request_body *body,
                                        struct err *err)
{
    static const struct api_chat chat = {
        "input", {"max_output_tokens", NULL, "top_p", NULL}, put_message};

    return api_write_chat(&chat, model, request, body, err);
}

/* ---- reading ---- */

static void read_message(const struct cJSON *item, struct model_reply *reply)
{
    const struct cJSON *part;

    cJSON_ArrayForEach(part, api_member(item, "content"))
    {
        const char *refusal = api_text(part, "refusal");

        buf_text(&reply->text, api_text(part, "text"));
        if (*refusal) {
            buf_text(&reply->reason, refusal);
            reply->finish = MODEL_REFUSED;
        }
    }
}

static void read_items(const struct cJSON *output, struct model_reply *reply)
{
    const struct cJSON *item;

    cJSON_ArrayForEach(item, output)
    {
        const char *type = api_text(item, "type");

        if (!strcmp(type, "message"))
            read_message(item, reply);
        else if (!strcmp(type, COMPUTER_CALL))
            api_add_call(reply, api_text(item, "call_id"), COMPUTER_CALL, item);
        else if (!strcmp(type, "function_call"))
            api_add_function(reply, api_text(item, "call_id"), item);
    }
}

static void read_status(const struct cJSON *root, struct model_reply *reply)
{
    const char *reason =
        api_text(api_member(root, "incomplete_details"), "reason");

    if (!strcmp(reason, "max_output_tokens"))
        reply->finish = MODEL_CUT;
    else if (!strcmp(reason, "content_filter"))
        reply->finish = MODEL_FILTERED;
}

static bool api_responses_read_reply(const struct cJSON *root,
                                     struct model_reply *reply, struct err *err)
{
    const struct cJSON *output = api_member(root, "output");
    const struct cJSON *usage = api_member(root, "usage");

    if (!strcmp(api_text(root, "status"), "failed"))
        return err_set(err, ERR_UNREACHABLE, "the service failed: %.160s",
                       api_text(api_member(root, "error"), "message"));
    if (!cJSON_IsArray(output))
        return err_set(err, ERR_PROTOCOL, "the reply has no output");
    read_items(output, reply);
    read_status(root, reply);
    api_keep_raw(reply, output);
    api_add_served(reply, api_member(root, "model"));
    reply->usage.input_tokens = api_count(usage, "input_tokens");
    reply->usage.output_tokens = api_count(usage, "output_tokens");
    reply->usage.cached_tokens =
        api_count(api_member(usage, "input_tokens_details"), "cached_tokens");
    return true;
}

/* ---- streams: the last event has the whole reply ---- */

static bool api_responses_merge(struct sse *stream, const struct cJSON *event)
{
    const char *type = api_text(event, "type");

    if (strcmp(type, "response.completed") != 0 &&
        strcmp(type, "response.incomplete") != 0 &&
        strcmp(type, "response.failed") != 0)
        return true;
    if (!cJSON_IsObject(api_member(event, "response")))
        return false;
    sse_set(&stream->whole, api_member(event, "response"));
    stream->ended = true;
    return true;
}

static struct cJSON *api_responses_whole(struct sse *stream)
{
    struct cJSON *root = stream->whole;

    stream->whole = NULL;
    return root ? root : json_new_object();
}

const struct api api_responses = {
    .name = "responses",
    .key_variable = "OPENAI_API_KEY",
    .base_variable = "OPENAI_BASE_URL",
    .base = "https://api.openai.com/v1",
    .key_header = "Authorization: Bearer ",
    .put_path = api_responses_put_path,
    .write = api_responses_write_request,
    .read = api_responses_read_reply,
    .merge = api_responses_merge,
    .whole = api_responses_whole,
};
