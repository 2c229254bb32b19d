#include "tools/http_server/exchange.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define ANSWER_HEADERS_MAX 8192
#define PIECE ((size_t)32 * 1024)
#define SILENCE_S 30 /* for a client that reads nothing */

/*
 * One request and its answer:
 *
 *     exchange_begin ──▶ READING ──exchange_end_body──▶ HANDLED
 *     HANDLED ──exchanges_answer──▶ ANSWERED
 *     ANSWERED ──exchange_write──▶ SENDING ──exchange_write──▶ freed
 */
enum exchange_state {
    EXCHANGE_READING,
    EXCHANGE_HANDLED,
    EXCHANGE_ANSWERED,
    EXCHANGE_SENDING,
};

struct exchange {
    struct exchange *next;
    uint64_t id;
    struct lws *wsi; /* borrowed */
    enum exchange_state state;
    struct received_request request;
    struct buf body;
    int status;
    struct buf headers; /* of the answer: "name:", "value", each with a NUL */
    struct buf answer;
    struct http_file file; /* owned; sent instead */
    size_t length;         /* of the answer that is sent: 0 for HEAD */
    size_t sent;
};

/* ---- the list ---- */

void exchanges_init(struct exchanges *exchanges,
                    const struct http_server_options *options)
{
    *exchanges = (struct exchanges){.options = options};
    pthread_mutex_init(&exchanges->lock, NULL);
}

void exchanges_release(struct exchanges *exchanges)
{
    pthread_mutex_destroy(&exchanges->lock);
}

static void close_file(const struct http_file *file)
{
    if (file->length)
        (void)close(file->fd);
}

static void exchange_free(struct exchange *exchange)
{
    received_request_release(&exchange->request);
    buf_release(&exchange->body);
    buf_release(&exchange->headers);
    buf_release(&exchange->answer);
    close_file(&exchange->file);
    free(exchange);
}

static struct exchange *exchange_add(struct exchanges *exchanges,
                                     struct lws *wsi, uint64_t id)
{
    struct exchange *made = mem_new(1, sizeof(*made));

    *made = (struct exchange){
        .id = id,
        .wsi = wsi,
        .body = BUF_INIT(exchanges->options->body_max),
        .headers = BUF_INIT(ANSWER_HEADERS_MAX),
    };
    pthread_mutex_lock(&exchanges->lock);
    made->next = exchanges->first;
    exchanges->first = made;
    pthread_mutex_unlock(&exchanges->lock);
    return made;
}

void exchange_drop(struct exchanges *exchanges, struct exchange **exchange)
{
    const struct http_server_options *options = exchanges->options;
    struct exchange *dropped = *exchange;
    struct exchange **at = &exchanges->first;
    bool unanswered;

    if (!dropped)
        return;
    *exchange = NULL;
    pthread_mutex_lock(&exchanges->lock);
    while (*at != dropped)
        at = &(*at)->next;
    *at = dropped->next;
    unanswered = dropped->state == EXCHANGE_HANDLED;
    pthread_mutex_unlock(&exchanges->lock);
    if (unanswered && options->on_gone)
        options->on_gone(options->context, dropped->id);
    exchange_free(dropped);
}

/* ---- requests ---- */

static bool has_body(const char *method)
{
    return !strcmp(method, "POST") || !strcmp(method, "PUT") ||
           !strcmp(method, "PATCH");
}

/* The length of the body that the client announces; false: it is no number. */
static bool announced_length(struct lws *wsi, unsigned long long *length)
{
    char text[32];
    char *end;
    int got =
        lws_hdr_copy(wsi, text, sizeof(text), WSI_TOKEN_HTTP_CONTENT_LENGTH);

    if (got <= 0 || strspn(text, "0123456789") != (size_t)got)
        return false;
    *length = strtoull(text, &end, 10);
    return true;
}

/*
 * 0, or the status of the refusal. Only some methods have a body: when a
 * request is answered before its body was read, libwebsockets stays busy with
 * it.
 */
static unsigned check_length(struct lws *wsi, const char *method,
                             size_t body_max, unsigned long long *length)
{
    *length = 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING))
        return HTTP_STATUS_LENGTH_REQUIRED;
    if (!lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH))
        return has_body(method) ? HTTP_STATUS_LENGTH_REQUIRED : 0;
    if (!announced_length(wsi, length) || (*length && !has_body(method)))
        return HTTP_STATUS_BAD_REQUEST;
    return *length > body_max ? HTTP_STATUS_REQ_ENTITY_TOO_LARGE : 0;
}

