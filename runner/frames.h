/*
 * Memory for whole frames, which all phones of a program take turns in using.
 * A frame is ten megabytes, and is needed for some milliseconds of a step:
 * whoever waits for an agent or a model holds none.
 */
#ifndef RUNNER_FRAMES_H
#define RUNNER_FRAMES_H

#include "adb/screenshot.h"
#include "base/picture.h"

struct frames;

struct frames *frames_open(void);
void frames_close(
    struct frames *frames); /* NULL is fine; all were given back */

/* A screen, decoded, and what is made of it. */
struct frame {
    struct picture screen;
    struct picture scaled;
};

void frame_release(struct frame *frame);

/*
 * One to use, with the memory of its last use. There are two more than cores:
 * who comes later waits, so nobody may wait for anything else who has one. Safe
 * from any thread.
 */
struct frame *frames_take(struct frames *frames);
void frames_give(struct frames *frames, struct frame *frame);

/*
 * The same to take a picture with that is not compressed on its way, for which
 * one waits: these are others than those above, and only a few phones at once
 * send so much.
 */
struct screenshot *frames_take_shot(struct frames *frames);
void frames_give_shot(struct frames *frames, struct screenshot *shot);

#endif
