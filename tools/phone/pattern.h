/* Regular expressions, as grep has them, matched within bounds. */
#ifndef PHONE_PATTERN_H
#define PHONE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum pattern_kind {
    PATTERN_FIXED,    /* every character is itself */
    PATTERN_BASIC,    /* \( \) \{ \} \| are operators */
    PATTERN_EXTENDED, /* ( ) { } | + ? are */
};

struct pattern;

/* Fails with ERR_INVALID, and for what is too large with ERR_LIMIT. */
MUST_USE bool pattern_open(const char *text, enum pattern_kind kind,
                           bool ignore_case, struct pattern **pattern,
                           struct err *err);
void pattern_close(struct pattern *pattern); /* NULL is fine */

/* Where it matches, if it does. What takes too much work does not match. */
MUST_USE bool pattern_find(struct pattern *pattern, const char *text,
                           size_t length, size_t *begin, size_t *end);

#endif
