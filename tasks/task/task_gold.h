/*
 * Gold: one right way to do a task, as steps whose targets are found on the
 * current screen, or as a recorded trajectory.
 *
 *     {"do": "click", "at": {"text": "Sort"}}
 *     {"do": "click", "at": {"call": "shop.sort price_asc"}, "key_step": true}
 *     {"do": "type", "text": "headphones", "submit": true, "key_step": true}
 *     {"do": "answer", "text": "{price}"}
 *
 * key_step: the task is not done without this step. Key steps must come
 * in their order, except within a group: {"key_step": 2}.
 */
#ifndef TASKS_TASK_TASK_GOLD_H
#define TASKS_TASK_TASK_GOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/json/bilingual_text.h"
#include "tasks/task/action.h"
#include "tasks/task/node_selector.h"

#define TASK_GOLD_STEPS_MAX 200

struct task_gold_step {
    struct action action; /* points are filled in when the target is found */
    struct bilingual_text text;   /* of the action, while the language is open;
                               task_resolve moves it there */
    struct node_selector *target; /* owned; NULL: none is needed */
    struct node_selector *to;     /* of a drag; the same */
    bool key_step;
    int group; /* of key steps that may come in any order; 0: none */
};

struct task_gold {
    struct task_gold_step *steps;
    size_t count;
    char *trajectory; /* a recorded one, beside the suite; NULL: none */
};

void task_gold_release(struct task_gold *gold);
MUST_USE bool task_gold_from_json(const struct json *json,
                                  struct task_gold *gold, struct err *err);
struct cJSON *task_gold_to_json(const struct task_gold *gold);

#endif
