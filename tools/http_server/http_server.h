/*
 * A server for HTTP and WebSocket on one port, on top of libwebsockets: one
 * thread with an event loop; answers and messages from any thread.
 *
 *     client ──▶ request ──▶ handle (the server's thread)
 *                               │ now, or later from any thread
 *     client ◀── answer ◀── http_server_answer
 *
 *     client ──▶ upgrade ──▶ admit ──▶ on_message, ... ──▶ on_left
 *     client ◀── message ◀── http_server_send
 *
 * A slow client costs no thread: what it gets is sent in pieces, whenever its
 * socket is writable. Clients are bounded in number, in what they may send and
 * in what waits for them; when few more connections can come, those that do
 * nothing are closed.
 *
 * A page with a login, its files and a socket; the functions of pages are in
 * web_session.h and web_files.h:
 *
 *     static const struct web_file files[] = {
 *         {"/", &page_files, "index.html"},
 *         {"/page.js", &page_files, "page.js"},
 *     };
 *
 *     static void handle(void *context, const struct http_request *request)
 *     {
 *         struct page *page = context;
 *
 *         if (!web_session_admit(page->session, page->server, request))
 *             return; // it is answered: no login, another site, ...
 *         if (web_files_answer(files, ARRAY_LEN(files), page->server, request))
 *             return;
 *         ... http_server_answer(page->server, request->id, &answer);
 *     }
 *
 *     static int admit(void *context, const struct http_request *request,
 *                      uint64_t client)
 *     {
 *         return web_session_admit_socket(page->session, page->server,
 *                                         request);
 *     }
 *
 *     const struct http_server_options options = {
 *         .port = port,
 *         .body_max = 64 * 1024,
 *         .answer_headers = web_session_headers,
 *         .handle = handle,
 *         .sockets = {.clients = 32,
 *                     .message_max = 64 * 1024,
 *                     .queue_max = 16 << 20,
 *                     .admit = admit,
 *                     .on_message = on_message,
 *                     .on_left = on_left},
 *         .context = &page,
 *     };
 *
 *     if (!web_session_open(&page.session, err) ||
 *         !http_server_open(&options, &page.server, err) ||
 *         !http_server_start(page.server, err))
 *         ...
 *     web_session_url(page.session, page.server, &url); // with the token
 *
 *     // from any thread: a picture; one that was not sent yet is dropped
 *     http_server_send(page.server, &(struct socket_message){
 *         .binary = true, .key = PICTURE, .data = bytes, .length = length},
 *         viewers, viewer_count);
 */
#ifndef TOOLS_HTTP_SERVER_HTTP_SERVER_H
#define TOOLS_HTTP_SERVER_HTTP_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Connections at the same time, unless the options say otherwise; more of them
 * wait.
 */
#define HTTP_SERVER_CONNECTIONS 512

/* Bytes of the headers of a request; a longer request is refused. */
#define HTTP_SERVER_HEADER_MAX 16384

struct certificate;
struct http_server;

/* ---- HTTP ---- */

struct http_header {
    const char *name; /* in lower case */
    const char *value;
};

/* A request, valid during the call of the handler only. All is untrusted. */
struct http_request {
    uint64_t id;        /* for http_server_answer */
    const char *method; /* "GET", "POST", "DELETE", ...; "": another one */
    const char *path;   /* decoded, without the query */
    const char *body;   /* NUL-terminated */
    size_t length;
    const struct http_headers *headers;
};

/*
 * The value of a header, by its name in lower case; NULL: the request has none.
 * Known are those that the options name, and host, origin, cookie,
 * authorization, content-type, if-none-match, sec-fetch-site, sec-fetch-mode,
 * sec-fetch-dest.
 */
const char *http_request_header(const struct http_request *request,
                                const char *name);

/*
 * Copy an argument of the query: "token" of "/?token=abc". False: there is
 * none, or it is too long; value is then untouched.
 */
MUST_USE bool http_request_argument(const struct http_request *request,
                                    const char *name, char *value, size_t size);

/* A regular file, read piece by piece as it is sent. */
struct http_file {
    int fd;
    size_t length; /* 0: there is none */
};