static void answer_not_found(struct exchanges *exchanges, uint64_t id)
{
    struct http_answer answer = {.status = HTTP_STATUS_NOT_FOUND,
                                 .body = BUF_INIT(0)};

    exchanges_answer(exchanges, id, &answer);
}

static int handle(struct exchanges *exchanges, struct exchange **exchange)
{
    const struct http_server_options *options = exchanges->options;
    struct exchange *handled = *exchange;
    const struct http_request request = {
        .id = handled->id,
        .method = handled->request.method,
        .path = handled->request.path,
        .body = buf_cstr(&handled->body),
        .length = handled->body.length,
        .headers = &handled->request.headers,
    };

    handled->state = EXCHANGE_HANDLED;
    /* The handler decides how long an answer takes. */
    lws_set_timeout(handled->wsi, NO_PENDING_TIMEOUT, 0);
    if (options->handle)
        options->handle(options->context, &request);
    else
        answer_not_found(exchanges, handled->id);
    return exchange_write(exchanges, exchange);
}

int exchange_refuse(struct lws *wsi, unsigned status)
{
    (void)lws_return_http_status(wsi, status, NULL);
    return -1;
}

int exchange_begin(struct exchanges *exchanges, struct lws *wsi, uint64_t id,
                   struct exchange **exchange)
{
    const char *method = received_method(wsi);
    unsigned long long length;
    unsigned status;
    struct received_request request;

    /* libwebsockets cannot keep requests that come before the last answer. */
    if (*exchange)
        return -1;
    status = check_length(wsi, method, exchanges->options->body_max, &length);
    if (status)
        return exchange_refuse(wsi, status);
    if (!received_request_read(&request, wsi, exchanges->options->headers))
        return exchange_refuse(wsi, HTTP_STATUS_BAD_REQUEST);
    *exchange = exchange_add(exchanges, wsi, id);
    (*exchange)->request = request;
    /* The end of an empty body is reported for this method only. */
    return length || !strcmp(method, "POST") ? 0 : handle(exchanges, exchange);
}

int exchange_add_body(struct exchange *exchange, const void *data,
                      size_t length)
{
    if (!exchange)
        return -1;
    buf_append(&exchange->body, data, length);
    return exchange->body.overflow ? -1 : 0;
}

int exchange_end_body(struct exchanges *exchanges, struct exchange **exchange)
{
    if (!*exchange || (*exchange)->state != EXCHANGE_READING)
        return -1;
    return handle(exchanges, exchange);
}

/* ---- answers ---- */

static void add_header(struct exchange *exchange, const char *name,
                       const char *value)
{
    buf_printf(&exchange->headers, "%s:", name);
    buf_byte(&exchange->headers, '\0');
    buf_text(&exchange->headers, value);
    buf_byte(&exchange->headers, '\0');
}

static void add_headers(struct exchange *exchange,
                        const struct http_header *headers)
{
    for (; headers && headers->name; headers++)
        add_header(exchange, headers->name, headers->value);
}

static size_t answer_length(const struct exchange *exchange)
{
    return exchange->file.length ? exchange->file.length
                                 : exchange->answer.length;
}

static void take_answer(struct exchanges *exchanges, struct exchange *exchange,
                        struct http_answer *answer)
{
    exchange->state = EXCHANGE_ANSWERED;
    exchange->status = answer->status;
    if (answer->type)
        add_header(exchange, "content-type", answer->type);
    add_headers(exchange, exchanges->options->answer_headers);
    add_headers(exchange, answer->headers);
    exchange->answer = answer->body;
    answer->body = (struct buf)BUF_INIT(0);
    exchange->file = answer->file;
    answer->file = (struct http_file){.length = 0};
    if (strcmp(exchange->request.method, "HEAD") != 0)
        exchange->length = answer_length(exchange);
}

void exchanges_answer(struct exchanges *exchanges, uint64_t id,
                      struct http_answer *answer)
{
    struct exchange *at;

    pthread_mutex_lock(&exchanges->lock);
    for (at = exchanges->first; at && at->id != id; at = at->next)
        continue;
    if (at && at->state == EXCHANGE_HANDLED)
        take_answer(exchanges, at, answer);
    pthread_mutex_unlock(&exchanges->lock);
    buf_release(&answer->body);
    close_file(&answer->file);
}

