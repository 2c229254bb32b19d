/*
 * What can be checked of an episode without a model: a pattern over its steps,
 * its last screen or its evidence. judge/ looks; this is what it looks for.
 *
 *     {"did": "sort.*(price|cheap)"}              a step whose words say so
 *     {"action": ["type"], "typed": "headphones"}
 *     {"target": "open now", "on": true}          a tap that turned it on
 *     {"target": "^start", "has": ["10", "00"]}   on a screen that shows both
 *     {"action": "click", "gets": ["A", "B"]}     and led to one that shows A,
 *                                                 and B behind it
 *     {"target": "lap", "times": 2, "anew": "reset"}  two laps, and no third
 *     {"target": "^save", "times": 1, "less": "^remove"}  one more than removed
 *     {"end": {"text": "Cart", "selected": true}} a node of the last screen
 *     {"evidence": "timeout", "is": "^120000$"}
 *     {"any": [...]}  {"all": [...]}  {"not": {...}}
 *     {"once": {...}}                             whatever undid it later
 *
 * Patterns are PCRE2, caseless, and may differ by language (phrasing.h). All
 * that one object says of a step must hold of one and the same step.
 */
#ifndef TASKS_CHECK_H
#define TASKS_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/phrasing.h"
#include "tasks/texts.h"

enum check_kind {
    CHECK_STEP,
    CHECK_END,
    CHECK_EVIDENCE,
    CHECK_ANY,
    CHECK_ALL,
    CHECK_NOT,  /* of its one part */
    CHECK_ONCE, /* the same, which may be undone */
};

enum check_state {
    CHECK_EITHER, /* it does not matter */
    CHECK_NO,
    CHECK_YES,
};

struct check {
    enum check_kind kind;

    /* Of a step; all NULL, 0 and EITHER: does not matter. */
    struct phrasing did;    /* its words: the act and what came of it */
    struct phrasing target; /* the label of what was touched */
    struct phrasing typed;
    struct phrasing screen; /* a text on the screen that it was done on */
    struct phrasing shows;  /* a text on the screen that came of it */
    struct texts has;       /* words of the screen that it was done on */
    struct texts gets;      /* of the one that came of it, in this order */
    uint32_t actions;       /* a bit per enum action_kind */
    enum check_state on;    /* what it touched is on, or selected, afterwards */
    enum check_state dialog; /* it is in a window above the screen */
    int times;               /* so often, and not once more; 0: at all */
    struct phrasing anew;    /* a target from which on it is counted anew */
    struct phrasing less;    /* a target that takes one back */

    /* Of a node of the last screen. */
    struct phrasing text; /* its text, description or label */
    struct phrasing id;
    enum check_state checked;
    enum check_state selected;

    /* Of evidence. */
    char *evidence; /* its name */
    struct phrasing is;

    struct check *parts; /* owned; of ANY, ALL, NOT */
    size_t part_count;
};

#define CHECK_DEPTH_MAX 8

struct cJSON *check_to_json(const struct check *check);

#endif
