/*
 * The summarizer that needs no model: what a step did and what came of it, in
 * one line, from the trees and the pictures before and after.
 *
 *     tapped 'Sort by'; a sheet with 'Price: low to high', 'Rating' opened
 */
#ifndef PROCESS_PROVIDER_SUMMARIZE_OFFLINE_H
#define PROCESS_PROVIDER_SUMMARIZE_OFFLINE_H

#include "process_provider/describe.h"
#include "process_provider/screendiff.h"
#include "process_provider/tree.h"
#include "tasks/action.h"

/*
 * How pixels are to be compared for it: pictures that went through another size
 * or through JPEG differ a little everywhere.
 */
#define SUMMARIZE_TOLERANCE 16

/* What is known of a step; NULL stands for what is not. */
struct summarize_view {
    const struct action *action;
    struct scene before;
    const struct tree *after;
    const struct screendiff *pixels;
};

/* Never fails: where nothing is known of the effect, it says the act alone. */
void summarize_offline(const struct summarize_view *view,
                       char line[DESCRIPTION_MAX]);

#endif
