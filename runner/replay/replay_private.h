/* The parts of a replay. */
#ifndef RUNNER_REPLAY_REPLAY_PRIVATE_H
#define RUNNER_REPLAY_REPLAY_PRIVATE_H

#include "runner/record/masked_screen.h"
#include "runner/replay/replay.h"

struct replay {
    const struct replay_options *options;
    struct device_session *session; /* borrowed, as recorded */
    const struct trajectory *recorded;
    struct replay_end *end;
    struct screen_matcher matcher;
    struct observation seen;
    struct secret_fields secrets; /* of the recording and of seen screens */
    struct masked_screen stored;  /* the screen that was recorded last */
    enum trajectory_actor actor;  /* of the current step, if it is recorded */
    bool stopped;
};

/* False: there is none, or it cannot be read. tree is then empty. */
bool replay_load_tree(const struct replay *replay, size_t step,
                      struct tree *tree);
bool replay_load_screen(const struct replay *replay, size_t step,
                        struct picture *picture);

/* Observe the screen, without the pop-ups that may be dismissed. */
MUST_USE bool replay_observe(struct replay *replay, struct err *err);

/* Let time pass, and observe. */
MUST_USE bool replay_wait(struct replay *replay, struct err *err);

/* Perform an action, and record it. False: it stopped, or it failed. */
MUST_USE bool replay_perform(struct replay *replay, const struct action *action,
                             struct err *err);

/* Stop at a step. screen is the number of the expected screen. */
void replay_stop_at(struct replay *replay, size_t step, size_t screen,
                    enum replay_stop stop, const char *why);

/* A point of the recorded screen on the current one. */
struct action_point replay_scale(const struct replay *replay,
                                 struct action_point point);

/*
 * Find the target of a step on the current screen, wait for it and scroll to it
 * if necessary; log gets the confidence and the reason. It stops if the target
 * is not there.
 */
MUST_USE bool replay_find(struct replay *replay, size_t step,
                          struct action_point *at, struct replay_step *log,
                          struct err *err);

/*
 * Wait until the current screen shows what a person has marked on the recorded
 * one, if anything. It stops if that does not come.
 */
MUST_USE bool replay_await_mark(struct replay *replay, size_t screen,
                                struct err *err);

/* Is the target of a step on the current screen, beyond doubt? */
bool replay_shows_target(const struct replay *replay, size_t step);

/*
 * Compare the screen with the recorded one before the first step (done is
 * NULL), or after a step. It stops if they differ.
 */
MUST_USE bool replay_compare(struct replay *replay, size_t screen,
                             const struct action *done, struct replay_step *log,
                             struct err *err);

#endif
