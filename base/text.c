#include "base/text.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

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

char *text_dup_clean(const char *text)
{
    size_t length = strlen(text);
    char *clean = mem_new(length + 1, 1);

    text_copy_clean(clean, length + 1, text, length);
    return clean;
}
