/*
 * The call in a part of a reply: a verb and its arguments, found in any
 * notation.
 */
#ifndef RUNNER_PARSE_ACTION_CALL_H
#define RUNNER_PARSE_ACTION_CALL_H

#include <cjson/cJSON.h>

#include "runner/parse/action_verb.h"
#include "runner/parse/loose_value.h"

#define ACTION_CALL_SCOPES_MAX 3

struct action_call {
    struct cJSON *value;            /* owned: all that was read */
    const struct action_verb *verb; /* static */

    /* Objects with arguments, the innermost first; they belong to value. */
    const struct cJSON *scopes[ACTION_CALL_SCOPES_MAX];
    size_t scope_count;
    const struct cJSON *unnamed; /* arguments without a name, or NULL */
    const char *raw;             /* the arguments as they were written */
};

enum action_call_result {
    ACTION_CALL_FOUND,
    ACTION_CALL_NONE,
    ACTION_CALL_TRUNCATED, /* the last one is cut off */
    ACTION_CALL_UNKNOWN,   /* there is one, but its verb is unknown */
    ACTION_CALL_ENDLESS,   /* the limit of work was reached */
};

#define ACTION_CALL_NAME_SIZE 48

/* How a text is looked at. */
struct action_call_view {
    bool strict; /* it has only the action: a verb may stand alone, and a place
                    alone means a click */
    bool first;  /* of several actions the first counts, not the last */
    bool whole;  /* it was not cut off */
};

/*
 * Find the call in text; of several in one list, the first. The caller
 * releases call when it was found; work is charged; unknown gets the name of an
 * unknown verb.
 */
MUST_USE enum action_call_result action_call_find(
    struct text_span text, struct action_call_view view,
    struct parse_work *work, struct action_call *call,
    char unknown[ACTION_CALL_NAME_SIZE]);
void action_call_release(struct action_call *call);

/*
 * The argument of one of these names (normalised, the better first, NULL
 * last). NULL for none, or for null.
 */
const struct cJSON *action_call_argument(const struct action_call *call,
                                         const char *const *names);

#endif
