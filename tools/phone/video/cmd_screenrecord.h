/* screenrecord: the screen as a file of video, or as a stream of H.264. */
#ifndef TOOLS_PHONE_VIDEO_CMD_SCREENRECORD_H
#define TOOLS_PHONE_VIDEO_CMD_SCREENRECORD_H

#include "tools/phone/shell/command.h"

/* A command_fn, whose context is a struct phone_video. */
int run_screenrecord(struct command_call *call);

#endif
