/*
 * Does the gold of a task still work on a phone? A recorded one is replayed
 * (replay_task.h), also where its steps are written as well; other written
 * steps, and those of a recording in which a password was typed, are followed
 * as the agent "gold" does.
 */
#ifndef RUNNER_REPLAY_GOLD_CHECK_H
#define RUNNER_REPLAY_GOLD_CHECK_H

#include "runner/replay/replay_task.h"

/* All of it is borrowed. */
struct gold_check {
    struct device_session *session;
    const struct task *task; /* the suite's; it has gold */
    const char *locale;      /* of a built-in phone; NULL: as it is */
    const char *folder;      /* of the suite; NULL: none */
    struct popup_handlers *popups;
};

struct gold_check_end {
    bool works;
    int steps;                /* that were done */
    double confidence;        /* the lowest of a replay's targets; 1: none */
    char why[REPLAY_WHY_MAX]; /* why it does not work */
};

/*
 * Set up the task and follow its gold. That it does not work is no failure: end
 * says why. Fails when the phone is lost or it is cancelled.
 */
MUST_USE bool gold_check_run(const struct gold_check *check,
                             struct gold_check_end *end, struct err *err);

#endif
