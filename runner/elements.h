/*
 * What is on a screen, as a numbered list: for agents that read it as text, or
 * that say "tap 7" where 7 is written on the picture.
 */
#ifndef RUNNER_ELEMENTS_H
#define RUNNER_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/box.h"
#include "base/buf.h"
#include "base/picture.h"
#include "process_provider/phrase.h"
#include "process_provider/tree.h"
#include "tasks/action.h"

#define ELEMENTS_MAX 256

/* Something that takes taps or text, or that can be read. Numbers from 1. */
struct element {
    struct box box; /* what of it is on the screen */
    struct phrase name;
    const char *role; /* such as "button"; static */
    uint16_t flags;   /* of enum tree_flag */
    bool acts;        /* it does something, rather than only says it */
};

struct elements {
    struct element *items; /* owned */
    size_t count;
};

#define ELEMENTS_INIT                                                          \
    {                                                                          \
        .items = NULL                                                          \
    }

void elements_release(struct elements *elements);

/* List them, in the order of the tree; of too many, those that act. */
void elements_list(const struct tree *tree, struct elements *elements);

/* Draw a box and its number around each that acts. */
void elements_draw(const struct elements *elements, struct picture *picture);

/* The middle of the one with that number; false: there is none. */
bool elements_point(const struct elements *elements, int number,
                    struct action_point *point);

#endif
