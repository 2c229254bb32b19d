/*
 * What can be checked of an episode without a model: a pattern over its steps,
 * its last screen or its evidence. judge/rules evaluates it.
 *
 *     {"did": "sort.*(price|cheap)"}              a step with such a
 * description
 *     {"action": ["type"], "typed": "headphones"}
 *     {"target": "open now", "on": true}          a tap that turned it on
 *     {"target": "^start", "has": ["10", "00"]}   on a screen that shows both
 *     {"target": "^delete", "row": ["Lamp"]}      in a row that shows it
 *     {"action": "click", "gets": ["A", "B"]}     then one with A,
 *                                                 and B after it
 *     {"target": "lap", "times": 2, "reset_by": "reset"}  exactly two laps
 *     {"target": "^save", "times": 1, "reduced_by": "^remove"}  one more saved
 * than removed
 *     {"end": {"text": "Cart", "selected": true}} a node of the last screen
 *     {"evidence": "timeout", "is": "^120000$"}
 *     {"any": [...]}  {"all": [...]}  {"not": {...}}
 *     {"once": {...}}                             even if it was undone
 *
 * Patterns are PCRE2, caseless, and may differ by language (bilingual_text.h).
 * All members of one object must match the same step.
 */
#ifndef TASKS_TASK_EPISODE_CHECK_H
#define TASKS_TASK_EPISODE_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/json/bilingual_text.h"
#include "tasks/json/text_list.h"

enum episode_check_kind {
    EPISODE_CHECK_STEP,
    EPISODE_CHECK_END,
    EPISODE_CHECK_EVIDENCE,
    EPISODE_CHECK_ANY,
    EPISODE_CHECK_ALL,
    EPISODE_CHECK_NOT,  /* its only part */
    EPISODE_CHECK_ONCE, /* the same, even if it was undone */
};

enum tri_state {
    TRI_STATE_EITHER, /* not given */
    TRI_STATE_NO,
    TRI_STATE_YES,
};

struct episode_check {
    enum episode_check_kind kind;

    /* Of a step; NULL, 0 and EITHER: any. */
    struct bilingual_text did; /* its description: the action and its effect */
    struct bilingual_text target; /* the label of the touched element */
    struct bilingual_text typed;
    struct bilingual_text screen; /* a text on the screen that it was done on */
    struct bilingual_text shows;  /* a text on the screen after it */
    struct text_list has;         /* words of the screen that it was done on */
    struct text_list gets; /* words of the screen after it, in this order */
    struct text_list row;  /* words of the touched element, or of its row */
    uint32_t actions;      /* a bit per enum action_kind */
    enum tri_state on; /* the touched element is on, or selected, afterwards */
    enum tri_state dialog;            /* it is in a window above the screen */
    int times;                        /* the exact number of times; 0: any */
    struct bilingual_text reset_by;   /* a target that resets the count */
    struct bilingual_text reduced_by; /* a target that subtracts one */

    /* Of a node of the last screen. */
    struct bilingual_text text; /* its text, description or label */
    struct bilingual_text id;
    enum tri_state checked;
    enum tri_state selected;

    /* Of evidence. */
    char *evidence; /* its name */
    struct bilingual_text is;

    struct episode_check *parts; /* owned; of ANY, ALL, NOT */
    size_t part_count;
};

#define EPISODE_CHECK_DEPTH_MAX 8

struct cJSON *episode_check_to_json(const struct episode_check *check);

#endif
