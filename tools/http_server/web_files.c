#include "tools/http_server/web_files.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "base/sha256.h"
#include "tools/http_server/http_status.h"

#define ETAG_SIZE 35 /* half of a SHA-256, quotes and a NUL */

static const char *type_of(const char *name)
{
    static const struct {
        const char *ending;
        const char *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".woff2", "font/woff2"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(name, '.');

    for (size_t i = 0; ending && i < ARRAY_LEN(types); i++) {
        if (!strcmp(ending, types[i].ending))
            return types[i].type;
    }
    return "application/octet-stream";
}

static void answer_file(const struct web_file *file, struct http_server *server,
                        const struct http_request *request)
{
    const struct embedded_file *content =
        embedded_get(file->embedded, file->name);
    const char *known = http_request_header(request, "if-none-match");
    char hash[SHA256_HEX_SIZE];
    char etag[ETAG_SIZE];
    const struct http_header headers[] = {
        {"etag", etag}, {"cache-control", "no-cache"}, {NULL, NULL}};
    struct http_answer answer = {
        .status = STATUS_OK,
        .headers = headers,
        .body = BUF_INIT(content->length),
    };

    sha256_hex(content->text, content->length, hash);
    snprintf(etag, sizeof(etag), "\"%.32s\"", hash);
    if (known && !strcmp(known, etag)) {
        answer.status = STATUS_NOT_MODIFIED;
    } else {
        answer.type = type_of(file->name);
        buf_append(&answer.body, content->text, content->length);
    }
    http_server_answer(server, request->id, &answer);
}

static void refuse_method(struct http_server *server,
                          const struct http_request *request)
{
    static const struct http_header headers[] = {{"allow", "GET, HEAD"},
                                                 {NULL, NULL}};
    struct http_answer answer = {.status = STATUS_METHOD_NOT_ALLOWED,
                                 .headers = headers,
                                 .body = BUF_INIT(0)};

    http_server_answer(server, request->id, &answer);
}

bool web_files_answer(const struct web_file *files, size_t count,
                      struct http_server *server,
                      const struct http_request *request)
{
    bool reads =
        !strcmp(request->method, "GET") || !strcmp(request->method, "HEAD");
    size_t i = 0;

    while (i < count && strcmp(files[i].path, request->path) != 0)
        i++;
    if (i == count)
        return false;
    if (reads)
        answer_file(&files[i], server, request);
    else
        refuse_method(server, request);
    return true;
}
