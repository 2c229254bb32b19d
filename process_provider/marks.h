/*
 * Marks on a screenshot that people and models see at once: bright, with a
 * light rim against dark screens and a dark one against light screens, and as
 * large as the picture needs them.
 */
#ifndef PROCESS_PROVIDER_MARKS_H
#define PROCESS_PROVIDER_MARKS_H

#include "base/box.h"
#include "base/picture.h"
#include "tasks/action.h"

#define MARK_RED 0xffe53935U
#define MARK_BLUE 0xff1e88e5U

/* The width of a thin line: a pixel or more, by the picture's size. */
int mark_unit(const struct picture *picture);

/* An outline around box. */
void mark_box(struct picture *picture, struct box box, uint32_t color);

/* A ring and a crosshair with a gap: what was tapped stays to be seen. */
void mark_tap(struct picture *picture, struct action_point at);

/* An arrow. Of no length, it is a ring. */
void mark_swipe(struct picture *picture, struct action_point from,
                struct action_point to);

/* What the action did to the screen, if it was done at a place. */
void mark_action(struct picture *picture, const struct action *action);

#endif
