/*
 * The Structure Description Converter: what a step did, in one line of words,
 * from the tree of the screen it was done on, and from its picture where the
 * tree has no name for what was touched.
 *
 *     tapped checkbox 'Free cancellation', now on, in 'Filters'; screen
 *     'Hotels' of booking
 */
#ifndef PROCESS_PROVIDER_DESCRIBE_H
#define PROCESS_PROVIDER_DESCRIBE_H

#include <stdbool.h>

#include "process_provider/label.h"
#include "process_provider/line.h"
#include "process_provider/place.h"
#include "process_provider/seen.h"
#include "process_provider/target.h"
#include "process_provider/tree.h"
#include "tasks/action.h"

#define DESCRIPTION_MAX LINE_MAX_BYTES

/* The screen that a step was done on, as far as it is known. */
struct scene {
    const struct tree *tree; /* NULL: not known */
    /* Fetches its picture when that is needed; NULL for none, both times. */
    const struct picture *(*picture)(void *from);
    void *from;
};

/* What a tap means, part by part. */
struct description {
    struct target target;
    enum role role;
    struct label label;
    bool disabled;
    bool toggles;           /* the tap changes whether it is on */
    bool on;                /* what it is afterwards */
    bool selected;          /* it was so before the tap */
    unsigned position;      /* in its list, as far as shown, from 1; 0: none */
    unsigned shown;         /* how many the list shows */
    bool result;            /* of a search */
    struct place_cell cell; /* where it stands, if it has no name of its own */
    struct phrase row;      /* what the row is about that it is part of; "" */
    struct phrase inside;   /* the heading of what it is in; "" */
    struct phrase screen;   /* the title; "" */
    struct phrase app;      /* "" */
    struct seen seen;       /* in the picture, where that was looked at */
    char text[DESCRIPTION_MAX]; /* what was tapped, without where */
    char line[DESCRIPTION_MAX]; /* the whole */
};

/*
 * Describe a tap at (x, y). Never fails: a tap on nothing says so. Where the
 * picture must be read it takes some tenths of a second, and seconds at most.
 */
void describe_tap(const struct scene *scene, int x, int y,
                  struct description *description);

/*
 * Algorithm 1 of ProBench as it stands: the smallest clickable node around
 * the point, its text and content-desc; when both are empty its resource-id
 * and what its children say. The latest of equally small ones. "" for none.
 */
void describe_plain(const struct tree *tree, int x, int y,
                    char line[DESCRIPTION_MAX]);

/* Describe any action; the scene is what was on the screen before. */
void describe_step(const struct scene *scene, const struct action *action,
                   char line[DESCRIPTION_MAX]);

#endif
