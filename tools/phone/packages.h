/*
 * The packages that are installed: what pm, the launcher and the stage know of
 * apps. Packages are copied in and out. Every call is safe from any thread.
 */
#ifndef PHONE_PACKAGES_H
#define PHONE_PACKAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/app.h"
#include "tools/phone/component.h"
#include "tools/phone/intent.h"

#define PACKAGES_MAX 256U
#define PACKAGE_FILTERS_MAX 24U
#define PACKAGE_PERMISSIONS_MAX 48U

/* Of the first app that is given a number of its own. */
#define PACKAGES_UID_FIRST 10100U

/* An action that an activity answers. */
struct package_filter {
    char action[96]; /* a '*' at its end stands for anything */
    char scheme[24]; /* of the data: "https"; "": none is needed */
    char class[96];  /* whole, as a component's */
};

struct package_permission {
    char name[96];
    bool runtime; /* is asked for while the app runs */
    bool granted;
};

struct package {
    char name[COMPONENT_PACKAGE_SIZE];
    char labels[2][64]; /* by enum locale */
    char version[48];
    int64_t version_code;
    int target_sdk;
    char activity[COMPONENT_CLASS_SIZE]; /* what launchers start; "": nothing */
    char ime[COMPONENT_CLASS_SIZE];      /* its keyboard's service, or "" */
    char apk[256];
    uint32_t uid; /* 0 when added: one of its own */
    bool system;
    bool disabled;
    bool docked;             /* at the foot of the launcher */
    const struct icon *icon; /* static; NULL: none of its own */
    int64_t installed;       /* nanoseconds since 1970 */
    int64_t updated;
    struct package_filter filters[PACKAGE_FILTERS_MAX];
    size_t filter_count;
    struct package_permission permissions[PACKAGE_PERMISSIONS_MAX];
    size_t permission_count;
};

/* What it is called; its name where it has no label. */
const char *package_label(const struct package *package, enum locale locale);

/* What launchers start; its class is "" where there is nothing. */
struct component package_launcher(const struct package *package);

/* Is there an activity of that whole class? */
bool package_has_activity(const struct package *package, const char *class);

struct package_permission *package_permission(struct package *package,
                                              const char *name);

/* Ask for one more, granted unless it is a run-time one; too many are lost. */
void package_ask_permission(struct package *package, const char *name);

/* Have activity (as of a component) answer an action; the same. */
void package_answer(struct package *package, const char *action,
                    const char *scheme, const char *activity);

/* Several, in the order in which they came. */
struct package_list {
    struct package *packages; /* owned */
    size_t count;
};

void package_list_release(struct package_list *list);

struct packages {
    pthread_mutex_t lock; /* guards all below */
    struct package_list all;
    uint32_t next_uid;
};

/* None at all. */
void packages_init(struct packages *packages);
void packages_release(struct packages *packages);

/* Install or replace the one of its name. False when there are too many. */
MUST_USE bool packages_put(struct packages *packages,
                           const struct package *package);

/* Was it there? */
bool packages_remove(struct packages *packages, const char *name);

MUST_USE bool packages_find(struct packages *packages, const char *name,
                            struct package *package);

/* The one of that number, counted from 0; false when there are fewer. */
MUST_USE bool packages_at(struct packages *packages, size_t number,
                          struct package *package);

/* The caller releases the list. */
struct package_list packages_list(struct packages *packages);

/* Who is to do it: the first package that can. False when nobody can. */
MUST_USE bool packages_resolve(struct packages *packages,
                               const struct intent *intent,
                               struct component *component);

void packages_save(struct packages *packages, struct buf *out);
void packages_load(struct packages *packages, struct parcel *in);

#endif
