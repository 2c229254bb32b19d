/*
 * Requests over HTTP, on libcurl: connections are kept and used again, TLS is
 * verified, proxies are honoured as the environment names them.
 */
#ifndef RUNNER_HTTP_H
#define RUNNER_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"
#include "runner/body.h"

#define HTTP_REPLY_MAX ((size_t)16 << 20)
#define HTTP_HEAD_MAX ((size_t)64 * 1024)
#define HTTP_PIECE_MAX 524288L /* of a body that is in memory as it is sent */

struct http;

/* authorities: a file of certificates to trust; NULL: those of the system. */
MUST_USE bool http_open(const char *authorities, struct http **http,
                        struct err *err);
void http_close(struct http *http); /* NULL is fine; nobody is asking */

struct http_request {
    const char *url;
    const char *const *headers; /* "name: value"; the last is NULL */
    const struct body *body;
};

struct http_reply {
    long status;
    struct buf head; /* the lines of the last answer's head */
    struct buf body;
};

#define HTTP_REPLY_INIT                                                        \
    {                                                                          \
        .head = BUF_INIT(HTTP_HEAD_MAX), .body = BUF_INIT(HTTP_REPLY_MAX)      \
    }

void http_reply_release(struct http_reply *reply);

/* The value of a header; false if there is none, or it does not fit. */
MUST_USE bool http_header(const struct http_reply *reply, const char *name,
                          char *value, size_t size);

/*
 * Send a body of JSON, and wait for the whole answer, whatever its status.
 * Any thread may, and several at once; each has a connection of its own.
 * Redirects are not followed: keys are for the server that was named.
 *
 * On failure reply is empty: ERR_TIMEOUT, ERR_CANCELLED, ERR_UNREACHABLE,
 * ERR_CLOSED when the connection ended early, ERR_LIMIT for an answer that is
 * too long, ERR_DENIED for a certificate that is not trusted, ERR_PROTOCOL for
 * what is not HTTP, ERR_INVALID for a URL that is none.
 */
MUST_USE bool http_post(struct http *http, const struct http_request *request,
                        struct deadline by, const struct cancel *cancel,
                        struct http_reply *reply, struct err *err);

#endif
