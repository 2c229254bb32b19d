/*
 * A server of models on loopback: whoever starts it says what each question is
 * answered with, and may answer badly.
 */
#ifndef TESTS_SUPPORT_MODEL_SERVER_H
#define TESTS_SUPPORT_MODEL_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_server;

/* What was asked. Borrowed until the function returns. */
struct model_question {
    const char *path;
    const char *body; /* a NUL follows */
    size_t size;
    int number; /* from 0: which question it is */
    struct MHD_Connection *connection;
};

/* NULL: it has no such header. */
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
    size_t cut;        /* only so many bytes come, then the line is cut */
    bool stalls;       /* only so many bytes come, then nothing more */
    uint64_t repeated; /* the body comes so many times; 0: once */
};

/* Answer a question; called by several threads at once. */
typedef void model_server_fn(void *context,
                             const struct model_question *question,
                             struct model_answer *answer);

/* Fails the test when it cannot listen. */
struct model_server *model_server_start(model_server_fn *answer, void *context);
void model_server_stop(struct model_server *server);

uint16_t model_server_port(const struct model_server *server);
int model_server_questions(struct model_server *server);
int model_server_connections(struct model_server *server);

#endif
