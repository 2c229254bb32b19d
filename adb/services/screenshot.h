/* Screenshots of the device, by any method that it supports. */
#ifndef ADB_SERVICES_SCREENSHOT_H
#define ADB_SERVICES_SCREENSHOT_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "base/buf.h"
#include "base/picture/picture.h"

enum screenshot_way {
    SCREENSHOT_ANY,         /* the first of the others that works */
    SCREENSHOT_PNG,         /* screencap -p: small, slow on the device */
    SCREENSHOT_RAW,         /* screencap: large, fast on the device */
    SCREENSHOT_FRAMEBUFFER, /* the framebuffer: service */
    SCREENSHOT_GZIP,        /* screencap, compressed on the device: for slow
                               connections */
};

/*
 * A screenshot; can be reused for the next one. With SCREENSHOT_PNG, bytes
 * holds the PNG exactly as the device made it, and picture is undefined; the
 * other methods fill picture, and bytes is undefined.
 */
struct screenshot {
    enum screenshot_way way; /* how it was taken; never ANY */
    struct buf bytes;
    struct buf packed; /* the compressed bytes that arrived */
    struct picture picture;
};

#define SCREENSHOT_INIT                                                        \
    {                                                                          \
        .bytes = BUF_INIT(PICTURE_BYTES_MAX + 64),                             \
        .packed = BUF_INIT(PICTURE_BYTES_MAX + 64), .picture = PICTURE_INIT    \
    }

void screenshot_release(struct screenshot *screenshot);

/*
 * Take a screenshot. Blocks; PNG usually takes seconds.
 *
 * Needs memory for the frame that the first bytes announce, at most four times
 * its size, whatever the device sends.
 *
 * Commands run in exec:, and when that gives no picture (some devices mix
 * warnings into it), in shell v2.
 *
 * Fails with ERR_UNSUPPORTED when the device cannot do it; the message says
 * what was tried and with which result. On failure the content of the
 * screenshot is undefined.
 */
MUST_USE bool screenshot_take(struct device *device, enum screenshot_way way,
                              struct deadline by, struct screenshot *screenshot,
                              struct err *err);

/*
 * Fill picture from a PNG, too. Fails as png_decode for a PNG with damaged or
 * truncated image data, which screenshot_take does not detect.
 */
MUST_USE bool screenshot_decode(struct screenshot *screenshot, struct err *err);

/*
 * SCREENSHOT_GZIP in two steps: the first waits for the device, and stores only
 * the compressed data in packed; the second does not block, and needs memory
 * for the frame.
 */
MUST_USE bool screenshot_fetch_packed(struct device *device, struct deadline by,
                                      struct screenshot *screenshot,
                                      struct err *err);
MUST_USE bool screenshot_unpack(struct screenshot *screenshot, struct err *err);

#endif
