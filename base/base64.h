/* Bytes as letters: base64 as RFC 4648 has it, with padding. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stddef.h>

/* How many letters so many bytes become. */
static inline size_t base64_size(size_t length)
{
    return (length + 2) / 3 * 4;
}

/*
 * Write the letters of length bytes to text, which has room for them; no NUL
 * follows. Pieces of a multiple of 3 bytes may be encoded one by one.
 */
void base64_encode(const void *bytes, size_t length, char *text);

#endif
