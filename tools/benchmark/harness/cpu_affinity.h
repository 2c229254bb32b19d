/* The cores that this process and its children run on. */
#ifndef TOOLS_BENCHMARK_HARNESS_CPU_AFFINITY_H
#define TOOLS_BENCHMARK_HARNESS_CPU_AFFINITY_H

#include <sched.h>
#include <stdbool.h>

#include "base/err.h"

struct cpu_affinity {
    cpu_set_t all; /* that we may use */
    cpu_set_t one;
};

MUST_USE bool cpu_affinity_init(struct cpu_affinity *cpu_affinity,
                                struct err *err);
MUST_USE bool cpu_affinity_use_all(const struct cpu_affinity *cpu_affinity,
                                   struct err *err);
MUST_USE bool cpu_affinity_use_one(const struct cpu_affinity *cpu_affinity,
                                   struct err *err);

#endif
