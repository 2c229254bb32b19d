/* The screenshot of an episode, loaded when it is first needed. */
#ifndef PROCESS_PROVIDER_PICTURES_RECORDED_SCREEN_H
#define PROCESS_PROVIDER_PICTURES_RECORDED_SCREEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/picture.h"
#include "base/picture/picture_file.h"
#include "tasks/trajectory/trajectory.h"

struct recorded_screen {
    const struct trajectory *trajectory; /* borrowed, as is the next */
    const struct trajectory_file *file;  /* NULL: of no screen */
    struct picture picture;
    struct buf bytes;
    bool asked;
    bool there;
    struct err err; /* why it could not be loaded; ERR_NONE: it was, or was not
                       needed */
};

#define RECORDED_SCREEN_INIT                                                   \
    {                                                                          \
        .bytes = BUF_INIT(PICTURE_FILE_MAX)                                    \
    }

/* Switch to another screenshot, reusing the memory. */
void recorded_screen_set(struct recorded_screen *screen,
                         const struct trajectory *trajectory,
                         const struct trajectory_file *file);

/* NULL when there is none, or it cannot be read. Fits struct scene. */
const struct picture *recorded_screen_picture(void *screen);

void recorded_screen_release(struct recorded_screen *screen);

#endif
