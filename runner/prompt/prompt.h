/*
 * Fills in the templates of a profile: {instruction}, {history} and others. All
 * other braces are kept, so that a published prompt can be used verbatim.
 */
#ifndef RUNNER_PROMPT_PROMPT_H
#define RUNNER_PROMPT_PROMPT_H

#include <stdbool.h>

#include "base/buf.h"
#include "runner/agent.h"
#include "runner/prompt/profile.h"

#define PROMPT_MAX ((size_t)8 << 20)

/* The input of the templates. All of it is borrowed. */
struct prompt {
    const struct profile *profile;
    const struct agent_view *view;
    struct extent picture; /* size of the picture as sent */
    size_t first; /* the first step that is a turn of the conversation */
};

/* Append a filled-in template; NULL: nothing. */
void prompt_fill(const struct prompt *prompt, const char *text,
                 struct buf *into);

/* Is {name} in the template? NULL: no. */
bool prompt_has(const char *text, const char *name);

/* Append an action with its points in the profile's coordinates. */
void prompt_action(const struct prompt *prompt, const struct action *action,
                   struct buf *into);

/*
 * The profile's tools with "{width}" and "{height}" filled in; NULL: none. The
 * caller frees it.
 */
char *prompt_tools(const struct profile *profile, struct extent picture);

#endif
