/*
 * What a person does on a phone, as actions: the touches of fingers become
 * taps, swipes and the like when they are lifted.
 *
 * Not safe from several threads.
 */
#ifndef TOOLS_LIVE_PERSON_ACTIONS_H
#define TOOLS_LIVE_PERSON_ACTIONS_H

#include <stdbool.h>

#include "runner/touch/finger_gesture.h"
#include "tasks/task/action.h"
#include "tools/live/phone_view.h"

/* All zeros: no finger is on the screen. */
struct person_actions {
    struct finger_gesture fingers[2];
    bool pinches; /* both were down at the same time */
};

/*
 * A command was carried out. True: that was an action, or completed one, which
 * the caller releases.
 */
MUST_USE bool person_actions_add(struct person_actions *person,
                                 const struct view_command *command,
                                 struct action *action);

#endif
