/* The cost of idle phones, measured in a separate process. */
#ifndef TOOLS_BENCHMARK_LOADS_IDLE_PHONES_H
#define TOOLS_BENCHMARK_LOADS_IDLE_PHONES_H

#include <stdbool.h>

#include "base/err.h"

#define IDLE_PHONES 32

struct idle_phones {
    double one_mib;  /* memory of a process with one phone */
    double many_mib; /* with IDLE_PHONES, each of which has shown its screen */
    double many_ms;  /* their CPU time in an idle second */
};

/* Takes more than a second. */
MUST_USE bool idle_phones_measure(struct idle_phones *found, struct err *err);

#endif
