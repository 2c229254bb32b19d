#include "base/png.h"

#include "base/png_quick.h"
#include "base/png_reference.h"

bool png_decode(const void *bytes, size_t length, struct picture *picture,
                struct err *err)
{
    return png_quick_decode(bytes, length, picture) ||
           png_reference_decode(bytes, length, picture, err);
}
