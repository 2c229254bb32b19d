/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The bytes of the first character of text; 0 when it is not valid. */
size_t utf8_first(const char *text, size_t length);

#define UTF8_REPLACEMENT 0xfffdU

/*
 * The first character of text, which must not be empty, and its bytes:
 * UTF8_REPLACEMENT, of one byte, where it is not valid.
 */
uint32_t utf8_decode(const char *text, size_t length, size_t *bytes);

/* How many characters a valid text has. */
size_t utf8_count(const char *text);

/* Append a character; UTF8_REPLACEMENT for a number that is none. */
void utf8_append(uint32_t character, struct buf *out);

/* Append text to out, with U+FFFD in place of each byte that is not valid. */
void utf8_repair(const char *text, size_t length, struct buf *out);

#endif
