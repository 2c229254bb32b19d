/*
 * Gold: one right way to do a task, as steps that are found on whatever screen
 * there is, or as a recorded trajectory.
 *
 *     {"do": "click", "at": {"text": "Sort"}}
 *     {"do": "click", "at": {"call": "shop.sort price_asc"}, "star": true}
 *     {"do": "type", "text": "headphones", "submit": true, "star": true}
 *     {"do": "answer", "text": "{price}"}
 *
 * A star says that the task is not done without the step. Stars must come in
 * their order, unless they have a group in common: {"star": 2}.
 */
#ifndef TASKS_GOLD_H
#define TASKS_GOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/action.h"
#include "tasks/phrasing.h"
#include "tasks/selector.h"

#define GOLD_STEPS_MAX 200

struct gold_step {
    struct action action;    /* points are filled in when it is found */
    struct phrasing text;    /* of the action, while the language is open;
                                task_resolve moves it there */
    struct selector *target; /* owned; NULL: none is needed */
    struct selector *to;     /* of a drag; the same */
    bool star;
    int group; /* of stars that may come in any order; 0: none */
};

struct gold {
    struct gold_step *steps;
    size_t count;
    char *trajectory; /* a recorded one, beside the suite; NULL: none */
};

void gold_release(struct gold *gold);
MUST_USE bool gold_from_json(const struct json *json, struct gold *gold,
                             struct err *err);
struct cJSON *gold_to_json(const struct gold *gold);

#endif
