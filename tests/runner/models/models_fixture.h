/* A model behind HTTP on loopback, for the tests of clients. */
#ifndef TESTS_RUNNER_MODELS_MODELS_FIXTURE_H
#define TESTS_RUNNER_MODELS_MODELS_FIXTURE_H

#include <stdint.h>

#include "base/buf.h"
#include "runner/models/models.h"
#include "tests/support/fake_clock.h"
#include "tests/support/model_server.h"

/* Only the environment contains it. */
#define TEST_KEY "sk-test-7Qw9zK3mXb5vLp2R"

#define ANSWERS_MAX 16
#define PICTURE_SIZE 3000001 /* its length is no multiple of a base64 group */

struct models_fixture {
    struct model_server *server;
    struct models *models;
    struct model *model;
    struct fake_clock clock_ops;
    struct spending spending;
    char folder[64]; /* temporary, removed afterwards */
    char cache[96];  /* a file in there */

    /* The answers in turn; the last one is repeated. */
    struct model_answer answers[ANSWERS_MAX];
    size_t answer_count;

    /* The last request. */
    pthread_mutex_t lock;
    struct buf asked;
    char path[256];
    char key_header[128];
    bool expected; /* it had an "Expect:" header */
};

/* A model of that service ("openai") at a test server. */
void fixture_start(struct models_fixture *fixture, const char *service,
                   const struct models_options *options);
void fixture_stop(struct models_fixture *fixture);

/* Add an answer: a status and a body. Returns it, to set more members. */
struct model_answer *fixture_answer(struct models_fixture *fixture,
                                    unsigned status, const char *body);

/* Ask "Hello" with the default timeout. */
bool fixture_ask(struct models_fixture *fixture, struct model_reply *reply,
                 struct err *err);

/* The services' names, and an answer of each with that text. */
extern const char *const fixture_services[4];
char *fixture_saying(const char *service, const char *text);

#endif
