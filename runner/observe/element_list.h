/*
 * The elements of a screen as a numbered list: for agents that get it as text,
 * or that reply with a number drawn on the screenshot ("tap 7").
 */
#ifndef RUNNER_OBSERVE_ELEMENT_LIST_H
#define RUNNER_OBSERVE_ELEMENT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"
#include "process_provider/text/phrase.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"

#define ELEMENT_LIST_MAX 256

/* An element that takes taps or text, or has a text. Numbers count from 1. */
struct screen_element {
    struct box box; /* its visible part */
    struct phrase name;
    const char *role; /* such as "button"; static */
    uint16_t flags;   /* of enum tree_flag */
    bool acts;        /* it reacts to taps or input */
};

struct element_list {
    struct screen_element *items; /* owned */
    size_t count;
};

#define ELEMENT_LIST_INIT                                                      \
    {                                                                          \
        .items = NULL                                                          \
    }

void element_list_release(struct element_list *elements);

/* List them in the order of the tree; if there are too many, those that act. */
void element_list_build(const struct tree *tree, struct element_list *elements);

/* Draw a numbered box around each element that acts. */
void element_list_draw(const struct element_list *elements,
                       struct picture *picture);

/*
 * Find an element by the name that a person gives, in upper or lower case: the
 * whole name first, then its beginning, then a part of it; those that act come
 * before those that do not, and a row before what lies within it. Fails with
 * ERR_NOT_FOUND, and with ERR_INVALID when several fit equally well: the
 * message gives their numbers.
 */
MUST_USE bool element_list_find(const struct element_list *elements,
                                const char *name, int *number, struct err *err);

/* The centre of the element with that number; false: there is none. */
bool element_list_point(const struct element_list *elements, int number,
                        struct action_point *point);

#endif
