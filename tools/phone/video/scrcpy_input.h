/* scrcpy's control messages, acting on the phone. Of one thread. */
#ifndef TOOLS_PHONE_VIDEO_SCRCPY_INPUT_H
#define TOOLS_PHONE_VIDEO_SCRCPY_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/scrcpy/scrcpy_options.h"
#include "base/buf.h"
#include "base/extent.h"
#include "tools/phone/video/phone_video.h"

struct scrcpy_input {
    struct phone_video *phone;            /* borrowed */
    const struct scrcpy_options *options; /* borrowed */
    bool is_down;                         /* a finger is on the screen */
    uint64_t pointer;                     /* its id */
    struct scrcpy_place {
        int x;
        int y;
    } last; /* where it was last, on the screen */
};

/*
 * Do what a message says. video is the size of the frames at present, 0 x 0
 * without video. An answer is appended to replies.
 */
void scrcpy_input_apply(struct scrcpy_input *input,
                        const struct scrcpy_control *control,
                        struct extent video, struct buf *replies);

/* The client has gone: a finger that is down is lifted. */
void scrcpy_input_end(struct scrcpy_input *input);

#endif
