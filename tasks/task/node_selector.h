/*
 * Properties of an element on the screen by which it is found again:
 * runner/observe/selector_find.h searches for it.
 *
 *     {"text": "Sort"}                      or its description
 *     {"text": ["Sort", "排序"], "role": "button", "nth": 1}
 *     {"id": "product_name", "nth": 1, "inside": {"id": "results"}}
 *     {"call": "shop.sort price_asc"}       on the built-in phone: the effect
 *                                           of a tap on it
 */
#ifndef TASKS_TASK_NODE_SELECTOR_H
#define TASKS_TASK_NODE_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/json/text_list.h"
#include "tasks/task/action.h"

struct node_selector {
    struct text_list text; /* one of them, the whole text, ignoring case and
                              blanks; or its description */
    struct text_list description; /* content-desc */
    struct text_list id;          /* with or without its package */
    char *class_name;             /* the last part is enough */
    char *role;                   /* one of process_provider/tree/role.h */
    char *path;                   /* indices from the root: "0/1/3" */
    int nth;                      /* of the matches, from 1; 0: the best */
    struct node_selector *inside; /* owned; NULL: anywhere */
    bool has_point;
    struct action_point point; /* its position */
    double relative_x;         /* where in it to touch; 0.5: the center */
    double relative_y;
    char *crop; /* a picture of it, beside suite or trajectory */
    char *call; /* only on the built-in phone */
};

void node_selector_release(struct node_selector *selector);
MUST_USE bool node_selector_from_json(const struct json *json,
                                      struct node_selector *selector,
                                      struct err *err);
struct cJSON *node_selector_to_json(const struct node_selector *selector);

#endif
