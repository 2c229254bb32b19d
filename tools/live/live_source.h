/*
 * A way to get a phone's screen: pictures, or packets of an H.264 video. A
 * source has a thread, which calls the sink.
 */
#ifndef TOOLS_LIVE_LIVE_SOURCE_H
#define TOOLS_LIVE_LIVE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/log.h"
#include "base/picture/picture.h"

struct cancel;
struct device;
struct phone;

/* A packet of a video, borrowed during the call. */
struct live_source_packet {
    const void *bytes;
    size_t length;
    bool config;
    bool key;
    uint16_t width;
    uint16_t height;
    int64_t time_us;
};

/* Where a source delivers. All calls come from its thread. */
struct live_sink {
    /*
     * The whole screen; the picture is borrowed during the call. True if it
     * differs from the last one.
     */
    bool (*picture)(void *context, const struct picture *picture,
                    int64_t time_us);
    void (*video)(void *context, const struct live_source_packet *packet);
    /* It has ended, and delivers nothing more; not called after stop. */
    void (*failed)(void *context, const struct err *err);
    /*
     * Blocks while no watcher wants another frame, or it would come too soon
     * after the last one; false: the source is to stop. Sources of pictures
     * call it before each one.
     */
    bool (*wait_wanted)(void *context);
    void *context;
};

struct live_source;

struct live_source_ops {
    /* End it, block until its thread has ended, and free it. */
    void (*stop)(struct live_source *source);
    /* A watcher needs a key frame soon. NULL: there are none, or no way. */
    void (*request_key)(struct live_source *source);
    /* The phone was just used: the screen will change. NULL: nothing to do. */
    void (*hurry)(struct live_source *source);
};

/* The first member of every implementation. */
struct live_source {
    const struct live_source_ops *ops;
};

/*
 * Start sources. The phone or device is borrowed and must outlive the source.
 * They fail when no thread can be started or the phone refuses at once.
 */
MUST_USE bool source_builtin_start(struct phone *phone,
                                   const struct live_sink *sink,
                                   struct live_source **source,
                                   struct err *err);
MUST_USE bool source_screencap_start(struct device *device,
                                     const struct live_sink *sink,
                                     struct live_source **source,
                                     struct err *err);

#endif
