#include "tools/phone/base64.h"

#include <string.h>

bool base64_take(struct base64_decoder *decoder, char letter, struct buf *out)
{
    static const char letters[] = BASE64_LETTERS;
    const char *found = letter ? strchr(letters, letter) : NULL;

    if (!found)
        return false;
    decoder->held =
        (decoder->held << 6 | (unsigned)(found - letters)) & 0xfffff;
    decoder->bits += 6;
    if (decoder->bits >= 8) {
        decoder->bits -= 8;
        buf_byte(out, (char)(decoder->held >> decoder->bits & 255));
    }
    return true;
}
