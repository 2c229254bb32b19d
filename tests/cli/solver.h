/*
 * A "model" that does tasks of the built-in phone from what it is sent: the
 * instruction, the list of what is on the screen, and the picture. It keeps
 * nothing in mind between two questions, and answers as its family does.
 */
#ifndef TESTS_CLI_SOLVER_H
#define TESTS_CLI_SOLVER_H

#include <pthread.h>

#include "tests/support/model_server.h"

struct solver {
    pthread_mutex_t lock; /* guards the rest */
    int pictures;         /* that were seen */
    char problem[256];    /* what it could not understand; "": nothing */
};

/* For model_server_start; the context is a struct solver. */
model_server_fn solver_answer;

#endif
