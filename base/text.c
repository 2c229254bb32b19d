#include "base/text.h"

void text_copy_clean(char *to, size_t size, const char *text, size_t length)
{
    size_t i;

    for (i = 0; i < length && i < size - 1; i++) {
        unsigned char c = (unsigned char)text[i];

        to[i] = c < 0x20 || c == 0x7f ? '?' : text[i];
    }
    to[i] = '\0';
}
