/* A raw screen capture: an accepted one has exactly the bytes of its size. */
#include "base/picture/screencap.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture picture = PICTURE_INIT;
    struct screencap head;
    struct err err;
    bool parsed = screencap_parse(data, size, &head, &err);

    if (parsed && head.header + head.pixels != size)
        abort();
    if (parsed != screencap_decode(data, size, &picture, &err))
        abort();
    if (parsed &&
        (picture.width != head.width || picture.height != head.height))
        abort();
    picture_release(&picture);
    return 0;
}
