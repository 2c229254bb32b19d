/* File name patterns with "*", "?", "[a-z]" and "\". */
#ifndef TOOLS_PHONE_FILES_GLOB_H
#define TOOLS_PHONE_FILES_GLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "tools/phone/files/files.h"

/*
 * Limits of one pattern: bytes of the paths found, as on a phone; and work, in
 * names compared and bytes of paths walked.
 */
#define GLOB_BYTES_MAX ((size_t)2 << 20)
#define GLOB_WORK_MAX ((size_t)16 << 20)

/*
 * Does the pattern match the whole text? "\" makes the next character ordinary.
 */
bool glob_match(const char *pattern, const char *text);

/* Does the pattern have special characters? */
bool glob_is_pattern(const char *pattern);

struct phone_glob {
    char **paths; /* owned, and so is each; sorted */
    size_t count;
};

#define GLOB_INIT                                                              \
    {                                                                          \
        .count = 0                                                             \
    }

/*
 * All existing paths that match; none is no failure. A relative pattern starts
 * at directory, and so do its paths. "/" and a leading "." must be matched
 * explicitly. A pattern that ends in "/" matches only directories. Unreadable
 * directories match nothing. Fails with E2BIG beyond the limits.
 */
MUST_USE bool glob_find(struct phone_files *files, const char *directory,
                        const char *pattern, struct phone_glob *glob,
                        int *number);
void glob_release(struct phone_glob *glob);

#endif
