#include "tools/phone/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void pairs_init(struct pairs *pairs)
{
    *pairs = (struct pairs){.count = 0};
    pthread_mutex_init(&pairs->lock, NULL);
}

static void pair_release(struct pair *pair)
{
    free(pair->name);
    free(pair->value);
}

static void release_all(struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pair_release(&pairs[i]);
    free(pairs);
}

void pairs_release(struct pairs *pairs)
{
    release_all(pairs->pairs, pairs->count);
    pthread_mutex_destroy(&pairs->lock);
}

/* ---- with the lock held ---- */

/* Where name is, or where it would be. */
static size_t place(const struct pairs *pairs, const char *name, bool *found)
{
    size_t low = 0;
    size_t high = pairs->count;

    *found = false;
    while (low < high && !*found) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(pairs->pairs[middle].name, name);

        if (order == 0)
            *found = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return *found ? high : low;
}

static void insert(struct pairs *pairs, size_t at, const char *name,
                   const char *value)
{
    size_t behind = pairs->count - at;

    pairs->pairs =
        mem_resize(pairs->pairs, pairs->count + 1, sizeof(*pairs->pairs));
    memmove(pairs->pairs + at + 1, pairs->pairs + at,
            behind * sizeof(*pairs->pairs));
    pairs->pairs[at] = (struct pair){mem_dup(name), mem_dup(value)};
    pairs->count++;
}

static bool set(struct pairs *pairs, const char *name, const char *value)
{
    bool found;
    size_t at = place(pairs, name, &found);

    if (!found && pairs->count >= PAIRS_COUNT_MAX)
        return false;
    if (!found) {
        insert(pairs, at, name, value);
        return true;
    }
    free(pairs->pairs[at].value);
    pairs->pairs[at].value = mem_dup(value);
    return true;
}

/* ---- the rest takes it ---- */

bool pairs_get(struct pairs *pairs, const char *name, struct buf *value)
{
    bool found;
    size_t at;

    pthread_mutex_lock(&pairs->lock);
    at = place(pairs, name, &found);
    if (found)
        buf_text(value, pairs->pairs[at].value);
    pthread_mutex_unlock(&pairs->lock);
    return found;
}

bool pairs_set(struct pairs *pairs, const char *name, const char *value)
{
    bool done;

    if (!*name || strlen(name) > PAIRS_NAME_MAX ||
        strlen(value) > PAIRS_VALUE_MAX)
        return false;
    pthread_mutex_lock(&pairs->lock);
    done = set(pairs, name, value);
    pthread_mutex_unlock(&pairs->lock);
    return done;
}

bool pairs_delete(struct pairs *pairs, const char *name)
{
    bool found;
    size_t at;

    pthread_mutex_lock(&pairs->lock);
    at = place(pairs, name, &found);
    if (found) {
        pair_release(&pairs->pairs[at]);
        pairs->count--;
        memmove(pairs->pairs + at, pairs->pairs + at + 1,
                (pairs->count - at) * sizeof(*pairs->pairs));
    }
    pthread_mutex_unlock(&pairs->lock);
    return found;
}

void pairs_keep(struct pairs *pairs, bool (*keep)(const char *name))
{
    size_t kept = 0;

    pthread_mutex_lock(&pairs->lock);
    for (size_t i = 0; i < pairs->count; i++) {
        if (keep(pairs->pairs[i].name))
            pairs->pairs[kept++] = pairs->pairs[i];
        else
            pair_release(&pairs->pairs[i]);
    }
    pairs->count = kept;
    pthread_mutex_unlock(&pairs->lock);
}

void pairs_list(struct pairs *pairs, const char *before, const char *between,
                const char *after, struct buf *text)
{
    pthread_mutex_lock(&pairs->lock);
    for (size_t i = 0; i < pairs->count; i++)
        buf_printf(text, "%s%s%s%s%s\n", before, pairs->pairs[i].name, between,
                   pairs->pairs[i].value, after);
    pthread_mutex_unlock(&pairs->lock);
}

/* ---- snapshots ---- */

void pairs_save(struct pairs *pairs, struct buf *out)
{
    pthread_mutex_lock(&pairs->lock);
    parcel_put_u64(out, pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        parcel_put_text(out, pairs->pairs[i].name);
        parcel_put_text(out, pairs->pairs[i].value);
    }
    pthread_mutex_unlock(&pairs->lock);
}

void pairs_load(struct pairs *pairs, struct parcel *in)
{
    struct pair *loaded = mem_new(PAIRS_COUNT_MAX, sizeof(*loaded));
    size_t count = parcel_count(in, PAIRS_COUNT_MAX);

    for (size_t i = 0; i < count; i++) {
        loaded[i].name = parcel_new_text(in, PAIRS_NAME_MAX);
        loaded[i].value = parcel_new_text(in, PAIRS_VALUE_MAX);
        if (!*loaded[i].name ||
            (i && strcmp(loaded[i - 1].name, loaded[i].name) >= 0))
            parcel_break(in);
    }
    pthread_mutex_lock(&pairs->lock);
    if (!in->trial && !in->broken) {
        struct pair *old = pairs->pairs;
        size_t old_count = pairs->count;

        pairs->pairs = loaded;
        pairs->count = count;
        loaded = old;
        count = old_count;
    }
    pthread_mutex_unlock(&pairs->lock);
    release_all(loaded, count);
}
