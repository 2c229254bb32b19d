/* A list of environment variables for a program. */
#ifndef RUNNER_DOORS_ENVIRONMENT_H
#define RUNNER_DOORS_ENVIRONMENT_H

#include <stddef.h>

#include "base/macros.h"

struct program_environment {
    char **items; /* owned; each NAME=VALUE, NULL last; NULL: empty */
    size_t count;
};

/* Add a variable, given as "NAME=FORMAT". */
PRINTF_LIKE(2, 3)
void environment_add(struct program_environment *environment,
                     const char *format, ...);

void environment_release(struct program_environment *environment);

#endif
