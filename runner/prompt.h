/*
 * The texts that a model is told: a profile's, with what is known filled in
 * for {instruction}, {history} and the like. All other braces stay as they
 * are, so that a published prompt can be used word for word.
 */
#ifndef RUNNER_PROMPT_H
#define RUNNER_PROMPT_H

#include <stdbool.h>

#include "base/buf.h"
#include "runner/agent.h"
#include "runner/profile.h"

#define PROMPT_MAX ((size_t)8 << 20)

/* What a step's texts are made from. All of it is borrowed. */
struct prompt {
    const struct profile *profile;
    const struct agent_view *view;
    struct extent picture; /* as it is sent */
    size_t first;          /* steps from here on are told as turns */
};

/* Append a text of the profile, filled in; NULL: nothing. */
void prompt_fill(const struct prompt *prompt, const char *text,
                 struct buf *into);

/* Is {name} in the text? NULL has nothing. */
bool prompt_has(const char *text, const char *name);

/* Append a step's action, its points as the profile counts them. */
void prompt_action(const struct prompt *prompt, const struct action *action,
                   struct buf *into);

/* The profile's tools, with numbers for "{width}" and "{height}"; or NULL. */
char *prompt_tools(const struct profile *profile, struct extent picture);

#endif
