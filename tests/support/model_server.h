/*
 * A server of models on loopback: the test defines the answer to each request,
 * which may be wrong.
 */
#ifndef TESTS_SUPPORT_MODEL_SERVER_H
#define TESTS_SUPPORT_MODEL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_server;

/* A request. Borrowed until the function returns. */
struct model_question {
    const char *method;
    const char *path;
    const char *body; /* a NUL follows */
    size_t size;
    int number; /* index of the request, from 0 */
    struct MHD_Connection *connection;
};

/* NULL if it has no such header. */
const char *model_question_header(const struct model_question *question,
                                  const char *name);

#define MODEL_ANSWER_HEADERS 8

struct model_answer {
    unsigned status;
    const char *type; /* NULL: application/json */
    struct {
        const char *name;
        const char *value;
    } headers[MODEL_ANSWER_HEADERS];
    char *body;        /* owned by the answer: malloc */
    size_t size;       /* of body; 0: up to its NUL */
    size_t cut;        /* close the connection after that many bytes */
    bool stalls;       /* stall after that many bytes */
    uint64_t repeated; /* repetitions of the body; 0: once */
};

/* Answer a request; called by several threads in parallel. */
typedef void model_server_fn(void *context,
                             const struct model_question *question,
                             struct model_answer *answer);

/* Fails the test if it cannot listen. */
struct model_server *model_server_start(model_server_fn *answer, void *context);
void model_server_stop(struct model_server *server);

uint16_t model_server_port(const struct model_server *server);
int model_server_questions(struct model_server *server);
int model_server_connections(struct model_server *server);

#endif
