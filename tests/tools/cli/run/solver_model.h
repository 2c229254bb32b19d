/*
 * A "model" that solves tasks of the built-in phone from the requests: the
 * instruction, the list of elements, and the picture. It has no memory between
 * requests, and answers in the format of its family.
 */
#ifndef TESTS_TOOLS_CLI_RUN_SOLVER_MODEL_H
#define TESTS_TOOLS_CLI_RUN_SOLVER_MODEL_H

#include <pthread.h>

#include "tests/support/model_server.h"

struct solver_model {
    pthread_mutex_t lock; /* guards the rest */
    int pictures;         /* requests so far */
    char problem[256]; /* the last request that it could not parse; "": none */
};

/* For model_server_start; the context is a struct solver. */
model_server_fn solver_model_answer;

#endif
