/* Regular expressions (PCRE2), matched within bounds. */
#ifndef BASE_PATTERN_H
#define BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define PATTERN_MAX ((size_t)4096) /* bytes */

enum pattern_flags {
    PATTERN_CASELESS = 1 << 0,
    PATTERN_LITERAL = 1 << 1, /* every character is itself */
    PATTERN_BYTES = 1 << 2,   /* of bytes, not of UTF-8 */
};

/* Of one thread at a time. */
struct pattern;

/*
 * Compile; flags are of enum pattern_flags. Fails with ERR_INVALID and says
 * where and why, and for what is too large with ERR_LIMIT.
 */
MUST_USE bool pattern_open(const char *text, unsigned flags,
                           struct pattern **pattern, struct err *err);
void pattern_close(struct pattern *pattern); /* NULL is fine */

/*
 * Where it matches first, if it does; bytes that are not UTF-8 match nothing.
 * What takes too much work does not match, and pattern_gave_up says so.
 */
MUST_USE bool pattern_find(struct pattern *pattern, const char *text,
                           size_t length, size_t *begin, size_t *end);

/* Is it in there at all? */
MUST_USE bool pattern_matches(struct pattern *pattern, const char *text);

/* The last look was ended for the work that it took. */
bool pattern_gave_up(const struct pattern *pattern);

#endif
