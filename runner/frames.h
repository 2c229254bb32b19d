/*
 * Decoded frames that all phones of a program take turns in using. A frame is
 * ten megabytes, and is needed for some milliseconds of a step: whoever waits
 * for a phone or a model holds none.
 */
#ifndef RUNNER_FRAMES_H
#define RUNNER_FRAMES_H

#include "base/picture.h"

struct frames;

struct frames *frames_open(void);
void frames_close(
    struct frames *frames); /* NULL is fine; all were given back */

/*
 * One to use, with the memory of its last use. There are two more than cores:
 * who comes later waits, so nobody may wait for anything else who has one. Safe
 * from any thread.
 */
struct picture frames_take(struct frames *frames);
void frames_give(struct frames *frames, struct picture *picture);

#endif
