/* The phone's settings: three namespaces of texts. */
#ifndef TOOLS_PHONE_SYSTEM_SETTINGS_H
#define TOOLS_PHONE_SYSTEM_SETTINGS_H

#include <stdatomic.h>

#include "tools/phone/core/android_level.h"
#include "tools/phone/core/string_map.h"

enum settings_space {
    SETTINGS_SYSTEM,
    SETTINGS_SECURE,
    SETTINGS_GLOBAL,
    SETTINGS_SPACES,
};

/*
 * Called when a setting was written or deleted, or a whole namespace loaded
 * (name is "" then), by the thread that did it, with no lock held.
 */
typedef void settings_changed_fn(void *context, enum settings_space space,
                                 const char *name);

struct phone_settings {
    struct string_map spaces[SETTINGS_SPACES];
    atomic_ulong changes;
    settings_changed_fn *changed; /* may be NULL */
    void *context;
};

/* Set the settings of a new phone. */
void settings_init(struct phone_settings *settings,
                   const struct android_level *android);
void settings_release(struct phone_settings *settings);

/* Register a function for changes, before the first change. */
void settings_watch(struct phone_settings *settings,
                    settings_changed_fn *changed, void *context);

/* The number of changes, for code that shows settings. */
unsigned long settings_changes(const struct phone_settings *settings);

/* The namespace of that name; false if there is none. */
MUST_USE bool settings_find_space(const char *name, enum settings_space *space);

MUST_USE bool settings_get(struct phone_settings *settings,
                           enum settings_space space, const char *name,
                           struct buf *value);
MUST_USE bool settings_put(struct phone_settings *settings,
                           enum settings_space space, const char *name,
                           const char *value);
bool settings_delete(struct phone_settings *settings, enum settings_space space,
                     const char *name);

/* Append "name=value" lines. */
void settings_list(struct phone_settings *settings, enum settings_space space,
                   struct buf *text);

void settings_save(struct phone_settings *settings, struct buf *out);
void settings_load(struct phone_settings *settings, struct saved_state *in);

#endif
