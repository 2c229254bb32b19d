/*
 * HTTP requests with libcurl: connections are reused, TLS is verified, and
 * proxies of the environment are used.
 */
#ifndef RUNNER_MODELS_HTTP_H
#define RUNNER_MODELS_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "runner/models/request_body.h"

#define HTTP_REPLY_MAX ((size_t)16 << 20)
#define HTTP_HEAD_MAX ((size_t)64 * 1024)
#define HTTP_PIECE_MAX 524288L /* of a body that is in memory as it is sent */

struct http;

/* authorities: file of trusted certificates; NULL: those of the system. */
MUST_USE bool http_open(const char *authorities, struct http **http,
                        struct err *err);
void http_close(
    struct http *http); /* NULL is fine; no request may be running */

struct http_client_request {
    const char *method; /* NULL: POST */
    const char *url;
    const char *const *headers;      /* "name: value"; the last is NULL */
    const struct request_body *body; /* of POST; NULL: none */
};

struct http_reply {
    long status;
    struct buf head; /* header lines of the last reply */
    struct buf body;
};

#define HTTP_REPLY_INIT                                                        \
    {                                                                          \
        .head = BUF_INIT(HTTP_HEAD_MAX), .body = BUF_INIT(HTTP_REPLY_MAX)      \
    }

void http_reply_release(struct http_reply *reply);

/* The value of a header; false: there is none, or it is too long. */
MUST_USE bool http_header(const struct http_reply *reply, const char *name,
                          char *value, size_t size);

/* The code of what libcurl reports (a CURLcode). */
enum err_code http_error_code(int result);

/*
 * Send a request, with JSON as its body, and wait for the whole reply of any
 * status. Several threads may do it at once; each has its own connection.
 * Redirects are not followed, as the key is only for the given server.
 *
 * On failure reply is empty: ERR_TIMEOUT, ERR_CANCELLED, ERR_UNREACHABLE,
 * ERR_CLOSED when the connection ended early, ERR_LIMIT for a reply that is too
 * long, ERR_DENIED for an untrusted certificate, ERR_PROTOCOL for a peer that
 * does not speak HTTP, ERR_INVALID for a bad URL.
 */
MUST_USE bool http_send(struct http *http,
                        const struct http_client_request *request,
                        struct deadline by, const struct cancel *cancel,
                        struct http_reply *reply, struct err *err);

#endif
