#include "runner/models/api_fault.h"

#include <stdio.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/json.h"
#include "base/macros.h"
#include "runner/models/retry.h"

/* The texts of an error reply, to search for words. */
#define WORDS_SIZE 1024

struct words {
    char text[WORDS_SIZE];
};

static const char *text_of(const struct cJSON *object, const char *key)
{
    const struct cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static void add_words(struct words *words, const char *text)
{
    size_t used = strlen(words->text);

    if (text)
        snprintf(words->text + used, WORDS_SIZE - used, "%s\n", text);
}

static bool says(const struct words *words, const char *const *needles)
{
    for (; *needles; needles++) {
        if (strcasestr(words->text, *needles))
            return true;
    }
    return false;
}

/* {"error": {…}}, {"error": "…"}, [{"error": {…}}], or the members alone. */
static const struct cJSON *find_error(const struct cJSON *root)
{
    const struct cJSON *error;

    if (cJSON_IsArray(root) && root->child)
        root = root->child;
    error = cJSON_GetObjectItemCaseSensitive(root, "error");
    return cJSON_IsObject(error) || cJSON_IsString(error) ? error : root;
}

/* Gemini: {"@type": "…RetryInfo", "retryDelay": "34s"} among the details. */
static int64_t delay_of(const struct cJSON *error, struct words *words)
{
    const struct cJSON *details =
        cJSON_GetObjectItemCaseSensitive(error, "details");
    const struct cJSON *detail;
    int64_t floor = 0;

    cJSON_ArrayForEach(detail, details)
    {
        const char *delay = text_of(detail, "retryDelay");
        const struct cJSON *violation;
        int64_t ns;

        if (delay && retry_duration(delay, &ns))
            floor = ns;
        cJSON_ArrayForEach(
            violation, cJSON_GetObjectItemCaseSensitive(detail, "violations"))
            add_words(words, text_of(violation, "quotaId"));
    }
    return floor;
}

static void read_error(const struct cJSON *error, struct api_fault *fault,
                       struct words *words)
{
    const char *message =
        cJSON_IsString(error) ? error->valuestring : text_of(error, "message");

    if (!message)
        message = text_of(error, "detail");
    if (message)
        clean_text_copy(fault->message, sizeof(fault->message), message,
                        strlen(message));
    add_words(words, text_of(error, "type"));
    add_words(words, text_of(error, "code"));
    add_words(words, text_of(error, "status"));
    fault->floor_ns = delay_of(error, words);
    add_words(words, message);
}

static enum api_fault_kind kind_of_refusal(const struct words *words)
{
    static const char *const filter[] = {
        "content_filter",         "content_policy",
        "content management",     "responsibleaipolicy",
        "safety system",          "content filtering",
        "data_inspection_failed", NULL};
    static const char *const overflow[] = {"context_length_exceeded",
                                           "exceed_context_size",
                                           "prompt is too long",
                                           "maximum context length",
                                           "context length",
                                           "context window",
                                           "context size",
                                           "maximum model length",
                                           "input token count",
                                           "maximum number of tokens",
                                           "too many tokens",
                                           "request_too_large",
                                           "string_above_max_length",
                                           NULL};
    static const char *const quota[] = {"credit balance", "insufficient_quota",
                                        "billing", NULL};

    if (says(words, filter))
        return API_FAULT_FILTERED;
    if (says(words, overflow))
        return API_FAULT_OVERFLOW;
    return says(words, quota) ? API_FAULT_QUOTA : API_FAULT_OTHER;
}

static enum api_fault_kind kind_of(long status, const struct words *words)
{
    /* Gemini mentions plan and billing also where waiting a minute helps. */
    static const char *const used_up[] = {"insufficient_quota",
                                          "billing_hard_limit",
                                          "billing_not_active",
                                          "credit balance",
                                          "insufficient balance",
                                          "PerDay",
                                          NULL};

    if (status == 429)
        return says(words, used_up) ? API_FAULT_QUOTA : API_FAULT_TOO_MUCH;
    if (status == 529 || status == 503)
        return API_FAULT_TOO_MUCH;
    if (retry_status(status))
        return API_FAULT_PASSING;
    if (status == 401 || status == 403)
        return API_FAULT_UNAUTHORIZED;
    if (status == 402)
        return API_FAULT_QUOTA;
    if (status == 404)
        return API_FAULT_MISSING;
    if (status == 413)
        return API_FAULT_OVERFLOW;
    return kind_of_refusal(words);
}

void api_fault_read(long status, const struct buf *body,
                    struct api_fault *fault)
{
    struct words words = {.text = ""};
    struct cJSON *tree = NULL;
    struct err err;

    *fault = (struct api_fault){.kind = API_FAULT_OTHER};
    if (json_parse(buf_cstr(body), body->length, &tree, &err))
        read_error(find_error(tree), fault, &words);
    else
        clean_text_copy(fault->message, sizeof(fault->message), buf_cstr(body),
                        body->length);
    cJSON_Delete(tree);
    fault->kind = kind_of(status, &words);
}

enum err_code api_fault_code(const struct api_fault *fault, long status)
{
    switch (fault->kind) {
    case API_FAULT_UNAUTHORIZED:
        return ERR_UNAUTHORIZED;
    case API_FAULT_MISSING:
        return ERR_NOT_FOUND;
    case API_FAULT_PASSING:
    case API_FAULT_TOO_MUCH:
        return status == 429 ? ERR_BUSY : ERR_UNREACHABLE;
    case API_FAULT_QUOTA:
    case API_FAULT_OVERFLOW:
    case API_FAULT_FILTERED:
    case API_FAULT_OTHER:
        break;
    }
    return ERR_REMOTE;
}
