/* Phones in a separate process, as real ones would be. */
#ifndef TOOLS_BENCHMARK_LOADS_PHONE_FARM_H
#define TOOLS_BENCHMARK_LOADS_PHONE_FARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Start a process with this many built-in phones whose clock is the computer's,
 * and learn where they listen. It ends with this one.
 */
MUST_USE bool phone_farm_start(size_t count, uint16_t *ports, struct err *err);

#endif
