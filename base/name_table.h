/* Lookup in arrays of names, such as those of an enum. */
#ifndef BASE_NAME_TABLE_H
#define BASE_NAME_TABLE_H

#include <stddef.h>

#include "base/macros.h"

/* The index of name among count names; count if it is not one of them. */
size_t name_table_find(const char *const *names, size_t count,
                       const char *name);

/* Is name in this array? */
#define NAME_TABLE_HAS(names, name)                                            \
    (name_table_find(names, ARRAY_LEN(names), name) < ARRAY_LEN(names))

#endif
