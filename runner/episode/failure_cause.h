/*
 * The cause of a failure in an episode, by the phase and the error: which part
 * failed, and whether to retry. docs/runs.md has the table.
 */
#ifndef RUNNER_EPISODE_FAILURE_CAUSE_H
#define RUNNER_EPISODE_FAILURE_CAUSE_H

#include "base/err.h"

enum episode_phase {
    EPISODE_PHASE_SETUP, /* preparing the phone for the task */
    EPISODE_PHASE_OBSERVE,
    EPISODE_PHASE_DECIDE,
    EPISODE_PHASE_ACT,
    EPISODE_PHASE_RECORD,
    EPISODE_PHASES,
};

enum failure_cause {
    FAILURE_CAUSE_NONE,
    FAILURE_CAUSE_PHONE,       /* void: the phone or its connection */
    FAILURE_CAUSE_SERVICE,     /* void: a service that the agent needs */
    FAILURE_CAUSE_TASK,        /* void: the task cannot begin on this phone */
    FAILURE_CAUSE_LACK,        /* the same: something must be installed first */
    FAILURE_CAUSE_FATAL,       /* void: every other episode would fail, too */
    FAILURE_CAUSE_INTERRUPTED, /* no end: the run was interrupted */
};

enum failure_cause failure_cause_of(enum episode_phase phase,
                                    enum err_code code);

#endif
