/* The picture of a screen in an episode, read when it is first asked for. */
#ifndef PROCESS_PROVIDER_RECORDED_SCREEN_H
#define PROCESS_PROVIDER_RECORDED_SCREEN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/image.h"
#include "base/picture.h"
#include "tasks/trajectory.h"

struct recorded_screen {
    const struct trajectory *trajectory; /* borrowed, as is the next */
    const struct trajectory_file *file;  /* NULL: of no screen */
    struct picture picture;
    struct buf bytes;
    bool asked;
    bool there;
    struct err err; /* why it could not be read; ERR_NONE: nobody asked, or
                       there is none */
};

#define RECORDED_SCREEN_INIT                                                   \
    {                                                                          \
        .bytes = BUF_INIT(IMAGE_FILE_MAX)                                      \
    }

/* Be of another screen from now on, in the same memory. */
void recorded_screen_set(struct recorded_screen *screen,
                         const struct trajectory *trajectory,
                         const struct trajectory_file *file);

/* NULL when there is none, or it cannot be read. Fits struct scene. */
const struct picture *recorded_screen_picture(void *screen);

void recorded_screen_release(struct recorded_screen *screen);

#endif
