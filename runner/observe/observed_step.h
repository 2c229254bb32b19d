/* Describes a step between two observations, without a recorded episode. */
#ifndef RUNNER_OBSERVE_OBSERVED_STEP_H
#define RUNNER_OBSERVE_OBSERVED_STEP_H

#include "process_provider/summarize/step_description.h"
#include "runner/observe/observer.h"

/* All of it is borrowed. */
struct observed_step {
    const struct action *action;
    const struct observation *before;
    const struct observation *after; /* NULL: not observed */
    struct picture_access access;
    enum trajectory_block block;
    const char *blocked; /* why it was not carried out; NULL: it was */
};

/* Never fails: see step_describe. */
void observed_step_describe(const struct observed_step *step,
                            struct description *description);

#endif
