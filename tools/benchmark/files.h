/* The files that the benchmarks copy. */
#ifndef TOOLS_BENCHMARK_FILES_H
#define TOOLS_BENCHMARK_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * The same bytes, which no compression can shorten, in a file here and in one
 * of the device, whose files are a folder of ours.
 */
MUST_USE bool files_make(const char *here, const char *device_root,
                         const char *there, size_t size, struct err *err);

#endif
