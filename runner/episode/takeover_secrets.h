/*
 * Keeps the passwords of a person who takes over out of the episode: out of
 * what is stored, and out of what the agent gets afterwards.
 *
 *     secrets.active = true;           a person drives the phone
 *     observe, takeover_secrets_mask_screen
 *     takeover_secrets_mask_action     before an action is recorded
 *
 * From then on, the content of password fields is masked on every screen of the
 * episode. Before, nothing is: what an agent types is evidence.
 */
#ifndef RUNNER_EPISODE_TAKEOVER_SECRETS_H
#define RUNNER_EPISODE_TAKEOVER_SECRETS_H

#include "runner/observe/observer.h"
#include "runner/record/secret_fields.h"

struct takeover_secrets {
    struct secret_fields fields;
    bool active; /* a person has driven the phone */
};

void takeover_secrets_release(struct takeover_secrets *secrets);

/*
 * Mask the password fields in the observed tree, and paint over them in the
 * picture; over all of it where there is no tree, and the screen before had
 * such a field. Does nothing unless active. A failure leaves seen without
 * picture and tree.
 */
MUST_USE bool takeover_secrets_mask_screen(struct takeover_secrets *secrets,
                                           struct observation *seen,
                                           struct err *err);

/*
 * Mask an action of the person that types into a password field, by text or by
 * touches on the keyboard. seen is the screen before it. late: it may be a
 * later one, so that the field is not known; then every text is masked. True:
 * the action was masked.
 */
bool takeover_secrets_mask_action(const struct takeover_secrets *secrets,
                                  const struct observation *seen, bool late,
                                  struct action *action);

#endif
