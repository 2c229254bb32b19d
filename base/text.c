#include "base/text.h"

#include <stdbool.h>

/* U+0080 to U+009F: a terminal may obey U+009B as it obeys Escape [. */
static bool is_c1(unsigned char first, unsigned char second)
{
    return first == 0xc2 && second >= 0x80 && second <= 0x9f;
}

void text_copy_clean(char *to, size_t size, const char *text, size_t length)
{
    unsigned char before = 0;
    size_t i;

    for (i = 0; i < length && i < size - 1; i++) {
        unsigned char c = (unsigned char)text[i];

        to[i] = c < 0x20 || c == 0x7f ? '?' : text[i];
        if (is_c1(before, c))
            to[i - 1] = to[i] = '?';
        before = c;
    }
    to[i] = '\0';
}
