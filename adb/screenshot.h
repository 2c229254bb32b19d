/* Pictures of the device's screen, in whatever way it offers. */
#ifndef ADB_SCREENSHOT_H
#define ADB_SCREENSHOT_H

#include <stdbool.h>

#include "adb/device.h"
#include "base/buf.h"
#include "base/picture.h"

enum screenshot_way {
    SCREENSHOT_ANY,         /* the first of the others that works */
    SCREENSHOT_PNG,         /* screencap -p: small, slow on the device */
    SCREENSHOT_RAW,         /* screencap: large, quick on the device */
    SCREENSHOT_FRAMEBUFFER, /* the framebuffer: service */
    SCREENSHOT_GZIP,        /* screencap, compressed there: for slow wires */
};

/*
 * A screenshot; its memory serves for the next one as well. A PNG is in bytes
 * exactly as the device made it, and picture means nothing then; the other
 * ways fill picture, and bytes mean nothing.
 */
struct screenshot {
    enum screenshot_way way; /* how it was taken; never ANY */
    struct buf bytes;
    struct buf packed; /* what arrived compressed */
    struct picture picture;
};

#define SCREENSHOT_INIT                                                        \
    {                                                                          \
        .bytes = BUF_INIT(PICTURE_BYTES_MAX + 64),                             \
        .packed = BUF_INIT(PICTURE_BYTES_MAX + 64), .picture = PICTURE_INIT    \
    }

void screenshot_release(struct screenshot *screenshot);

/*
 * Take one. Blocks; seconds are usual for PNG.
 *
 * Commands run in exec:, and when that is not offered or gives no picture
 * (some devices mix warnings into it), in shell v2. Devices that know neither
 * would damage the bytes, and are not asked.
 *
 * Fails with ERR_UNSUPPORTED when the device cannot; the message says what was
 * tried and how that went. On failure the screenshot's content is undefined.
 */
MUST_USE bool screenshot_take(struct device *device, enum screenshot_way way,
                              struct deadline by, struct screenshot *screenshot,
                              struct err *err);

/*
 * SCREENSHOT_GZIP in two parts: what waits for the device, and leaves little in
 * packed; and what waits for nothing, and needs memory for the frame.
 */
MUST_USE bool screenshot_fetch_packed(struct device *device, struct deadline by,
                                      struct screenshot *screenshot,
                                      struct err *err);
MUST_USE bool screenshot_unpack(struct screenshot *screenshot, struct err *err);

#endif
