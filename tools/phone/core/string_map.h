/*
 * A sorted, bounded map of names to values, safe from any thread: the store of
 * the phone's properties and settings.
 */
#ifndef TOOLS_PHONE_CORE_STRING_MAP_H
#define TOOLS_PHONE_CORE_STRING_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/core/saved_state.h"

/* Limits of one map. */
#define STRING_MAP_COUNT_MAX 2048U
#define STRING_MAP_NAME_MAX 255U
#define STRING_MAP_VALUE_MAX 8192U

struct string_map_entry {
    char *name;  /* owned */
    char *value; /* owned */
};

struct string_map {
    pthread_mutex_t lock;                /* guards everything below */
    struct string_map_entry *string_map; /* owned; sorted by name */
    size_t count;
};

void string_map_init(struct string_map *string_map);
void string_map_release(struct string_map *string_map);

/* Append the value; false, and nothing is appended, if there is none. */
MUST_USE bool string_map_get(struct string_map *string_map, const char *name,
                             struct buf *value);

/* False, without any change, when it does not fit. */
MUST_USE bool string_map_set(struct string_map *string_map, const char *name,
                             const char *value);

/* True if there was one. */
bool string_map_delete(struct string_map *string_map, const char *name);

/* Delete the names for which keep returns false. */
void string_map_keep(struct string_map *string_map,
                     bool (*keep)(const char *name));

/* Append a line for each: before, name, between, value, after. */
void string_map_list(struct string_map *string_map, const char *before,
                     const char *between, const char *after, struct buf *text);

void string_map_save(struct string_map *string_map, struct buf *out);
void string_map_load(struct string_map *string_map, struct saved_state *in);

/* Largest size of a list. */
#define STRING_MAP_LIST_MAX                                                    \
    ((size_t)STRING_MAP_COUNT_MAX *                                            \
     (STRING_MAP_NAME_MAX + STRING_MAP_VALUE_MAX + 16))

#endif
