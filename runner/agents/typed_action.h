/*
 * Actions as a person types them: "tap Display", "tap 7", "swipe up", "type
 * hello".
 */
#ifndef RUNNER_AGENTS_TYPED_ACTION_H
#define RUNNER_AGENTS_TYPED_ACTION_H

#include "runner/agent.h"
#include "runner/observe/element_list.h"

/*
 * Parse a line into reply: an action, or the error why it has none. elements
 * are those of the screen; NULL: names are not understood. Fails with the
 * reason when it names an element that is not on the screen, or several: ask
 * again.
 */
MUST_USE bool typed_action_parse(const char *line,
                                 const struct element_list *elements,
                                 struct extent screen,
                                 struct agent_reply *reply, struct err *err);

/* Append the elements that act, by number and name: "7 Display", in lines. */
void typed_action_list(const struct element_list *elements, struct buf *text);

/* Append untrusted text, without control characters and not longer than a
   screen. */
void typed_action_put_clean(struct buf *text, const char *untrusted);

#endif
