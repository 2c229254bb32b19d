#include "runner/models/http.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

#define CONNECT_MS 30000L
#define KEEPALIVE_S 60L

/*
 * How much of a body is sent at once. Measured with 3 MB on loopback: large
 * pieces wake the reader less often, but many of them at once exceed the
 * caches.
 */
#define PIECE_CROWDED 131072L
#define CROWDED 4

/* One libcurl handle, used by one thread at a time. */
struct http_line {
    CURL *easy;
    CURLM *multi; /* keeps its connection open */
    struct http_line *next;
};

struct http {
    pthread_mutex_t lock;   /* guards idle and busy */
    struct http_line *idle; /* last used first: the others may be closed */
    size_t busy;            /* handles in use */
    char *authorities;      /* NULL: the system's */
};

bool http_open(const char *authorities, struct http **http, struct err *err)
{
    struct http *opened;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(err, ERR_IO, "libcurl cannot be initialized");
    opened = mem_new(1, sizeof(*opened));
    pthread_mutex_init(&opened->lock, NULL);
    opened->authorities = authorities ? mem_dup(authorities) : NULL;
    *http = opened;
    return true;
}

static void close_line(struct http_line *line)
{
    curl_easy_cleanup(line->easy);
    curl_multi_cleanup(line->multi);
    free(line);
}

void http_close(struct http *http)
{
    if (!http)
        return;
    while (http->idle) {
        struct http_line *line = http->idle;

        http->idle = line->next;
        close_line(line);
    }
    pthread_mutex_destroy(&http->lock);
    free(http->authorities);
    free(http);
    curl_global_cleanup();
}

/* *crowded: many are in use, so that each should send small pieces. */
static struct http_line *take_line(struct http *http, bool *crowded)
{
    struct http_line *line;

    pthread_mutex_lock(&http->lock);
    line = http->idle;
    if (line)
        http->idle = line->next;
    *crowded = ++http->busy > CROWDED;
    pthread_mutex_unlock(&http->lock);
    if (line)
        return line;
    line = mem_new(1, sizeof(*line));
    line->easy = curl_easy_init();
    line->multi = curl_multi_init();
    if (!line->easy || !line->multi)
        mem_out();
    return line;
}

static void give_line(struct http *http, struct http_line *line)
{
    pthread_mutex_lock(&http->lock);
    line->next = http->idle;
    http->idle = line;
    http->busy--;
    pthread_mutex_unlock(&http->lock);
}

void http_reply_release(struct http_reply *reply)
{
    buf_release(&reply->head);
    buf_release(&reply->body);
    reply->status = 0;
}

static bool is_header(const char *line, size_t length, const char *name)
{
    size_t wanted = strlen(name);

    return length > wanted && line[wanted] == ':' &&
           !strncasecmp(line, name, wanted);
}

bool http_header(const struct http_reply *reply, const char *name, char *value,
                 size_t size)
{
    const char *at = buf_cstr(&reply->head);

    for (const char *end; *at; at = end) {
        size_t length = strcspn(at, "\r\n");

        end = at + length + strspn(at + length, "\r\n");
        if (!is_header(at, length, name))
            continue;
        at += strlen(name) + 1;
        at += strspn(at, " \t");
        length = strcspn(at, "\r\n");
        if (length >= size)
            return false;
        memcpy(value, at, length);
        value[length] = '\0';
        return true;
    }
    return false;
}

/* ---- callbacks of libcurl ---- */

/* A running request. */
struct http_exchange {
    struct request_body_reader reader;
    struct http_reply *reply;
    size_t sent; /* number of pieces of the body sent */
    long piece;  /* size of a piece */
};

static size_t send_some(char *to, size_t size, size_t count, void *context)
{
    struct http_exchange *exchange = context;

    exchange->sent++;
    return exchange->reader.body
               ? request_body_read(&exchange->reader, to, size * count)
               : 0;
}

/* libcurl sends again when a kept connection was closed. */
static int rewind_body(void *context, curl_off_t offset, int origin)
{
    struct http_exchange *exchange = context;

    if (offset != 0 || origin != SEEK_SET)
        return CURL_SEEKFUNC_CANTSEEK;
    exchange->reader.piece = 0;
    exchange->reader.at = 0;
    return CURL_SEEKFUNC_OK;
}

static size_t take_some(char *data, size_t size, size_t count, void *context)
{
    struct http_exchange *exchange = context;

    buf_append(&exchange->reply->body, data, size * count);
    return exchange->reply->body.overflow ? 0 : size * count;
}

static size_t take_head(char *line, size_t size, size_t count, void *context)
{
    struct http_exchange *exchange = context;

    /* Each reply resets it: "100 Continue", a proxy's, the final one. */
    if (size * count > 5 && !strncmp(line, "HTTP/", 5))
        buf_clear(&exchange->reply->head);
    buf_append(&exchange->reply->head, line, size * count);
    return size * count;
}

