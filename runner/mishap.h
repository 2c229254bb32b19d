/*
 * What it means when something fails in an episode, by where it failed: whose
 * fault it is, and whether it is worth another try. docs/runs.md has the table
 * for people.
 */
#ifndef RUNNER_MISHAP_H
#define RUNNER_MISHAP_H

#include "base/err.h"

enum mishap_place {
    MISHAP_PREPARING, /* the phone, for the task */
    MISHAP_SEEING,
    MISHAP_DECIDING,
    MISHAP_ACTING,
    MISHAP_RECORDING,
    MISHAP_PLACES,
};

enum mishap {
    MISHAP_NONE,
    MISHAP_PHONE,       /* void: the phone or the way to it */
    MISHAP_SERVICE,     /* void: whatever the agent needs */
    MISHAP_TASK,        /* void: the task cannot begin on this phone */
    MISHAP_FATAL,       /* void: and nothing else would go better */
    MISHAP_INTERRUPTED, /* no end at all: somebody stopped us */
};

enum mishap mishap_of(enum mishap_place place, enum err_code code);

#endif
