/* Makes untrusted text safe to print. */
#ifndef BASE_CLEAN_TEXT_H
#define BASE_CLEAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Would this character affect a terminal instead of being printed? True for
 * control characters (C0, DEL and C1) and for those that change the text
 * direction (embeddings, overrides and isolates), which can make a text look
 * like another one.
 */
bool text_is_control(uint32_t character);

/*
 * Copy length bytes of text into to, which has size bytes: truncated if needed,
 * NUL-terminated, with '?' for each byte of a control character
 * (text_is_control) and for each byte that is not valid UTF-8, so that no peer
 * can send escape sequences to a terminal.
 */
void clean_text_copy(char *to, size_t size, const char *text, size_t length);

/* The same for a whole string; the caller frees the result. */
char *clean_text_dup(const char *text);

#endif
