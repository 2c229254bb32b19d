/*
 * Replies of people, scripts and programs, with points in pixels of the phone.
 */
#ifndef RUNNER_AGENTS_AGENT_REPLY_H
#define RUNNER_AGENTS_AGENT_REPLY_H

#include "runner/agent.h"

/*
 * Parse an untrusted reply. Sets the text and either the action or the error of
 * reply. All notations of runner/parse/reply_parser.h are understood, such as
 * `click 10 20` and `{"action": "click", "x": 10, "y": 20}`.
 */
void agent_reply_parse(const char *text, size_t length, struct extent screen,
                       struct agent_reply *reply);

/* Set an action without a reply text. */
void agent_reply_set(enum action_kind kind, const char *text,
                     struct agent_reply *reply);

#endif
