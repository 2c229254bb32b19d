/* The names that models give to what they do, in all families' words. */
#ifndef RUNNER_VERBS_H
#define RUNNER_VERBS_H

#include "runner/reader.h"
#include "tasks/action.h"

enum verb_form {
    VERB_POINT,   /* at a point: click, long press, double tap */
    VERB_PATH,    /* from a point to another, or into a direction */
    VERB_SCROLL,  /* into a direction, perhaps at a point */
    VERB_TEXT,    /* with a text, perhaps at a point */
    VERB_WORDS,   /* with a text that may be missing */
    VERB_PLAIN,   /* nothing more to say */
    VERB_KEY,     /* a key whose name says what it does */
    VERB_STATUS,  /* an end whose status says which */
    VERB_GESTURE, /* two points: a click when they are one */
};

struct verb {
    const char *name; /* in lower case, letters and digits only */
    enum verb_form form;
    enum action_kind kind;
    enum action_direction direction;
};

/*
 * The verb of this name, whatever its case, with spaces, '_' or '-', and with
 * a module in front ("pyautogui.click"). NULL for none.
 */
const struct verb *verb_find(struct span name);

/* What pressing the key of this name does. */
MUST_USE bool verb_key(struct span name, enum action_kind *kind);

/* "success", "infeasible", ... */
MUST_USE bool verb_status(struct span name, enum action_kind *kind);

/* "up", "DOWN", "向左", "top to bottom" is none. */
MUST_USE bool verb_direction(struct span name,
                             enum action_direction *direction);

/* Lower case, without spaces, '_' and '-'. Cut where name is full. */
void verb_normalise(struct span text, char *name, size_t size);

#endif
