/*
 * Sources that pass an H.264 video of a phone over ADB through, undecoded: by
 * scrcpy's server, which also takes input, and by screenrecord.
 */
#ifndef TOOLS_LIVE_SOURCE_VIDEO_H
#define TOOLS_LIVE_SOURCE_VIDEO_H

#include <stdbool.h>

#include "tools/live/live_source.h"

struct scrcpy_client;

/*
 * Start scrcpy's server; server is its file, NULL: where scrcpy installs it.
 * *client, borrowed until the source is stopped, acts on the phone. device is
 * borrowed. Blocks for about a second; fails as scrcpy_client_open.
 */
MUST_USE bool source_scrcpy_start(struct device *device, const char *server,
                                  const struct live_sink *sink,
                                  struct live_source **source,
                                  struct scrcpy_client **client,
                                  struct err *err);

/* Start screenrecord. Fails as screenrecord_client_open. */
MUST_USE bool source_screenrecord_start(struct device *device,
                                        const struct live_sink *sink,
                                        struct live_source **source,
                                        struct err *err);

#endif
