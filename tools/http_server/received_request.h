/* A request as libwebsockets has received it: the texts that are kept of it. */
#ifndef TOOLS_HTTP_SERVER_RECEIVED_REQUEST_H
#define TOOLS_HTTP_SERVER_RECEIVED_REQUEST_H

#include <libwebsockets.h>

#include "tools/http_server/http_server.h"

#define REQUEST_HEADERS_MAX 32
#define REQUEST_ARGUMENTS_MAX 16

struct http_headers {
    const char *names[REQUEST_HEADERS_MAX]; /* borrowed, NULL last */
    char *values[REQUEST_HEADERS_MAX];      /* owned; NULL: none */
    char *arguments[REQUEST_ARGUMENTS_MAX]; /* owned: "token=abc" */
};

struct received_request {
    const char *method; /* static */
    char *path;         /* owned */
    struct http_headers headers;
};

/* The method of what is being received, before anything is copied. */
const char *received_method(struct lws *wsi);

/*
 * Copy the request of a connection, with the headers of http_request_header and
 * more, a table that may be NULL. False: some text is longer than the limits.
 */
MUST_USE bool received_request_read(struct received_request *request,
                                    struct lws *wsi, const char *const *more);
void received_request_release(struct received_request *request);

#endif
