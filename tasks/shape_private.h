/* What reading, writing and walking through a thing have in common. */
#ifndef TASKS_SHAPE_PRIVATE_H
#define TASKS_SHAPE_PRIVATE_H

#include <string.h>

#include "tasks/shape.h"

static inline void *field_of(const struct member *member, void *thing)
{
    return (char *)thing + member->offset;
}

static inline const void *field_in(const struct member *member,
                                   const void *thing)
{
    return (const char *)thing + member->offset;
}

/* The things that an OWN or a LIST has, whatever their type, and how many. */
static inline size_t items_in(const struct member *member, const void *thing,
                              char **items)
{
    size_t count = 1;

    memcpy(items, field_in(member, thing), sizeof(*items));
    if (member->kind == MEMBER_LIST)
        memcpy(&count, (const char *)thing + member->count_offset,
               sizeof(count));
    return *items ? count : 0;
}

#endif
