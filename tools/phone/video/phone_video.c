#include "tools/phone/video/phone_video.h"

#include "adb/scrcpy/scrcpy_wire.h"

void phone_video_init(struct phone_video *video, struct screen_context *screen,
                      struct virtual_clock *clock)
{
    *video = (struct phone_video){.screen = screen,
                                  .clipboard = BUF_INIT(SCRCPY_CLIPBOARD_MAX)};
    clock_follower_init(&video->follower, clock);
    pthread_mutex_init(&video->lock, NULL);
}

void phone_video_release(struct phone_video *video)
{
    buf_release(&video->clipboard);
    pthread_mutex_destroy(&video->lock);
    clock_follower_release(&video->follower);
}
