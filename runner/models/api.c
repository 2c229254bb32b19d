#include "runner/models/api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"

const struct api *api_find(const char *name, size_t length)
{
    static const struct api *const services[] = {
        &api_openai,
        &api_responses,
        &api_anthropic,
        &api_gemini,
    };

    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        if (strlen(services[i]->name) == length &&
            !memcmp(services[i]->name, name, length))
            return services[i];
    }
    return NULL;
}

/* ---- writing ---- */

bool api_extra(const struct model_request *request, struct cJSON **extra,
               struct err *err)
{
    struct cJSON *tree = NULL;

    if (request->extra &&
        !json_parse(request->extra, strlen(request->extra), &tree, err))
        return err_wrap(err, "members of the request");
    if (tree && !cJSON_IsObject(tree)) {
        cJSON_Delete(tree);
        return err_set(err, ERR_INVALID,
                       "members of the request: expected an object");
    }
    *extra = tree;
    return true;
}

void api_put_number(struct request_body *body, const struct cJSON *extra,
                    const char *key, double number)
{
    if (extra && cJSON_GetObjectItemCaseSensitive(extra, key))
        return;
    if (floor(number) == number && fabs(number) < 1e15)
        request_body_printf(body, ",\"%s\":%lld", key, (long long)number);
    else
        request_body_printf(body, ",\"%s\":%.10g", key, number);
}

void api_put_sampling(struct request_body *body,
                      const struct api_sampling_names *names,
                      const struct api_model *model,
                      const struct model_request *request,
                      const struct cJSON *extra)
{
    if (names->max_tokens && request->max_tokens)
        api_put_number(body, extra, names->max_tokens, request->max_tokens);
    if (names->seed && request->has_seed)
        api_put_number(body, extra, names->seed, (double)request->seed);
    if (model->fixed_sampling)
        return;
    if (request->temperature >= 0)
        api_put_number(body, extra, "temperature", request->temperature);
    if (request->top_p > 0)
        api_put_number(body, extra, names->top_p, request->top_p);
    if (names->top_k && request->top_k > 0)
        api_put_number(body, extra, names->top_k, request->top_k);
}

void api_put_extra(struct request_body *body, const struct cJSON *extra)
{
    const struct cJSON *item;

    cJSON_ArrayForEach(item, extra)
    {
        struct buf text = BUF_INIT(REQUEST_BODY_TEXT_MAX);

        request_body_json(body, ",");
        request_body_string(body, item->string);
        json_format(item, &text);
        request_body_json(body, ":");
        request_body_json(body, buf_cstr(&text));
        buf_release(&text);
    }
}

void api_end_request(struct request_body *body,
                     const struct model_request *request, struct cJSON *extra)
{
    if (request->tools) {
        request_body_json(body, ",\"tools\":");
        request_body_json(body, request->tools);
    }
    api_put_extra(body, extra);
    request_body_json(body, "}");
    cJSON_Delete(extra);
}

void api_comma(struct request_body *body, bool *first)
{
    if (!*first)
        request_body_json(body, ",");
    *first = false;
}

void api_put_data_url(struct request_body *body, const struct model_part *part)
{
    request_body_string_open(body);
    request_body_string_text(body, "data:");
    request_body_string_text(body, part->image_type);
    request_body_string_text(body, ";base64,");
    request_body_picture(body, part->image, part->image_size);
    request_body_string_close(body);
}

void api_put_texts(struct request_body *body,
                   const struct model_message *message,
                   const struct model_call *call, const char *otherwise)
{
    bool any = false;

    request_body_string_open(body);
    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_part *part = &message->parts[i];

        if (!part->text || part->answers != call)
            continue;
        if (any)
            request_body_string_text(body, "\n");
        request_body_string_text(body, part->text);
        any = true;
    }
    if (!any)
        request_body_string_text(body, otherwise);
    request_body_string_close(body);
}

static bool answered_before(const struct model_message *message, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (message->parts[i].answers == message->parts[at].answers)
            return true;
    }
    return false;
}

const struct model_call *api_next_call(const struct model_message *message,
                                       const struct model_call *call)
{
    bool passed = !call;

    for (size_t i = 0; i < message->part_count; i++) {
        const struct model_call *other = message->parts[i].answers;

        if (!other || answered_before(message, i))
            continue;
        if (passed)
            return other;
        passed = other == call;
    }
    return NULL;
}

bool api_write_chat(const struct api_chat *chat, const struct api_model *model,
                    const struct model_request *request,
                    struct request_body *body, struct err *err)
{
    struct cJSON *extra = NULL;
    bool first = true;

    if (!api_extra(request, &extra, err))
        return false;
    request_body_json(body, "{\"model\":");
    request_body_string(body, model->name);
    request_body_printf(body, ",\"%s\":[", chat->list);
    for (size_t i = 0; i < request->message_count; i++)
        chat->put_message(body, request, &request->messages[i], &first);
    request_body_json(body, "]");
    api_put_sampling(body, &chat->sampling_names, model, request, extra);
    api_end_request(body, request, extra);
    return true;
}

/* ---- reading ---- */

void api_add_function(struct model_reply *reply, const char *id,
                      const struct cJSON *function)
{
    const struct cJSON *arguments = api_member(function, "arguments");
    const char *name = api_text(function, "name");
    struct cJSON *call = json_new_object();
    struct cJSON *parsed = NULL;

    json_add_string(call, "name", name);
    if (cJSON_IsString(arguments))
        parsed = api_parse(arguments->valuestring);
    else if (arguments)
        parsed = cJSON_Duplicate(arguments, true);
    if (parsed)
        cJSON_AddItemToObject(call, "arguments", parsed);
    else
        json_add_string(call, "arguments", api_text(function, "arguments"));
    api_add_call(reply, id, name, call);
    cJSON_Delete(call);
}

const struct cJSON *api_member(const struct cJSON *object, const char *key)
{
    return object ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *api_text(const struct cJSON *object, const char *key)
{
    const struct cJSON *item = api_member(object, key);

    return cJSON_IsString(item) ? item->valuestring : "";
}

int64_t api_count(const struct cJSON *object, const char *key)
{
    const struct cJSON *item = api_member(object, key);

    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) ||
        item->valuedouble > (double)JSON_INT_MAX)
        return -1;
    return (int64_t)item->valuedouble;
}

struct cJSON *api_parse(const char *text)
{
    struct cJSON *tree = NULL;
    struct err err;

    return json_parse(text, strlen(text), &tree, &err) ? tree : NULL;
}

void api_add_call(struct model_reply *reply, const char *id, const char *name,
                  const struct cJSON *value)
{
    struct buf json = BUF_INIT(MODEL_TEXT_MAX);

    json_format(value, &json);
    if (json.overflow)
        reply->text.overflow = true;
    else
        (void)!model_reply_call(reply, id, name, buf_cstr(&json));
    buf_release(&json);
}

void api_keep_raw(struct model_reply *reply, const struct cJSON *value)
{
    buf_clear(&reply->raw);
    json_format(value, &reply->raw);
}

void api_add_served(struct model_reply *reply, const struct cJSON *name)
{
    if (!cJSON_IsString(name) || !name->valuestring[0])
        return;
    free(reply->served);
    reply->served = mem_dup(name->valuestring);
}
