#include "tools/http_server/received_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"

#define NAME_MAX_BYTES 64

/* ---- headers ---- */

/* Its index if libwebsockets knows the header; -1: it does not. */
static int known_header(const char *name)
{
    size_t length = strlen(name);

    for (int i = 0; i < WSI_TOKEN_COUNT; i++) {
        const char *known =
            (const char *)lws_token_to_string((enum lws_token_indexes)i);

        if (known && !strncmp(known, name, length) &&
            !strcmp(known + length, ":"))
            return i;
    }
    return -1;
}

/* *value is NULL when there is none; false: it is too long. */
static bool copy_known(struct lws *wsi, enum lws_token_indexes token,
                       char **value)
{
    char text[HTTP_SERVER_HEADER_MAX];
    int length;

    *value = NULL;
    if (!lws_hdr_total_length(wsi, token))
        return true;
    length = lws_hdr_copy(wsi, text, sizeof(text), token);
    if (length < 0)
        return false;
    *value = mem_dup_n(text, (size_t)length);
    return true;
}

static bool copy_unknown(struct lws *wsi, const char *name, char **value)
{
    char text[HTTP_SERVER_HEADER_MAX];
    char custom[NAME_MAX_BYTES];
    int named = snprintf(custom, sizeof(custom), "%s:", name);
    int length = lws_hdr_custom_length(wsi, custom, named);

    *value = NULL;
    if (length < 0)
        return true;
    length = lws_hdr_custom_copy(wsi, text, sizeof(text), custom, named);
    if (length < 0)
        return false;
    *value = mem_dup_n(text, (size_t)length);
    return true;
}

static bool copy_header(struct lws *wsi, const char *name, char **value)
{
    int known = known_header(name);

    return known < 0 ? copy_unknown(wsi, name, value)
                     : copy_known(wsi, (enum lws_token_indexes)known, value);
}

static void add_names(struct http_headers *headers, size_t *count,
                      const char *const *names)
{
    while (*names && *count < REQUEST_HEADERS_MAX - 1)
        headers->names[(*count)++] = *names++;
}

static bool copy_headers(struct lws *wsi, const char *const *more,
                         struct http_headers *headers)
{
    static const char *const usual[] = {
        "host",           "origin",
        "cookie",         "authorization",
        "content-type",   "if-none-match",
        "sec-fetch-site", "sec-fetch-mode",
        "sec-fetch-dest", NULL,
    };
    size_t count = 0;

    add_names(headers, &count, usual);
    if (more)
        add_names(headers, &count, more);
    for (size_t i = 0; i < count; i++) {
        if (!copy_header(wsi, headers->names[i], &headers->values[i]))
            return false;
    }
    return true;
}

const char *http_request_header(const struct http_request *request,
                                const char *name)
{
    const struct http_headers *headers = request->headers;

    for (size_t i = 0; headers->names[i]; i++) {
        if (!strcmp(headers->names[i], name))
            return headers->values[i];
    }
    return NULL;
}

/* ---- arguments ---- */

/* The first ones; more are not needed. */
static void copy_arguments(struct lws *wsi, struct http_headers *headers)
{
    char text[HTTP_SERVER_HEADER_MAX];

    for (int i = 0; i < REQUEST_ARGUMENTS_MAX; i++) {
        int length = lws_hdr_copy_fragment(wsi, text, sizeof(text),
                                           WSI_TOKEN_HTTP_URI_ARGS, i);

        if (length < 0)
            return;
        headers->arguments[i] = mem_dup_n(text, (size_t)length);
    }
}

bool http_request_argument(const struct http_request *request, const char *name,
                           char *value, size_t size)
{
    size_t named = strlen(name);

    for (size_t i = 0; i < REQUEST_ARGUMENTS_MAX; i++) {
        const char *argument = request->headers->arguments[i];

        if (!argument || strncmp(argument, name, named) != 0 ||
            argument[named] != '=')
            continue;
        if (strlen(argument + named + 1) >= size)
            return false;
        memcpy(value, argument + named + 1, strlen(argument + named + 1) + 1);
        return true;
    }
    return false;
}

/* ---- the request ---- */

static const struct {
    enum lws_token_indexes token;
    const char *name;
} methods[] = {
    {WSI_TOKEN_GET_URI, "GET"},         {WSI_TOKEN_POST_URI, "POST"},
    {WSI_TOKEN_PUT_URI, "PUT"},         {WSI_TOKEN_PATCH_URI, "PATCH"},
    {WSI_TOKEN_HEAD_URI, "HEAD"},       {WSI_TOKEN_DELETE_URI, "DELETE"},
    {WSI_TOKEN_OPTIONS_URI, "OPTIONS"},
};

/* Its index in methods; their number: another one. */
static size_t find_method(struct lws *wsi)
{
    size_t i = 0;

    while (i < ARRAY_LEN(methods) &&
           !lws_hdr_total_length(wsi, methods[i].token))
        i++;
    return i;
}

const char *received_method(struct lws *wsi)
{
    size_t method = find_method(wsi);

    return method < ARRAY_LEN(methods) ? methods[method].name : "";
}

bool received_request_read(struct received_request *request, struct lws *wsi,
                           const char *const *more)
{
    size_t method = find_method(wsi);

    *request = (struct received_request){.method = received_method(wsi)};
    if (method < ARRAY_LEN(methods) &&
        copy_known(wsi, methods[method].token, &request->path) &&
        copy_headers(wsi, more, &request->headers)) {
        copy_arguments(wsi, &request->headers);
        return true;
    }
    received_request_release(request);
    return false;
}

void received_request_release(struct received_request *request)
{
    free(request->path);
    for (size_t i = 0; i < REQUEST_HEADERS_MAX; i++)
        free(request->headers.values[i]);
    for (size_t i = 0; i < REQUEST_ARGUMENTS_MAX; i++)
        free(request->headers.arguments[i]);
    *request = (struct received_request){.method = ""};
}
