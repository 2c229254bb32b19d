/* UTF-8 (RFC 3629): no overlong forms, no surrogates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The size of the first character of text in bytes; 0 if it is not valid. */
size_t utf8_first(const char *text, size_t length);

#define UTF8_REPLACEMENT 0xfffdU

/*
 * The first character of text, which must not be empty, and its size:
 * UTF8_REPLACEMENT with size 1 if it is not valid.
 */
uint32_t utf8_decode(const char *text, size_t length, size_t *bytes);

/* The number of characters of a valid text. */
size_t utf8_count(const char *text);

/* Append a character; UTF8_REPLACEMENT for an invalid number. */
void utf8_append(uint32_t character, struct buf *out);

/*
 * Append characters by their numbers, in decimal and separated by commas, as
 * "72,105". 0 and numbers that no character has are left out; it ends at the
 * first place without a number.
 */
void utf8_append_numbers(const char *list, struct buf *out);

/* Append text to out, with U+FFFD for each byte that is not valid. */
void utf8_repair(const char *text, size_t length, struct buf *out);

#endif
