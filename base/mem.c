#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mem_out(void)
{
    fputs("proctor: out of memory\n", stderr);
    abort();
}

static void *must_have(void *memory)
{
    if (!memory)
        mem_out();
    return memory;
}

void *mem_new(size_t count, size_t size)
{
    return must_have(calloc(count ? count : 1, size ? size : 1));
}

void *mem_resize(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        mem_out();
    return must_have(realloc(old, count && size ? count * size : 1));
}

char *mem_dup_n(const char *text, size_t length)
{
    char *copy = mem_new(length + 1, 1);

    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *mem_dup(const char *text)
{
    return mem_dup_n(text, strlen(text));
}
