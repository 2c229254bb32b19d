/* Google's generateContent API. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "runner/models/api.h"

static void api_gemini_put_path(const char *model, struct buf *url)
{
    buf_printf(url, "/v1beta/models/%s:generateContent", model);
}

/* ---- writing ---- */

static void put_inline(struct request_body *body, const struct model_part *part)
{
    request_body_json(body, "{\"inline_data\":{\"mime_type\":");
    request_body_string(body, part->image_type);
    request_body_json(body, ",\"data\":");
    request_body_string_open(body);
    request_body_picture(body, part->image, part->image_size);
    request_body_string_close(body);
    request_body_json(body, "}}");
}

static void put_parts(struct request_body *body,
                      const struct model_message *message,
                      const struct model_call *call, bool texts, bool *first)
{
    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_part *part = &message->parts[i];

        if (part->answers != call || (part->text && !texts))
            continue;
        api_comma(body, first);
        if (part->text) {
            request_body_json(body, "{\"text\":");
            request_body_string(body, part->text);
            request_body_json(body, "}");
        } else {
            put_inline(body, part);
        }
    }
}

/* A result must be an object: that in the text, if it is one. */
static void put_result(struct request_body *body,
                       const struct model_message *message,
                       const struct model_call *call)
{
    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_part *part = &message->parts[i];

        if (part->answers == call && part->text && part->text[0] == '{') {
            request_body_json(body, part->text);
            return;
        }
    }
    request_body_json(body, "{\"output\":");
    api_put_texts(body, message, call, "Done.");
    request_body_json(body, "}");
}

static void put_answer(struct request_body *body,
                       const struct model_message *message,
                       const struct model_call *call)
{
    bool first = true;

    request_body_json(body, "{\"functionResponse\":{\"name\":");
    request_body_string(body, call->name);
    if (*call->id) {
        request_body_json(body, ",\"id\":");
        request_body_string(body, call->id);
    }
    request_body_json(body, ",\"response\":");
    put_result(body, message, call);
    request_body_json(body, ",\"parts\":[");
    put_parts(body, message, call, false, &first);
    request_body_json(body, "]}}");
}

static void put_message(struct request_body *body,
                        const struct model_message *message)
{
    const struct model_call *call = NULL;
    bool first = true;

    if (message->raw) {
        request_body_json(body, message->raw);
        return;
    }
    request_body_printf(body, "{\"role\":\"%s\",\"parts\":[",
                        message->role == MODEL_ASSISTANT ? "model" : "user");
    while ((call = api_next_call(message, call))) {
        api_comma(body, &first);
        put_answer(body, message, call);
    }
    put_parts(body, message, NULL, true, &first);
    request_body_json(body, "]}");
}

static void put_contents(struct request_body *body,
                         const struct model_request *request)
{
    bool first = true;

    request_body_json(body, "{\"contents\":[");
    for (size_t i = 0; i < request->message_count; i++) {
        if (request->messages[i].role == MODEL_SYSTEM)
            continue;
        api_comma(body, &first);
        put_message(body, &request->messages[i]);
    }
    request_body_json(body, "]");
    for (size_t i = 0; i < request->message_count; i++) {
        if (request->messages[i].role != MODEL_SYSTEM)
            continue;
        request_body_json(body,
                          ",\"systemInstruction\":{\"parts\":[{\"text\":");
        api_put_texts(body, &request->messages[i], NULL, "");
        request_body_json(body, "}]}");
        return;
    }
}

/* The extra members may have members for the same object. */
static void put_config(struct request_body *body, const struct api_model *model,
                       const struct model_request *request, struct cJSON *extra)
{
    static const struct api_sampling_names sampling_names = {
        "maxOutputTokens", "seed", "topP", "topK"};
    struct cJSON *more =
        cJSON_DetachItemFromObjectCaseSensitive(extra, "generationConfig");

    request_body_json(body, ",\"generationConfig\":{\"candidateCount\":1");
    api_put_sampling(body, &sampling_names, model, request, more);
    api_put_extra(body, more);
    request_body_json(body, "}");
    cJSON_Delete(more);
}

static bool api_gemini_write_request(const struct api_model *model,
                                     const struct model_request *request,
                                     struct request_body *body, struct err *err)
{
    struct cJSON *extra = NULL;

    if (!api_extra(request, &extra, err))
        return false;
    put_contents(body, request);
    put_config(body, model, request, extra);
    api_end_request(body, request, extra);
    return true;
}

/* ---- reading ---- */

static enum model_finish finish_of(const char *reason)
{
    static const char *const filtered[] = {
        "SAFETY", "RECITATION", "BLOCKLIST",    "PROHIBITED_CONTENT",
        "SPII",   "LANGUAGE",   "IMAGE_SAFETY",
    };

    if (!strcmp(reason, "MAX_TOKENS"))
        return MODEL_CUT;
    for (size_t i = 0; i < ARRAY_LEN(filtered); i++) {
        if (!strcmp(reason, filtered[i]))
            return MODEL_FILTERED;
    }
    return MODEL_FINISHED;
}

