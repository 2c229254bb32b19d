/*
 * The Structure Description Converter: what a step did, in one line, from the
 * tree of the screen it was done on, and from its picture where the tree has no
 * name for what was touched.
 *
 *     tapped checkbox 'Free cancellation', now on, in 'Filters'; screen
 *     'Hotels' of booking
 */
#ifndef PROCESS_PROVIDER_DESCRIBE_DESCRIBE_H
#define PROCESS_PROVIDER_DESCRIBE_DESCRIBE_H

#include <stdbool.h>

#include "process_provider/describe/node_context.h"
#include "process_provider/describe/node_label.h"
#include "process_provider/describe/tap_target.h"
#include "process_provider/pictures/visual_label.h"
#include "process_provider/text/line_builder.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"

#define DESCRIPTION_MAX LINE_BUILDER_MAX

/* The screen that a step was done on, as far as it is known. */
struct scene {
    const struct tree *tree; /* NULL: not known */
    const struct tree *next; /* the tree after the step; NULL: not known */
    /* Returns its picture, NULL for none; loaded only when it is needed. */
    const struct picture *(*picture)(void *from); /* NULL: there is none */
    void *from;
    const struct picture_access *access; /* NULL: pictures are not read */
    /*
     * Did the screen change after the step? Called only when the answer matters
     * for the words. NULL: not known.
     */
    bool (*changed)(void *after);
    void *after;
};

/* The description of a step, and of the control or text that it touched. */
struct description {
    bool touches; /* it is a touch at a point of a known tree; if not, the
                     members up to app are empty */
    struct tap_target target;
    enum role role;
    struct node_label label;
    struct node_neighbour
        near; /* of a target without a name; text "" if there is none */
    bool disabled;
    bool toggles;      /* the tap changes whether it is on */
    bool on;           /* its state after the tap */
    bool selected;     /* it was so before the tap */
    unsigned position; /* in its list, counting shown rows from 1; 0: none */
    unsigned shown;    /* how many the list shows */
    bool result;       /* of a search */
    struct node_context_cell cell; /* where it stands, if it has no name */
    struct phrase row;             /* title of the row that it is part of; "" */
    struct phrase inside;     /* heading of the section that it is in; "" */
    struct phrase screen;     /* the title; "" */
    struct phrase app;        /* "" */
    struct visual_label seen; /* in the picture, where that was looked at */
    struct err doubt; /* why the picture was not used; ERR_NONE: it was, or was
                         not needed */
    char text[DESCRIPTION_MAX]; /* the action, without the screen */
    char line[DESCRIPTION_MAX]; /* the whole */
};

/*
 * Describe a tap at (x, y). Never fails: a tap on nothing says so. Blocks for
 * some tenths of a second where OCR has to read the picture, and not after the
 * deadline of scene->access.
 *
 * A picture whose size does not fit the tree is not used, and doubt says so;
 * so it does when OCR fails.
 */
void describe_tap(const struct scene *scene, int x, int y,
                  struct description *description);

/*
 * Algorithm 1 of ProBench as published: the smallest clickable node around
 * the point, its text and content-desc; when both are empty its resource-id
 * and the texts of its children. The last of equally small ones. "" for none.
 */
void describe_plain(const struct tree *tree, int x, int y,
                    char line[DESCRIPTION_MAX]);

/* Describe any action in the same way; the scene is the screen before it. */
void describe_step(const struct scene *scene, const struct action *action,
                   struct description *description);

#endif
