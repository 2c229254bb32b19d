/* A phone over ADB, through its view, as the recorder sees it. */
#ifndef TOOLS_LIVE_RECORD_VIEW_H
#define TOOLS_LIVE_RECORD_VIEW_H

#include "runner/record/record_phone.h"
#include "tools/live/phone_view.h"

/*
 * view is borrowed. To capture is to observe: the screen has settled when it is
 * the same before and after its tree was read. Its state cannot be kept, and a
 * person acts. Never NULL.
 */
struct record_phone *record_view_open(struct phone_view *view,
                                      const char *serial);

#endif
