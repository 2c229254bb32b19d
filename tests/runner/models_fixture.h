/* A model behind HTTP on loopback, for the tests of clients. */
#ifndef TESTS_RUNNER_MODELS_FIXTURE_H
#define TESTS_RUNNER_MODELS_FIXTURE_H

#include <stdint.h>

#include "base/buf.h"
#include "runner/models.h"
#include "tests/support/jumping_pace.h"
#include "tests/support/model_server.h"

/* Never said by anything but the environment. */
#define TEST_KEY "sk-test-7Qw9zK3mXb5vLp2R"

#define ANSWERS_MAX 16
#define PICTURE_SIZE 3000001 /* does not end with a whole group of base64 */

struct models_fixture {
    struct model_server *server;
    struct models *models;
    struct model *model;
    struct jumping_pace pace;
    struct spending spending;
    char folder[64]; /* of its own, removed afterwards */
    char cache[96];  /* a file in there */

    /* What is answered: one after the other, the last one for ever. */
    struct model_answer answers[ANSWERS_MAX];
    size_t answer_count;

    /* What was asked last. */
    pthread_mutex_t lock;
    struct buf asked;
    char path[256];
    char key_header[128];
    bool expected; /* there was an "Expect:" */
};

/* A model of that service ("openai") at a server that nobody pays. */
void fixture_start(struct models_fixture *fixture, const char *service,
                   const struct models_options *options);
void fixture_stop(struct models_fixture *fixture);

/* The next answer: a status and a body. Returns it, for more to be said. */
struct model_answer *fixture_answer(struct models_fixture *fixture,
                                    unsigned status, const char *body);

/* Ask "Hello" with the usual patience. */
bool fixture_ask(struct models_fixture *fixture, struct model_reply *reply,
                 struct err *err);

/* The services' names, and an answer of theirs that says text. */
extern const char *const fixture_services[4];
char *fixture_saying(const char *service, const char *text);

#endif
