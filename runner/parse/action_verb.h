/* The names of actions in all families of models. */
#ifndef RUNNER_PARSE_ACTION_VERB_H
#define RUNNER_PARSE_ACTION_VERB_H

#include "runner/parse/loose_value.h"
#include "tasks/task/action.h"

enum action_verb_form {
    ACTION_VERB_POINT,   /* at a point: click, long press, double tap */
    ACTION_VERB_PATH,    /* from a point to another, or in a direction */
    ACTION_VERB_SCROLL,  /* in a direction, perhaps at a point */
    ACTION_VERB_TEXT,    /* with a text, perhaps at a point */
    ACTION_VERB_WORDS,   /* with a text that may be missing */
    ACTION_VERB_FIELD,   /* to the field with the focus, or one at a point */
    ACTION_VERB_PLAIN,   /* without arguments */
    ACTION_VERB_KEY,     /* a key, by its name */
    ACTION_VERB_STATUS,  /* an end, by its status */
    ACTION_VERB_GESTURE, /* two points: a click when they are one */
};

struct action_verb {
    const char *name; /* in lower case, letters and digits only */
    enum action_verb_form form;
    enum action_kind kind;
    enum action_direction direction;
};

/*
 * Find a verb by its name in any case, with spaces, '_' or '-', and with a
 * module in front ("pyautogui.click"). NULL: there is none.
 */
const struct action_verb *action_verb_find(struct text_span name);

/* Is its text followed by Enter: Holo's write_element_abs? */
bool action_verb_submits(const struct action_verb *verb);

/* Does its text take the place of the one there: Gemini's type_text_at? */
bool action_verb_replaces(const struct action_verb *verb);

/* The action of the key with this name. */
MUST_USE bool action_verb_key(struct text_span name, enum action_kind *kind);

/* "success", "infeasible", ... */
MUST_USE bool action_verb_status(struct text_span name, enum action_kind *kind);

/* "up", "DOWN", "向左"; "top to bottom" is not a direction. */
MUST_USE bool action_verb_direction(struct text_span name,
                                    enum action_direction *direction);

/* Convert to lower case without spaces, '_' and '-'. Truncated to size. */
void action_verb_normalise(struct text_span text, char *name, size_t size);

#endif