struct http_answer {
    int status;
    const char *type; /* Content-Type; NULL: there is no body */
    /* more headers, beside those of the options; the last has no name. NULL:
     * none */
    const struct http_header *headers;
    struct buf body;       /* taken over by http_server_answer */
    struct http_file file; /* instead of body; taken over, and closed */
};

/* ---- WebSocket ---- */

struct socket_message {
    bool binary; /* false: text in UTF-8 */
    /*
     * A message with a key, not 0, replaces those with the same key that were
     * not sent yet: a slow viewer skips to the newest picture. The order of
     * what is sent stays the order of the calls.
     */
    uint32_t key;
    const void *data; /* what comes from clients is followed by a NUL */
    size_t length;
};

/*
 * The functions are called in the server's thread and must not block. Messages
 * are untrusted.
 */
struct socket_options {
    size_t clients;     /* the most at once; 0: there is no WebSocket */
    size_t message_max; /* a client that sends a longer one is dropped */
    /*
     * Bytes that wait for one client; it is dropped when there are more. Give
     * pictures a key, so that only the newest counts.
     */
    size_t queue_max;
    /*
     * May this client connect? 0: it may, and on_left follows in any case. Or
     * the HTTP status to refuse it with. NULL: all may that no page in a
     * browser has sent.
     */
    int (*admit)(void *context, const struct http_request *request,
                 uint64_t client);
    /* The connection is open; may be NULL. */
    void (*on_open)(void *context, uint64_t client);
    void (*on_message)(void *context, uint64_t client,
                       const struct socket_message *message);
    /* It is gone, and so is all that waited for it; may be NULL. */
    void (*on_left)(void *context, uint64_t client);
};

/* ---- the server ---- */

struct http_server_options {
    const char *address; /* a numeric one; NULL: 127.0.0.1 */
    uint16_t port;       /* 0: a free one */
    /* PEM files of the certificate, with its chain, and of its key; both NULL:
     * no TLS */
    const char *certificate;
    const char *private_key;
    size_t connections; /* 0: the default */
    size_t body_max;    /* longer requests are answered with 413 */
    /* names of more headers that the handler reads, lower case; the last is
     * NULL. NULL: none */
    const char *const *headers;
    /* headers of every answer; the last has no name. NULL: none */
    const struct http_header *answer_headers;
    /*
     * Called in the server's thread; must not block. It answers each request
     * once, during the call or later. NULL: every request is answered with 404.
     */
    void (*handle)(void *context, const struct http_request *request);
    /* The client of a request that was not answered has left; may be NULL. */
    void (*on_gone)(void *context, uint64_t id);
    struct socket_options sockets;
    void *context; /* of all functions */
};

/*
 * Listen; nothing is handled yet. options are copied, their tables and texts
 * are borrowed. Fails with ERR_BUSY when the address cannot be used, with
 * ERR_INVALID for one beyond loopback without TLS, or for a certificate that
 * cannot be used.
 */
MUST_USE bool http_server_open(const struct http_server_options *options,
                               struct http_server **server, struct err *err);
/* Stop, and close all connections; NULL is fine. */
void http_server_close(struct http_server *server);

/* Start the thread that handles requests. */
MUST_USE bool http_server_start(struct http_server *server, struct err *err);
/*
 * End the thread: no function of the options is called any more. Answers and
 * messages that were given before are sent; clients that do not read them are
 * waited for for two seconds.
 */
void http_server_stop(struct http_server *server);

uint16_t http_server_port(const struct http_server *server);
const char *http_server_address(const struct http_server *server);
/* As it was read when the server was opened; NULL: there is no TLS. */
const struct certificate *http_server_certificate(
    const struct http_server *server);

/*
 * Answer a request; its body, or file, is taken over. Safe from any thread.
 * Nothing happens if the client has left.
 */
void http_server_answer(struct http_server *server, uint64_t id,
                        struct http_answer *answer);

/*
 * Send a message to clients; it is copied once. Safe from any thread. Nothing
 * happens for clients that have left.
 */
void http_server_send(struct http_server *server,
                      const struct socket_message *message,
                      const uint64_t *clients, size_t count);

/* Close a connection behind all that was sent. Safe from any thread. */
void http_server_disconnect(struct http_server *server, uint64_t client);

#endif
