/*
 * Texts that were removed from a recording: passwords and blurred texts stand
 * there as dots.
 */
#ifndef PROCESS_PROVIDER_TEXT_MASKED_TEXT_H
#define PROCESS_PROVIDER_TEXT_MASKED_TEXT_H

#include <stdbool.h>

/* Does the text consist of "•" alone? An empty one does not. */
bool masked_text_is_one(const char *text);

#endif
