/* Tables of names, such as an enum's. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

#include "base/macros.h"

/* The place of a name among so many; their count when it is none of them. */
size_t names_find(const char *const *names, size_t count, const char *name);

/* Is it one of an array's? */
#define NAMES_HAVE(names, name)                                                \
    (names_find(names, ARRAY_LEN(names), name) < ARRAY_LEN(names))

#endif
