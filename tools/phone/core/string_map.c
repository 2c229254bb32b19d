#include "tools/phone/core/string_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void string_map_init(struct string_map *string_map)
{
    *string_map = (struct string_map){.count = 0};
    pthread_mutex_init(&string_map->lock, NULL);
}

static void pair_release(struct string_map_entry *string_map_entry)
{
    free(string_map_entry->name);
    free(string_map_entry->value);
}

static void release_all(struct string_map_entry *string_map, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pair_release(&string_map[i]);
    free(string_map);
}

void string_map_release(struct string_map *string_map)
{
    release_all(string_map->string_map, string_map->count);
    pthread_mutex_destroy(&string_map->lock);
}

/* ---- with the lock held ---- */

/* The index of name, or the one to insert it at. */
static size_t place(const struct string_map *string_map, const char *name,
                    bool *found)
{
    size_t low = 0;
    size_t high = string_map->count;

    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(string_map->string_map[middle].name, name);

        if (order == 0)
            *found = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return *found ? high : low;
}

static void insert(struct string_map *string_map, size_t at, const char *name,
                   const char *value)
{
    size_t behind = string_map->count - at;

    string_map->string_map =
        mem_resize(string_map->string_map, string_map->count + 1,
                   sizeof(*string_map->string_map));
    memmove(string_map->string_map + at + 1, string_map->string_map + at,
            behind * sizeof(*string_map->string_map));
    string_map->string_map[at] =
        (struct string_map_entry){mem_dup(name), mem_dup(value)};
    string_map->count++;
}

static bool set(struct string_map *string_map, const char *name,
                const char *value)
{
    bool found;
    size_t at = place(string_map, name, &found);

    if (!found && string_map->count >= STRING_MAP_COUNT_MAX)
        return false;
    if (!found) {
        insert(string_map, at, name, value);
        return true;
    }
    free(string_map->string_map[at].value);
    string_map->string_map[at].value = mem_dup(value);
    return true;
}

/* ---- functions that take the lock ---- */

bool string_map_get(struct string_map *string_map, const char *name,
                    struct buf *value)
{
    bool found;
    size_t at;

    pthread_mutex_lock(&string_map->lock);
    at = place(string_map, name, &found);
    if (found)
        buf_text(value, string_map->string_map[at].value);
    pthread_mutex_unlock(&string_map->lock);
    return found;
}

bool string_map_set(struct string_map *string_map, const char *name,
                    const char *value)
{
    bool done;

    if (!*name || strlen(name) > STRING_MAP_NAME_MAX ||
        strlen(value) > STRING_MAP_VALUE_MAX)
        return false;
    pthread_mutex_lock(&string_map->lock);
    done = set(string_map, name, value);
    pthread_mutex_unlock(&string_map->lock);
    return done;
}

bool string_map_delete(struct string_map *string_map, const char *name)
{
    bool found;
    size_t at;

    pthread_mutex_lock(&string_map->lock);
    at = place(string_map, name, &found);
    if (found) {
        pair_release(&string_map->string_map[at]);
        string_map->count--;
        memmove(string_map->string_map + at, string_map->string_map + at + 1,
                (string_map->count - at) * sizeof(*string_map->string_map));
    }
    pthread_mutex_unlock(&string_map->lock);
    return found;
}

void string_map_keep(struct string_map *string_map,
                     bool (*keep)(const char *name))
{
    size_t kept = 0;

    pthread_mutex_lock(&string_map->lock);
    for (size_t i = 0; i < string_map->count; i++) {
        if (keep(string_map->string_map[i].name))
            string_map->string_map[kept++] = string_map->string_map[i];
        else
            pair_release(&string_map->string_map[i]);
    }
    string_map->count = kept;
    pthread_mutex_unlock(&string_map->lock);
}

void string_map_list(struct string_map *string_map, const char *before,
                     const char *between, const char *after, struct buf *text)
{
    pthread_mutex_lock(&string_map->lock);
    for (size_t i = 0; i < string_map->count; i++)
        buf_printf(text, "%s%s%s%s%s\n", before, string_map->string_map[i].name,
                   between, string_map->string_map[i].value, after);
    pthread_mutex_unlock(&string_map->lock);
}

/* ---- snapshots ---- */

void string_map_save(struct string_map *string_map, struct buf *out)
{
    pthread_mutex_lock(&string_map->lock);
    saved_state_put_u64(out, string_map->count);
    for (size_t i = 0; i < string_map->count; i++) {
        saved_state_put_text(out, string_map->string_map[i].name);
        saved_state_put_text(out, string_map->string_map[i].value);
    }
    pthread_mutex_unlock(&string_map->lock);
}

void string_map_load(struct string_map *string_map, struct saved_state *in)
{
    struct string_map_entry *loaded =
        mem_new(STRING_MAP_COUNT_MAX, sizeof(*loaded));
    size_t count = saved_state_count(in, STRING_MAP_COUNT_MAX);

    for (size_t i = 0; i < count; i++) {
        loaded[i].name = saved_state_new_text(in, STRING_MAP_NAME_MAX);
        loaded[i].value = saved_state_new_text(in, STRING_MAP_VALUE_MAX);
        if (!*loaded[i].name ||
            (i && strcmp(loaded[i - 1].name, loaded[i].name) >= 0))
            saved_state_break(in);
    }
    pthread_mutex_lock(&string_map->lock);
    if (!in->trial && !in->broken) {
        struct string_map_entry *old = string_map->string_map;
        size_t old_count = string_map->count;

        string_map->string_map = loaded;
        string_map->count = count;
        loaded = old;
        count = old_count;
    }
    pthread_mutex_unlock(&string_map->lock);
    release_all(loaded, count);
}
