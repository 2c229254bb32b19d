/* The files that the benchmarks copy. */
#ifndef TOOLS_BENCHMARK_HARNESS_BENCH_FILES_H
#define TOOLS_BENCHMARK_HARNESS_BENCH_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * The same incompressible bytes in a local file and in one of the device, whose
 * files are a local folder.
 */
MUST_USE bool bench_files_make(const char *here, const char *device_root,
                               const char *there, size_t size, struct err *err);

#endif
