/* What phones cost that nobody uses, measured in a process of their own. */
#ifndef TOOLS_BENCHMARK_MANY_PHONES_H
#define TOOLS_BENCHMARK_MANY_PHONES_H

#include <stdbool.h>

#include "base/err.h"

#define MANY_PHONES 32

struct many_phones {
    double one_mib;  /* memory of a process with one phone */
    double many_mib; /* with MANY_PHONES, each of which has shown its screen */
    double many_ms;  /* CPU time of those in a second without anybody */
};

/* Takes more than a second. */
MUST_USE bool many_phones_measure(struct many_phones *found, struct err *err);

#endif