static void read_part(const struct cJSON *part, struct model_reply *reply)
{
    const struct cJSON *call = api_member(part, "functionCall");
    struct cJSON *wrapped;

    if (!call)
        call = api_member(part, "function_call");
    if (call) {
        wrapped = json_new_object();
        cJSON_AddItemToObject(wrapped, "functionCall",
                              cJSON_Duplicate(call, true));
        api_add_call(reply, api_text(call, "id"), api_text(call, "name"),
                     wrapped);
        cJSON_Delete(wrapped);
    } else if (!cJSON_IsTrue(api_member(part, "thought"))) {
        buf_text(&reply->text, api_text(part, "text"));
    }
}

static void read_usage(const struct cJSON *usage, struct model_usage *used)
{
    int64_t thoughts = api_count(usage, "thoughtsTokenCount");

    used->input_tokens = api_count(usage, "promptTokenCount");
    used->cached_tokens = api_count(usage, "cachedContentTokenCount");
    used->output_tokens = api_count(usage, "candidatesTokenCount");
    if (thoughts > 0)
        used->output_tokens =
            thoughts + (used->output_tokens > 0 ? used->output_tokens : 0);
}

static bool api_gemini_read_reply(const struct cJSON *root,
                                  struct model_reply *reply, struct err *err)
{
    const struct cJSON *candidate =
        cJSON_GetArrayItem(api_member(root, "candidates"), 0);
    const struct cJSON *content = api_member(candidate, "content");
    const char *blocked =
        api_text(api_member(root, "promptFeedback"), "blockReason");
    const struct cJSON *part;

    if (!candidate && !*blocked)
        return err_set(err, ERR_PROTOCOL, "the reply has no candidate");
    cJSON_ArrayForEach(part, api_member(content, "parts"))
        read_part(part, reply);
    reply->finish = finish_of(api_text(candidate, "finishReason"));
    if (*blocked)
        reply->finish = MODEL_FILTERED;
    if (reply->finish == MODEL_FILTERED)
        buf_text(&reply->reason,
                 *blocked ? blocked : api_text(candidate, "finishReason"));
    if (cJSON_IsObject(content))
        api_keep_raw(reply, content);
    api_add_served(reply, api_member(root, "modelVersion"));
    read_usage(api_member(root, "usageMetadata"), &reply->usage);
    return true;
}

/* ---- streams: each event is a reply with the next parts ---- */

/* Texts are concatenated, all other parts are kept. */
static bool merge_part(struct sse *stream, const struct cJSON *part)
{
    const struct cJSON *text = api_member(part, "text");
    struct sse_piece *last =
        stream->count ? &stream->pieces[stream->count - 1] : NULL;
    bool goes_on = last && cJSON_IsString(text) &&
                   api_member(last->block, "text") &&
                   cJSON_IsTrue(api_member(part, "thought")) ==
                       cJSON_IsTrue(api_member(last->block, "thought"));

    if (!goes_on) {
        last = sse_piece(stream, (int64_t)stream->count);
        if (!last)
            return false;
        sse_set(&last->block, part);
    }
    buf_text(&last->text, api_text(part, "text"));
    return true;
}

static bool api_gemini_merge(struct sse *stream, const struct cJSON *event)
{
    const struct cJSON *candidate =
        cJSON_GetArrayItem(api_member(event, "candidates"), 0);
    const char *finish = api_text(candidate, "finishReason");
    const struct cJSON *part;

    if (!stream->head)
        sse_set(&stream->head, event);
    cJSON_ArrayForEach(part,
                       api_member(api_member(candidate, "content"), "parts"))
    {
        if (!merge_part(stream, part))
            return false;
    }
    if (api_member(event, "usageMetadata"))
        sse_set(&stream->usage, api_member(event, "usageMetadata"));
    if (*finish)
        snprintf(stream->finish, sizeof(stream->finish), "%s", finish);
    stream->ended =
        stream->ended || *finish || api_member(event, "promptFeedback") != NULL;
    return true;
}

static struct cJSON *api_gemini_whole(struct sse *stream)
{
    const struct cJSON *feedback = api_member(stream->head, "promptFeedback");
    struct cJSON *root = json_new_object();
    struct cJSON *candidate =
        json_add_object(json_add_array(root, "candidates"), NULL);
    struct cJSON *content = json_add_object(candidate, "content");
    struct cJSON *parts = json_add_array(content, "parts");

    for (size_t i = 0; i < stream->count; i++) {
        struct sse_piece *piece = &stream->pieces[i];

        if (api_member(piece->block, "text")) {
            cJSON_DeleteItemFromObjectCaseSensitive(piece->block, "text");
            json_add_string(piece->block, "text", buf_cstr(&piece->text));
        }
        cJSON_AddItemToArray(parts, piece->block);
        piece->block = NULL;
    }
    json_add_string(content, "role", "model");
    json_add_string(candidate, "finishReason", stream->finish);
    json_add_string(root, "modelVersion",
                    api_text(stream->head, "modelVersion"));
    if (feedback)
        cJSON_AddItemToObject(root, "promptFeedback",
                              cJSON_Duplicate(feedback, true));
    sse_give_usage(stream, root, "usageMetadata");
    return root;
}

const struct api api_gemini = {
    .name = "gemini",
    .key_variable = "GEMINI_API_KEY",
    .base_variable = "GEMINI_BASE_URL",
    .base = "https://generativelanguage.googleapis.com",
    .key_header = "x-goog-api-key: ",
    .put_path = api_gemini_put_path,
    .write = api_gemini_write_request,
    .read = api_gemini_read_reply,
    .merge = api_gemini_merge,
    .whole = api_gemini_whole,
};
