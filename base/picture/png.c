#include "base/picture/png.h"

#include "base/picture/png_fast.h"
#include "base/picture/png_libpng.h"

bool png_decode(const void *bytes, size_t length, struct picture *picture,
                struct err *err)
{
    return png_fast_decode(bytes, length, picture) ||
           png_libpng_decode(bytes, length, picture, err);
}