/* ---- a request ---- */

static struct curl_slist *make_head(const char *const *headers)
{
    /* Waiting for "100 Continue" costs a round trip, and up to a second. */
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");

    list = curl_slist_append(list, "Content-Type: application/json");
    for (; headers && *headers; headers++)
        list = curl_slist_append(list, *headers);
    if (!list)
        mem_out();
    return list;
}

static void prepare(const struct http *http, CURL *easy,
                    const struct http_client_request *request,
                    struct http_exchange *exchange, struct curl_slist *head)
{
    curl_easy_reset(easy);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, exchange->piece);
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    /* One request per connection: HTTP/2 would only add flow control. */
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, KEEPALIVE_S);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "proctor/" PROCTOR_VERSION);
    if (http->authorities)
        curl_easy_setopt(easy, CURLOPT_CAINFO, http->authorities);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, head);
    if (!request->method || !strcmp(request->method, "POST"))
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
    else
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(
        easy, CURLOPT_POSTFIELDSIZE_LARGE,
        request->body ? (curl_off_t)request_body_size(request->body) : 0);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, send_some);
    curl_easy_setopt(easy, CURLOPT_READDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, rewind_body);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_some);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange);
}

enum err_code http_error_code(int result)
{
    /* NOLINTNEXTLINE(clang-diagnostic-switch-enum): libcurl has a hundred */
    switch (result) {
    case CURLE_OPERATION_TIMEDOUT:
        return ERR_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
        return ERR_UNREACHABLE;
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
        return ERR_CLOSED;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
        return ERR_DENIED;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return ERR_INVALID;
    default:
        return ERR_PROTOCOL;
    }
}

static bool fail(const struct http_reply *reply, CURLcode result,
                 struct err *err)
{
    if (reply->body.overflow)
        return err_set(err, ERR_LIMIT, "the reply is larger than %zu MiB",
                       HTTP_REPLY_MAX >> 20);
    return err_set(err, http_error_code((int)result), "%s",
                   curl_easy_strerror(result));
}

static bool finish(struct http_line *line, struct http_reply *reply, bool *done,
                   struct err *err)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(line->multi, &left))) {
        if (message->msg != CURLMSG_DONE)
            continue;
        *done = true;
        if (message->data.result != CURLE_OK)
            return fail(reply, message->data.result, err);
        curl_easy_getinfo(line->easy, CURLINFO_RESPONSE_CODE, &reply->status);
    }
    return true;
}

static bool perform(struct http_line *line,
                    const struct http_exchange *exchange, struct deadline by,
                    const struct cancel *cancel, struct err *err)
{
    struct curl_waitfd extra = {.fd = cancel_fd(cancel),
                                .events = CURL_WAIT_POLLIN};
    bool done = false;

    for (;;) {
        size_t sent = exchange->sent;
        int running;
        int left;

        if (curl_multi_perform(line->multi, &running) != CURLM_OK)
            return err_set(err, ERR_IO, "libcurl failed");
        if (!finish(line, exchange->reply, &done, err))
            return false;
        if (done)
            return true;
        /* libcurl sends one piece per call: continue at once after each. */
        if (exchange->sent != sent)
            continue;
        if (cancel_fired(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        left = deadline_left_ms(by);
        if (left == 0)
            return err_set(err, ERR_TIMEOUT, "no reply in time");
        if (curl_multi_poll(line->multi, &extra, cancel_fd(cancel) >= 0,
                            left < 0 ? 60000 : left, NULL) != CURLM_OK)
            return err_set(err, ERR_IO, "libcurl failed");
    }
}

bool http_send(struct http *http, const struct http_client_request *request,
               struct deadline by, const struct cancel *cancel,
               struct http_reply *reply, struct err *err)
{
    bool crowded;
    struct http_line *line = take_line(http, &crowded);
    struct http_exchange exchange = {.reader = {.body = request->body},
                                     .reply = reply,
                                     .piece = crowded ? PIECE_CROWDED
                                                      : HTTP_PIECE_MAX};
    struct curl_slist *head = make_head(request->headers);
    bool done;

    buf_clear(&reply->head);
    buf_clear(&reply->body);
    prepare(http, line->easy, request, &exchange, head);
    if (curl_multi_add_handle(line->multi, line->easy) != CURLM_OK)
        done = err_set(err, ERR_IO, "libcurl failed");
    else
        done = perform(line, &exchange, by, cancel, err);
    curl_multi_remove_handle(line->multi, line->easy);
    curl_easy_reset(line->easy); /* it points to released memory */
    curl_slist_free_all(head);
    give_line(http, line);
    if (!done)
        http_reply_release(reply);
    return done;
}
