/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

#include "base/buf.h"

/* The bytes of the first character of text; 0 when it is not valid. */
size_t utf8_first(const char *text, size_t length);

/* Append text to out, with U+FFFD in place of each byte that is not valid. */
void utf8_repair(const char *text, size_t length, struct buf *out);

#endif
