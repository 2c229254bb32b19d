/*
 * The installed packages, for pm, the launcher and the task stack. Packages are
 * copied in and out. All calls are safe from any thread.
 */
#ifndef TOOLS_PHONE_SYSTEM_PACKAGES_H
#define TOOLS_PHONE_SYSTEM_PACKAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/screen/app.h"
#include "tools/phone/system/component.h"
#include "tools/phone/system/intent.h"

#define PACKAGES_MAX 256U
#define PACKAGE_FILTERS_MAX 24U
#define PACKAGE_PERMISSIONS_MAX 48U

/* The first uid that is assigned. */
#define PACKAGES_UID_FIRST 10100U

/* An action that an activity handles. */
struct package_filter {
    char action[96]; /* a '*' at its end matches anything */
    char scheme[24]; /* scheme of the data: "https"; "": no data */
    char class[96];  /* full class name */
};

struct package_permission {
    char name[96];
    bool runtime; /* requested while the app runs */
    bool granted;
};

struct phone_package {
    char name[COMPONENT_PACKAGE_SIZE];
    char labels[2][64]; /* by enum phone_locale */
    char version[48];
    int64_t version_code;
    int target_sdk;
    char activity[COMPONENT_CLASS_SIZE]; /* the activity that launchers start;
                                            "": none */
    char ime[COMPONENT_CLASS_SIZE];      /* its keyboard's service, or "" */
    char runner[COMPONENT_CLASS_SIZE];   /* its instrumentation, or "" */
    char tested[COMPONENT_PACKAGE_SIZE]; /* the package that it instruments */
    char apk[256];
    uint32_t uid; /* 0 when added: will be assigned */
    bool system;
    bool disabled;
    bool docked;                   /* in the launcher's dock */
    bool hidden;                   /* hidden in the launcher */
    const struct phone_icon *icon; /* static; NULL: none */
    int64_t installed;             /* nanoseconds since 1970 */
    int64_t updated;
    struct package_filter filters[PACKAGE_FILTERS_MAX];
    size_t filter_count;
    struct package_permission permissions[PACKAGE_PERMISSIONS_MAX];
    size_t permission_count;
};

/* Its label, or its name if it has none. */
const char *package_label(const struct phone_package *package,
                          enum phone_locale locale);

/* Its own icon, or the default icon. Never NULL. */
const struct phone_icon *package_icon(const struct phone_package *package);

/* The activity that launchers start; its class is "" if there is none. */
struct phone_component package_launcher(const struct phone_package *package);

/* Does it have an activity of that full class name? */
bool package_has_activity(const struct phone_package *package,
                          const char *class);

const struct package_permission *package_permission(
    const struct phone_package *package, const char *name);

/* Grant a permission that it asks for, or take it away. */
void package_grant(struct phone_package *package,
                   const struct package_permission *permission, bool granted);

/*
 * Add a permission, granted unless it is a run-time one. Ignored when there are
 * too many.
 */
void package_ask_permission(struct phone_package *package, const char *name);

/* Let activity (a class name) handle an action; ignored as above. */
void package_answer(struct phone_package *package, const char *action,
                    const char *scheme, const char *activity);

/* Does it handle intent? Then *component is the activity. */
MUST_USE bool package_resolves(const struct phone_package *package,
                               const struct phone_intent *intent,
                               struct phone_component *component);

/*
 * Packages in the order of installation, as they are at one moment. Copies
 * share their memory, as a package has several kilobytes.
 */
struct package_list {
    const struct phone_package *packages; /* owned, with its other copies */
    size_t count;
};

/* Empty packages, to be filled in; *items are those of the new list. */
struct package_list package_list_new(size_t count,
                                     struct phone_package **items);
void package_list_release(struct package_list *list);

struct phone_packages {
    pthread_mutex_t lock; /* guards everything below */
    struct package_list all;
    uint32_t next_uid;
};

/* No packages. */
void packages_init(struct phone_packages *packages);
void packages_release(struct phone_packages *packages);

/*
 * Install a package or replace the one of its name. False when there are too
 * many.
 */
MUST_USE bool packages_put(struct phone_packages *packages,
                           const struct phone_package *package);

/* True if it was installed. */
bool packages_remove(struct phone_packages *packages, const char *name);

MUST_USE bool packages_find(struct phone_packages *packages, const char *name,
                            struct phone_package *package);

/* The package with that index, from 0; false if there are fewer. */
MUST_USE bool packages_at(struct phone_packages *packages, size_t number,
                          struct phone_package *package);

/* The caller releases the list. */
struct package_list packages_list(struct phone_packages *packages);

/* The first package that handles it. False if there is none. */
MUST_USE bool packages_resolve(struct phone_packages *packages,
                               const struct phone_intent *intent,
                               struct phone_component *component);

void packages_save(struct phone_packages *packages, struct buf *out);
void packages_load(struct phone_packages *packages, struct saved_state *in);

#endif
