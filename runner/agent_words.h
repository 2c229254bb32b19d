/* Actions as people, scripts and programs write them, in the phone's pixels. */
#ifndef RUNNER_AGENT_WORDS_H
#define RUNNER_AGENT_WORDS_H

#include "runner/agent.h"

/*
 * Take text, all of it foreign, as what the agent says: the reply gets it and
 * the action in it, or the reason why there is none. `click 10 20`,
 * `{"action": "click", "x": 10, "y": 20}` and all that parse.h knows will do.
 */
void agent_words(const char *text, size_t length, struct extent screen,
                 struct agent_reply *reply);

/* Say an action that needs no words. */
void agent_says(enum action_kind kind, const char *text,
                struct agent_reply *reply);

#endif
