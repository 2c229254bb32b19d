/* Headers of framebuffer: accepted sizes are consistent. */
#include "adb/services/framebuffer.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct framebuffer frame;
    struct err err;

    if (!framebuffer_parse(data, size, &frame, &err))
        return 0;
    fuzz_expect(size <= FRAMEBUFFER_HEADER_MAX);
    fuzz_expect(frame.width > 0 && frame.width <= PICTURE_SIDE_MAX);
    fuzz_expect(frame.height > 0 && frame.height <= PICTURE_SIDE_MAX);
    fuzz_expect(frame.size ==
                (size_t)frame.width * frame.height * pixel_size(frame.format));
    return 0;
}
