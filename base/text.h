/* Foreign text, made fit for people's eyes. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/*
 * Copy length bytes of text into to, which has room for size bytes: cut where
 * it is full, NUL-terminated, and with '?' for each control character, so that
 * no peer can send escapes to a terminal.
 */
void text_copy_clean(char *to, size_t size, const char *text, size_t length);

/* All of text, in a copy that the caller frees. */
char *text_dup_clean(const char *text);

#endif
