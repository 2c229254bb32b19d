/* Which cores this process and those it starts from now on run on. */
#ifndef TOOLS_BENCHMARK_CORES_H
#define TOOLS_BENCHMARK_CORES_H

#include <sched.h>
#include <stdbool.h>

#include "base/err.h"

struct cores {
    cpu_set_t all; /* that we may run on */
    cpu_set_t one;
};

MUST_USE bool cores_init(struct cores *cores, struct err *err);
MUST_USE bool cores_use_all(const struct cores *cores, struct err *err);
MUST_USE bool cores_use_one(const struct cores *cores, struct err *err);

#endif
