/* Regular expressions (PCRE2), with limits on the work of a match. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define PATTERN_MAX ((size_t)4096) /* bytes */

enum regex_flags {
    REGEX_CASELESS = 1 << 0,
    REGEX_LITERAL = 1 << 1, /* every character matches itself */
    REGEX_BYTES = 1 << 2,   /* match bytes, not UTF-8 */
};

/* Used by one thread at a time. */
struct regex;

/*
 * Compile; flags are of enum regex_flags. Fails with ERR_INVALID and the
 * position and reason, and with ERR_LIMIT for a pattern that is too large.
 */
MUST_USE bool regex_open(const char *text, unsigned flags,
                         struct regex **pattern, struct err *err);
void regex_close(struct regex *pattern); /* NULL is fine */

/*
 * Find the first match; invalid UTF-8 does not match. A match that takes too
 * much work fails, and regex_gave_up is then true.
 */
MUST_USE bool regex_find(struct regex *pattern, const char *text, size_t length,
                         size_t *begin, size_t *end);

/* What a group matched; spans[0] is the whole match. */
struct regex_span {
    size_t begin;
    size_t end;
    bool set; /* it took part in the match */
};

#define REGEX_SPANS 10

/*
 * The same from an offset on; the text before it is still considered for "^".
 */
MUST_USE bool regex_find_spans(struct regex *pattern, const char *text,
                               size_t length, size_t from,
                               struct regex_span spans[REGEX_SPANS]);

/* Does it match anywhere? */
MUST_USE bool regex_matches(struct regex *pattern, const char *text);

/* Did the last search exceed the work limit? */
bool regex_gave_up(const struct regex *pattern);

#endif
