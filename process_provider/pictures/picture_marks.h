/*
 * Marks on a screenshot that people and models see at once: bright, with a
 * light rim against dark screens and a dark one against light screens, and as
 * large as the picture needs them.
 */
#ifndef PROCESS_PROVIDER_PICTURES_PICTURE_MARKS_H
#define PROCESS_PROVIDER_PICTURES_PICTURE_MARKS_H

#include "base/picture/box.h"
#include "base/picture/picture.h"
#include "tasks/task/action.h"

#define PICTURE_MARK_RED 0xffe53935U
#define PICTURE_MARK_BLUE 0xff1e88e5U

/* The width of a thin line: a pixel or more, by the picture's size. */
int picture_mark_unit(const struct picture *picture);

/* An outline around box. */
void picture_mark_box(struct picture *picture, struct box box, uint32_t color);

/* A ring and a crosshair with a gap, so that the tapped spot stays visible. */
void picture_mark_tap(struct picture *picture, struct action_point at);

/* An arrow. Of no length, it is a ring. */
void picture_mark_swipe(struct picture *picture, struct action_point from,
                        struct action_point to);

/* What the action did to the screen, if it was done at a place. */
void picture_mark_action(struct picture *picture, const struct action *action);

#endif
