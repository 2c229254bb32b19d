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
 * One to use: with the memory of its last use, if one is free. Never blocks:
 * there are as many as are used at once. Safe from any thread.
 */
struct picture frames_take(struct frames *frames);
void frames_give(struct frames *frames, struct picture *picture);

#endif
