/*
 * A person takes over the phone of an episode, and gives it back.
 *
 *     agent ──▶ episode ──▶ phone           the agent holds the lease
 *                  │
 *     person: control_lease_take            the agent's next action is refused
 *                  │
 *     person ──▶ phone, takeover_note ──▶ episode records the actions
 *                  │
 *     person: control_lease_give_back       the agent continues with the new
 * screen
 *
 * The time of the person does not count for the agent, nor do the person's
 * actions; both are recorded. Every function is safe from any thread.
 */
#ifndef RUNNER_EPISODE_TAKEOVER_H
#define RUNNER_EPISODE_TAKEOVER_H

#include "base/cancel.h"
#include "base/deadline.h"
#include "runner/device/control_lease.h"
#include "tasks/task/action.h"

/* Actions of a person that are not recorded yet; further ones are lost. */
#define TAKEOVER_ACTIONS_MAX 256

struct takeover {
    struct control_lease lease;
    int wake; /* owned; an eventfd: the lease or the actions changed */

    pthread_mutex_t lock; /* guards all below */
    struct takeover_action {
        struct action action; /* owned */
        size_t missed;        /* actions before it that found no room */
    } actions[TAKEOVER_ACTIONS_MAX];
    size_t first;
    size_t count;
    size_t missed; /* since the last one that found room */
};

MUST_USE bool takeover_init(struct takeover *takeover, struct err *err);
void takeover_release(struct takeover *takeover);

/*
 * A person has done this on the phone. The action is copied; text that follows
 * text which is not recorded yet becomes one action with it.
 */
void takeover_note(struct takeover *takeover, const struct action *action);

/*
 * Begin an episode: the agent holds the lease afterwards, and what persons did
 * before is forgotten. Blocks while a person holds it. Fails with
 * ERR_CANCELLED.
 */
MUST_USE bool takeover_begin(struct takeover *takeover,
                             const struct cancel *cancel, uint32_t *epoch,
                             struct err *err);

/* Is the lease of this epoch still held? */
bool takeover_holds(struct takeover *takeover, uint32_t epoch);

/* Are there actions of a person that were not taken by takeover_next? */
bool takeover_has_actions(struct takeover *takeover);

/*
 * The next action of the person, which the caller releases; blocks until there
 * is one. *missed gets the number of actions before it that are not known.
 * False: the person has given the phone back, or it was cancelled.
 */
MUST_USE bool takeover_next(struct takeover *takeover,
                            const struct cancel *cancel, struct action *action,
                            size_t *missed);

#endif
