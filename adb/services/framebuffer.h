/*
 * The framebuffer: service: a header, then the screen's pixels.
 *
 * All little-endian u32: version, bits per pixel, color space (since version
 * 2), bytes of pixels, width, height, then the offset and length in bits of
 * red, blue, green and alpha (in this order).
 */
#ifndef ADB_SERVICES_FRAMEBUFFER_H
#define ADB_SERVICES_FRAMEBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/buf.h"
#include "base/picture/picture.h"

#define FRAMEBUFFER_VERSION_SIZE 4
#define FRAMEBUFFER_HEADER_MAX (14 * 4)

struct framebuffer {
    uint32_t width;
    uint32_t height;
    enum pixel_format format;
    size_t size; /* size of the pixels that follow, in bytes */
};

/* The size of the header, from its first field; 0: an unknown version. */
size_t framebuffer_header_size(uint32_t version);

/*
 * Parse a header of exactly the size for its version. Fails with
 * ERR_UNSUPPORTED for an unknown version or pixel format, ERR_LIMIT for a
 * picture that is too large, and ERR_PROTOCOL when its numbers contradict each
 * other.
 */
MUST_USE bool framebuffer_parse(const uint8_t *header, size_t length,
                                struct framebuffer *framebuffer,
                                struct err *err);

/*
 * Take a picture of the screen. bytes is a buffer that can be reused for the
 * next call. Blocks. Fails as above, and with ERR_REFUSED when the device does
 * not offer the service. On failure picture is unchanged.
 */
MUST_USE bool framebuffer_read(struct device *device, struct deadline by,
                               struct buf *bytes, struct picture *picture,
                               struct err *err);

#endif
