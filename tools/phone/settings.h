/* The phone's settings: three name spaces of texts. */
#ifndef PHONE_SETTINGS_H
#define PHONE_SETTINGS_H

#include <stdatomic.h>

#include "tools/phone/pairs.h"

enum settings_space {
    SETTINGS_SYSTEM,
    SETTINGS_SECURE,
    SETTINGS_GLOBAL,
    SETTINGS_SPACES,
};

/*
 * One was put or deleted, or all of a space were loaded: name is "" then.
 * Called by the thread that did it, with no lock held.
 */
typedef void settings_changed_fn(void *context, enum settings_space space,
                                 const char *name);

struct settings {
    struct pairs spaces[SETTINGS_SPACES];
    atomic_ulong changes;
    settings_changed_fn *changed; /* may be NULL */
    void *context;
};

/* The settings of a new phone. */
void settings_init(struct settings *settings);
void settings_release(struct settings *settings);

/* Have somebody told of changes, before there are any. */
void settings_watch(struct settings *settings, settings_changed_fn *changed,
                    void *context);

/* How many changes there were, for those that show settings to look again. */
unsigned long settings_changes(const struct settings *settings);

/* The space of that name; false when there is none. */
MUST_USE bool settings_find_space(const char *name, enum settings_space *space);

MUST_USE bool settings_get(struct settings *settings, enum settings_space space,
                           const char *name, struct buf *value);
MUST_USE bool settings_put(struct settings *settings, enum settings_space space,
                           const char *name, const char *value);
bool settings_delete(struct settings *settings, enum settings_space space,
                     const char *name);

/* Append "name=value" lines. */
void settings_list(struct settings *settings, enum settings_space space,
                   struct buf *text);

void settings_save(struct settings *settings, struct buf *out);
void settings_load(struct settings *settings, struct parcel *in);

#endif
