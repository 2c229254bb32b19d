/* Names with "*", "?", "[a-z]" and "\" in them, as a shell writes them. */
#ifndef PHONE_GLOB_H
#define PHONE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "tools/phone/files.h"

/*
 * What one pattern may cost: bytes of paths found, as a phone has it; and of
 * work, names looked at and bytes of paths walked.
 */
#define GLOB_BYTES_MAX ((size_t)2 << 20)
#define GLOB_WORK_MAX ((size_t)16 << 20)

/* Does the whole of text match? A "\" makes the next character ordinary. */
bool glob_match(const char *pattern, const char *text);

/* Has the pattern a character that is not ordinary? */
bool glob_is_pattern(const char *pattern);

struct glob {
    char **paths; /* owned, and so is each; sorted */
    size_t count;
};

#define GLOB_INIT                                                              \
    {                                                                          \
        .count = 0                                                             \
    }

/*
 * Every path that exists and matches: none is no failure. A pattern that does
 * not begin with "/" begins at directory, and so do its paths. "/" is matched
 * by "/" only, and a "." that begins a name by "." only. A pattern that ends
 * in "/" wants directories. What may not be read matches nothing. Fails with
 * E2BIG beyond the limits.
 */
MUST_USE bool glob_find(struct files *files, const char *directory,
                        const char *pattern, struct glob *glob, int *number);
void glob_release(struct glob *glob);

#endif
