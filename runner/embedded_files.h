/* Data files built into the program: profiles, prices, the guard's lists,
 * pop-ups. */
#ifndef RUNNER_EMBEDDED_FILES_H
#define RUNNER_EMBEDDED_FILES_H

#include "base/embedded.h"

extern const struct embedded
    runner_files; /* such as "prompt/profiles/generic.json" */

#endif