void exchanges_schedule(struct exchanges *exchanges)
{
    pthread_mutex_lock(&exchanges->lock);
    for (struct exchange *e = exchanges->first; e; e = e->next) {
        if (e->state == EXCHANGE_ANSWERED)
            lws_callback_on_writable(e->wsi);
    }
    pthread_mutex_unlock(&exchanges->lock);
}

static bool put_headers(const struct exchange *exchange)
{
    unsigned char text[LWS_PRE + ANSWER_HEADERS_MAX + 1024];
    unsigned char *at = text + LWS_PRE;
    unsigned char *end = text + sizeof(text) - 1;
    const char *stop = exchange->headers.data + exchange->headers.length;

    if (exchange->headers.overflow ||
        lws_add_http_common_headers(exchange->wsi, (unsigned)exchange->status,
                                    NULL, answer_length(exchange), &at, end))
        return false;
    for (const char *name = exchange->headers.data; name < stop;) {
        const char *value = name + strlen(name) + 1;

        if (lws_add_http_header_by_name(
                exchange->wsi, (const unsigned char *)name,
                (const unsigned char *)value, (int)strlen(value), &at, end))
            return false;
        name = value + strlen(value) + 1;
    }
    return !lws_finalize_write_http_header(exchange->wsi, text + LWS_PRE, &at,
                                           end);
}

static bool copy_piece(const struct exchange *exchange, unsigned char *piece,
                       size_t length)
{
    if (exchange->file.length) /* one that got shorter is not sent on */
        return pread(exchange->file.fd, piece, length, (off_t)exchange->sent) ==
               (ssize_t)length;
    memcpy(piece, exchange->answer.data + exchange->sent, length);
    return true;
}

/* Send the next piece; false: the connection is broken, or the file. */
static bool put_piece(struct exchange *exchange)
{
    unsigned char piece[LWS_PRE + PIECE];
    size_t left = exchange->length - exchange->sent;
    size_t length = left < PIECE ? left : PIECE;

    if (!copy_piece(exchange, piece + LWS_PRE, length))
        return false;
    exchange->sent += length;
    return lws_write(exchange->wsi, piece + LWS_PRE, length,
                     length == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) >=
           0;
}

/* The thread that answers changes it. */
static enum exchange_state state_of(struct exchanges *exchanges,
                                    const struct exchange *exchange)
{
    enum exchange_state state;

    pthread_mutex_lock(&exchanges->lock);
    state = exchange->state;
    pthread_mutex_unlock(&exchanges->lock);
    return state;
}

int exchange_write(struct exchanges *exchanges, struct exchange **exchange)
{
    struct exchange *written = *exchange;
    enum exchange_state state =
        written ? state_of(exchanges, written) : EXCHANGE_READING;
    struct lws *wsi;

    if (state < EXCHANGE_ANSWERED)
        return 0;
    wsi = written->wsi;
    if (state == EXCHANGE_ANSWERED) {
        written->state = EXCHANGE_SENDING;
        if (!put_headers(written))
            return -1;
    }
    if (written->sent < written->length && !put_piece(written))
        return -1;
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SILENCE_S);
    if (written->sent < written->length) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    /*
     * At once, as the client may have the answer and send the next request.
     * libwebsockets sends first what it still has of this one.
     */
    exchange_drop(exchanges, exchange);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

bool exchanges_are_sending(struct exchanges *exchanges)
{
    bool sending = false;

    pthread_mutex_lock(&exchanges->lock);
    for (const struct exchange *e = exchanges->first; e; e = e->next)
        sending = sending || e->state >= EXCHANGE_ANSWERED;
    pthread_mutex_unlock(&exchanges->lock);
    return sending;
}

/* ---- clients that leave ---- */

static bool is_closed(int fd)
{
    struct pollfd polled = {.fd = fd, .events = POLLRDHUP};

    return poll(&polled, 1, 0) > 0;
}

/*
 * libwebsockets does not read from a client that waits for its answer, and so
 * does not see that it left.
 */
void exchanges_check_clients(struct exchanges *exchanges)
{
    pthread_mutex_lock(&exchanges->lock);
    for (struct exchange *e = exchanges->first; e; e = e->next) {
        if ((e->state == EXCHANGE_HANDLED || e->state == EXCHANGE_ANSWERED) &&
            is_closed(lws_get_socket_fd(e->wsi)))
            lws_set_timeout(e->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    }
    pthread_mutex_unlock(&exchanges->lock);
}
