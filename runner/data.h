/* Files of data that the program carries: profiles, prices, what the guard
 * denies. */
#ifndef RUNNER_DATA_H
#define RUNNER_DATA_H

#include "base/embedded.h"

extern const struct embedded runner_files; /* "profiles/generic.json" */

#endif
