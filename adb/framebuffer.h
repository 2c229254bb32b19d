/*
 * The framebuffer: service: a header, then the screen's pixels.
 *
 * All little-endian u32: version, bits per pixel, colour space (since version
 * 2), bytes of pixels, width, height, then the offset and length in bits of
 * red, blue, green and alpha (in this order).
 */
#ifndef ADB_FRAMEBUFFER_H
#define ADB_FRAMEBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device.h"
#include "base/buf.h"
#include "base/picture.h"

#define FRAMEBUFFER_VERSION_SIZE 4
#define FRAMEBUFFER_HEADER_MAX (14 * 4)

struct framebuffer {
    uint32_t width;
    uint32_t height;
    enum pixel_format format;
    size_t size; /* bytes of pixels that follow */
};

/* Bytes of the whole header, by its first field; 0: an unknown version. */
size_t framebuffer_header_size(uint32_t version);

/*
 * Read a header of exactly the size that its version says.
 * Fails with ERR_UNSUPPORTED for an unknown version or pixel format,
 * ERR_LIMIT for a picture too large, and ERR_PROTOCOL when its numbers
 * contradict each other.
 */
MUST_USE bool framebuffer_parse(const uint8_t *header, size_t length,
                                struct framebuffer *framebuffer,
                                struct err *err);

/*
 * Take a picture of the screen. bytes is used for what arrives, so that its
 * memory serves the next time again. Blocks.
 * Fails as above, and with ERR_REFUSED when the device does not offer it.
 * On failure picture is as it was.
 */
MUST_USE bool framebuffer_read(struct device *device, struct deadline by,
                               struct buf *bytes, struct picture *picture,
                               struct err *err);

#endif
