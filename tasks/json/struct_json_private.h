/* Shared by reading, writing and walking. */
#ifndef TASKS_JSON_STRUCT_JSON_PRIVATE_H
#define TASKS_JSON_STRUCT_JSON_PRIVATE_H

#include <string.h>

#include "tasks/json/struct_json.h"

static inline void *field_of(const struct json_member *member, void *thing)
{
    return (char *)thing + member->offset;
}

static inline const void *field_in(const struct json_member *member,
                                   const void *thing)
{
    return (const char *)thing + member->offset;
}

/* The items of an OWN or a LIST, whatever their type, and their number. */
static inline size_t items_in(const struct json_member *member,
                              const void *thing, char **items)
{
    size_t count = 1;

    memcpy(items, field_in(member, thing), sizeof(*items));
    if (member->kind == MEMBER_LIST)
        memcpy(&count, (const char *)thing + member->count_offset,
               sizeof(count));
    return *items ? count : 0;
}

#endif
