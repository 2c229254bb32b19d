/*
 * The one description of a recorded step. `proctor process`, the evidence that
 * judges read and exports all call step_describe, so that they say the same.
 */
#ifndef PROCESS_PROVIDER_SUMMARIZE_STEP_DESCRIPTION_H
#define PROCESS_PROVIDER_SUMMARIZE_STEP_DESCRIPTION_H

#include "process_provider/describe/describe.h"
#include "process_provider/pictures/recorded_screen.h"
#include "tasks/trajectory/trajectory.h"

enum process_source {
    PROCESS_OFFLINE,   /* the action and its effect */
    PROCESS_CONVERTER, /* the action alone */
    PROCESS_PLAIN,     /* the same, by ProBench's Algorithm 1 as published */
    PROCESS_SOURCES,
};

/* "offline", "converter", "plain". */
const char *process_source_name(enum process_source source);

/* A step, and the screens before and after it. All of it is borrowed. */
struct step_view {
    const struct action *action;
    const struct tree *before; /* NULL: not known */
    const struct tree *after;
    struct recorded_screen *before_screen;
    struct recorded_screen *after_screen;
    struct picture_access access; /* how pictures may be read */
    enum trajectory_block block;
    const char *blocked; /* why it was not carried out; NULL: not known */
};

/*
 * Describe a step: description->line is what judges and people read. One that
 * was blocked is described as not carried out.
 *
 * Never fails. A picture is loaded only when it is needed; if it cannot be
 * loaded, does not fit its tree, or OCR does not succeed, it is not used and
 * description->doubt says why. Blocks as describe_tap.
 */
void step_describe(const struct step_view *view, enum process_source source,
                   struct description *description);

#endif
