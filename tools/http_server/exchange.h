/*
 * The HTTP part of the server: requests that are read, handled and answered.
 * All is called in the server's thread, but for exchanges_answer.
 */
#ifndef TOOLS_HTTP_SERVER_EXCHANGE_H
#define TOOLS_HTTP_SERVER_EXCHANGE_H

#include <pthread.h>

#include "tools/http_server/http_server.h"
#include "tools/http_server/received_request.h"

struct exchange;

struct exchanges {
    const struct http_server_options *options; /* borrowed */
    pthread_mutex_t lock; /* guards the list and the answers in it */
    struct exchange *first;
};

void exchanges_init(struct exchanges *exchanges,
                    const struct http_server_options *options);
/* All connections are closed. */
void exchanges_release(struct exchanges *exchanges);

/*
 * A request has come, except its body. *exchange is the one of the connection;
 * NULL: none is being handled. These are results of callbacks of libwebsockets:
 * not 0 closes the connection.
 */
int exchange_begin(struct exchanges *exchanges, struct lws *wsi, uint64_t id,
                   struct exchange **exchange);
int exchange_add_body(struct exchange *exchange, const void *data,
                      size_t length);
int exchange_end_body(struct exchanges *exchanges, struct exchange **exchange);
/* The connection can be written to. */
int exchange_write(struct exchanges *exchanges, struct exchange **exchange);

/* The connection is closed, or its exchange is done. */
void exchange_drop(struct exchanges *exchanges, struct exchange **exchange);

/* Answer without a handler, and close the connection. */
int exchange_refuse(struct lws *wsi, unsigned status);

/* http_server_answer, except waking up the server. */
void exchanges_answer(struct exchanges *exchanges, uint64_t id,
                      struct http_answer *answer);

/* The server was woken up: let what is answered be sent. */
void exchanges_schedule(struct exchanges *exchanges);

/* Close the connections of clients that wait for an answer and have left. */
void exchanges_check_clients(struct exchanges *exchanges);

/* What libwebsockets has does not count. */
bool exchanges_are_sending(struct exchanges *exchanges);

#endif
