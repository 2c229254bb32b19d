/*
 * The summarizer that needs no model: what a step did and its effect, in one
 * line, from the trees and the pictures before and after.
 *
 *     tapped 'Sort by'; a sheet with 'Price: low to high', 'Rating' opened
 */
#ifndef PROCESS_PROVIDER_SUMMARIZE_SUMMARIZE_OFFLINE_H
#define PROCESS_PROVIDER_SUMMARIZE_SUMMARIZE_OFFLINE_H

#include "process_provider/describe/describe.h"
#include "process_provider/diff/screendiff.h"
#include "process_provider/tree/tree.h"
#include "tasks/task/action.h"

/*
 * How pixels are to be compared for it: pictures that went through another size
 * or through JPEG differ a little everywhere.
 */
#define SUMMARIZE_TOLERANCE 16

/* A step and its screens; NULL stands for what is not known. */
struct summarize_view {
    const struct action *action;
    struct scene before;      /* changed and after are not looked at */
    const struct tree *after; /* of the screen after the step */
    /*
     * Compares the pictures before and after; called only when the trees are
     * not sufficient. Returns NULL when a picture is missing.
     */
    const struct screendiff *(*pixels)(void *from);
    void *from;
};

/*
 * Describe the step, and append its effect to description->line. Never fails:
 * if the effect is not known, the line describes the action alone.
 */
void summarize_offline(const struct summarize_view *view,
                       struct description *description);

/*
 * Describe the action alone; its effect only decides whether "takes no taps"
 * may be said.
 */
void summarize_action(const struct summarize_view *view,
                      struct description *description);

#endif
