/* The proctor that was built beside the benchmark. */
#ifndef TOOLS_BENCHMARK_HARNESS_PROCTOR_PROGRAM_H
#define TOOLS_BENCHMARK_HARNESS_PROCTOR_PROGRAM_H

#include <stdbool.h>

#include "base/err.h"

/* Run "proctor VERB -s SERIAL A B" to its end; b may be NULL. */
MUST_USE bool proctor_program_run(const char *serial, const char *verb,
                                  const char *a, const char *b,
                                  struct err *err);

#endif
