/*
 * Names with values, sorted, bounded, and safe from any thread: what the
 * phone's properties and settings are made of.
 */
#ifndef PHONE_PAIRS_H
#define PHONE_PAIRS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/parcel.h"

/* Of one store. */
#define PAIRS_COUNT_MAX 2048U
#define PAIRS_NAME_MAX 255U
#define PAIRS_VALUE_MAX 8192U

struct pair {
    char *name;  /* owned */
    char *value; /* owned */
};

struct pairs {
    pthread_mutex_t lock; /* guards all below */
    struct pair *pairs;   /* owned; sorted by name */
    size_t count;
};

void pairs_init(struct pairs *pairs);
void pairs_release(struct pairs *pairs);

/* Append the value; false, and nothing is appended, when there is none. */
MUST_USE bool pairs_get(struct pairs *pairs, const char *name,
                        struct buf *value);

/* False, and nothing is changed, when it does not fit. */
MUST_USE bool pairs_set(struct pairs *pairs, const char *name,
                        const char *value);

/* Was there one? */
bool pairs_delete(struct pairs *pairs, const char *name);

/* Delete those whose names keep is false of. */
void pairs_keep(struct pairs *pairs, bool (*keep)(const char *name));

/* Append a line for each: before, name, between, value, after. */
void pairs_list(struct pairs *pairs, const char *before, const char *between,
                const char *after, struct buf *text);

void pairs_save(struct pairs *pairs, struct buf *out);
void pairs_load(struct pairs *pairs, struct parcel *in);

/* What a list may come to. */
#define PAIRS_LIST_MAX                                                         \
    ((size_t)PAIRS_COUNT_MAX * (PAIRS_NAME_MAX + PAIRS_VALUE_MAX + 16))

#endif
