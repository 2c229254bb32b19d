/*
 * What is known of a thing on the screen, so that it can be found again:
 * a bundle of clues. runner/find.h looks for it.
 *
 *     {"text": "Sort"}                      or its description
 *     {"text": ["Sort", "排序"], "role": "button", "nth": 1}
 *     {"id": "product_name", "nth": 1, "inside": {"id": "results"}}
 *     {"call": "shop.sort price_asc"}       the built-in phone's own word for
 *                                           what a tap on it does
 */
#ifndef TASKS_SELECTOR_H
#define TASKS_SELECTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/action.h"
#include "tasks/texts.h"

struct selector {
    struct texts text; /* one of them, whole, but for case and blanks; or its
                          description */
    struct texts description; /* content-desc */
    struct texts id;          /* with or without its package */
    char *class_name;         /* its last part suffices */
    char *role;               /* as process_provider/role.h says */
    char *path;               /* places from the root: "0/1/3" */
    int nth;                  /* of those that fit, from 1; 0: the best */
    struct selector *inside;  /* owned; NULL: anywhere */
    bool has_point;
    struct action_point point; /* where it was */
    double relative_x;         /* where in it to touch; 0.5: the middle */
    double relative_y;
    char *crop; /* a picture of it, beside suite or trajectory */
    char *call; /* on the built-in phone alone */
};

void selector_release(struct selector *selector);
MUST_USE bool selector_from_json(const struct json *json,
                                 struct selector *selector, struct err *err);
struct cJSON *selector_to_json(const struct selector *selector);

#endif
