/*
 * What a part of a reply says to do: a verb and its arguments, found in
 * whatever notation they stand.
 */
#ifndef RUNNER_SAID_H
#define RUNNER_SAID_H

#include <cjson/cJSON.h>

#include "runner/reader.h"
#include "runner/verbs.h"

#define SAID_SCOPES_MAX 3

struct said {
    struct cJSON *value;     /* owned: all that was read */
    const struct verb *verb; /* static */

    /* Objects with arguments, the innermost first; they belong to value. */
    const struct cJSON *scopes[SAID_SCOPES_MAX];
    size_t scope_count;
    const struct cJSON *unnamed; /* arguments without a name, or NULL */
    const char *raw;             /* the arguments as they were written */
};

enum said_result {
    SAID_FOUND,
    SAID_NOTHING,
    SAID_CUT,     /* the last one is cut off */
    SAID_UNKNOWN, /* there is one, but nobody knows its verb */
};

#define SAID_NAME_SIZE 48

/* How a text is looked at. */
struct said_view {
    bool strict; /* it holds nothing but the action: a verb may stand alone,
                  * and a place alone means a click */
    bool first;  /* of several actions the first counts, not the last */
    bool whole;  /* it was not cut off */
};

/*
 * The thing said in text; of several in one list, the first. The caller
 * releases said when it was found; unknown gets the verb that nobody knows.
 */
MUST_USE enum said_result said_find(struct span text, struct said_view view,
                                    struct said *said,
                                    char unknown[SAID_NAME_SIZE]);
void said_release(struct said *said);

/*
 * The argument of one of these names (normalised, the better first, NULL
 * last). NULL for none, or for null.
 */
const struct cJSON *said_argument(const struct said *said,
                                  const char *const *names);

#endif
