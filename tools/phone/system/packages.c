#include "tools/phone/system/packages.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* ---- one package ---- */

const char *package_label(const struct phone_package *package,
                          enum phone_locale locale)
{
    if (package->labels[locale][0])
        return package->labels[locale];
    return package->labels[LOCALE_EN][0] ? package->labels[LOCALE_EN]
                                         : package->name;
}

const struct phone_icon *package_icon(const struct phone_package *package)
{
    return package->icon ? package->icon : &icon_app;
}

struct phone_component package_launcher(const struct phone_package *package)
{
    return component_of(package->name, package->activity);
}

bool package_has_activity(const struct phone_package *package,
                          const char *class)
{
    struct phone_component launcher = package_launcher(package);

    if (package->activity[0] && !strcmp(launcher.class, class))
        return true;
    for (size_t i = 0; i < package->filter_count; i++) {
        if (!strcmp(package->filters[i].class, class))
            return true;
    }
    return false;
}

const struct package_permission *package_permission(
    const struct phone_package *package, const char *name)
{
    for (size_t i = 0; i < package->permission_count; i++) {
        if (!strcmp(package->permissions[i].name, name))
            return &package->permissions[i];
    }
    return NULL;
}

void package_grant(struct phone_package *package,
                   const struct package_permission *permission, bool granted)
{
    package->permissions[permission - package->permissions].granted = granted;
}

/* Permissions that Android calls dangerous. */
static bool is_runtime(const char *name)
{
    static const char prefix[] = "android.permission.";
    static const char *const names[] = {
        "ACCESS_BACKGROUND_LOCATION",
        "ACCESS_COARSE_LOCATION",
        "ACCESS_FINE_LOCATION",
        "ACTIVITY_RECOGNITION",
        "ANSWER_PHONE_CALLS",
        "BLUETOOTH_CONNECT",
        "BLUETOOTH_SCAN",
        "BODY_SENSORS",
        "CALL_PHONE",
        "CAMERA",
        "GET_ACCOUNTS",
        "POST_NOTIFICATIONS",
        "READ_CALENDAR",
        "READ_CALL_LOG",
        "READ_CONTACTS",
        "READ_EXTERNAL_STORAGE",
        "READ_MEDIA_AUDIO",
        "READ_MEDIA_IMAGES",
        "READ_MEDIA_VIDEO",
        "READ_PHONE_STATE",
        "READ_SMS",
        "RECEIVE_SMS",
        "RECORD_AUDIO",
        "SEND_SMS",
        "WRITE_CALENDAR",
        "WRITE_CALL_LOG",
        "WRITE_CONTACTS",
        "WRITE_EXTERNAL_STORAGE",
    };

    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcmp(name + strlen(prefix), names[i]))
            return true;
    }
    return false;
}

void package_ask_permission(struct phone_package *package, const char *name)
{
    struct package_permission *permission;

    if (package_permission(package, name) ||
        package->permission_count == PACKAGE_PERMISSIONS_MAX)
        return;
    permission = &package->permissions[package->permission_count++];
    snprintf(permission->name, sizeof(permission->name), "%s", name);
    permission->runtime = is_runtime(name);
    permission->granted = !permission->runtime;
}

void package_answer(struct phone_package *package, const char *action,
                    const char *scheme, const char *activity)
{
    struct phone_component component = component_of(package->name, activity);
    struct package_filter *filter;

    if (package->filter_count == PACKAGE_FILTERS_MAX)
        return;
    filter = &package->filters[package->filter_count++];
    snprintf(filter->action, sizeof(filter->action), "%s", action);
    snprintf(filter->scheme, sizeof(filter->scheme), "%s", scheme);
    snprintf(filter->class, sizeof(filter->class), "%s", component.class);
}

/* ---- lists ---- */

/* The memory of a list and its copies. */
struct package_block {
    atomic_size_t holders;
    struct phone_package items[];
};

static struct package_block *block_of(const struct package_list *list)
{
    return (struct package_block *)((char *)list->packages -
                                    offsetof(struct package_block, items));
}

/* With room for one at least: what a list points to is inside of its block. */
struct package_list package_list_new(size_t count, struct phone_package **items)
{
    struct package_block *block = mem_new(
        1, sizeof(*block) + (count ? count : 1) * sizeof(block->items[0]));

    atomic_init(&block->holders, 1);
    *items = block->items;
    return (struct package_list){block->items, count};
}

static struct package_list copy_of(const struct package_list *list)
{
    if (list->packages)
        atomic_fetch_add(&block_of(list)->holders, 1);
    return *list;
}

void package_list_release(struct package_list *list)
{
    if (list->packages && atomic_fetch_sub(&block_of(list)->holders, 1) == 1)
        free(block_of(list));
    *list = (struct package_list){.count = 0};
}

/* The packages (at least one), to be changed; copies of the list stay. */
static struct phone_package *change(struct package_list *list)
{
    struct phone_package *items;
    struct package_list own;

    if (atomic_load(&block_of(list)->holders) == 1)
        return block_of(list)->items;
    own = package_list_new(list->count, &items);
    memcpy(items, list->packages, list->count * sizeof(*items));
    package_list_release(list);
    *list = own;
    return items;
}

/* ---- all packages ---- */

void packages_init(struct phone_packages *packages)
{
    *packages = (struct phone_packages){.next_uid = PACKAGES_UID_FIRST};
    pthread_mutex_init(&packages->lock, NULL);
}

void packages_release(struct phone_packages *packages)
{
    package_list_release(&packages->all);
    pthread_mutex_destroy(&packages->lock);
}

static const struct phone_package *find(const struct phone_packages *packages,
                                        const char *name)
{
    for (size_t i = 0; i < packages->all.count; i++) {
        if (!strcmp(packages->all.packages[i].name, name))
            return &packages->all.packages[i];
    }
    return NULL;
}

/* The package of that name, to be changed; a new one if there is none. */
static struct phone_package *place_of(struct phone_packages *packages,
                                      const char *name)
{
    const struct phone_package *found = find(packages, name);
    struct package_list *all = &packages->all;
    size_t at = found ? (size_t)(found - all->packages) : all->count;
    struct phone_package *items;
    struct package_list longer;

    if (found)
        return change(all) + at;
    if (at == PACKAGES_MAX)
        return NULL;
    longer = package_list_new(at + 1, &items);
    if (at)
        memcpy(items, all->packages, at * sizeof(*items));
    package_list_release(all);
    *all = longer;
    return &items[at];
}

bool packages_put(struct phone_packages *packages,
                  const struct phone_package *package)
{
    struct phone_package *place;

    pthread_mutex_lock(&packages->lock);
    place = place_of(packages, package->name);
    if (place) {
        uint32_t uid = package->uid ? package->uid : place->uid;

        *place = *package;
        place->uid = uid ? uid : packages->next_uid++;
    }
    pthread_mutex_unlock(&packages->lock);
    return place != NULL;
}

bool packages_remove(struct phone_packages *packages, const char *name)
{
    struct package_list *all = &packages->all;
    const struct phone_package *found;

    pthread_mutex_lock(&packages->lock);
    found = find(packages, name);
    if (found) {
        size_t index = (size_t)(found - all->packages);
        struct phone_package *items = change(all) + index;

        memmove(items, items + 1, (--all->count - index) * sizeof(*items));
    }
    pthread_mutex_unlock(&packages->lock);
    return found != NULL;
}

bool packages_find(struct phone_packages *packages, const char *name,
                   struct phone_package *package)
{
    const struct phone_package *found;

    pthread_mutex_lock(&packages->lock);
    found = find(packages, name);
    if (found)
        *package = *found;
    pthread_mutex_unlock(&packages->lock);
    return found != NULL;
}

bool packages_at(struct phone_packages *packages, size_t number,
                 struct phone_package *package)
{
    bool found;

    pthread_mutex_lock(&packages->lock);
    found = number < packages->all.count;
    if (found)
        *package = packages->all.packages[number];
    pthread_mutex_unlock(&packages->lock);
    return found;
}

struct package_list packages_list(struct phone_packages *packages)
{
    struct package_list list;

    pthread_mutex_lock(&packages->lock);
    list = copy_of(&packages->all);
    pthread_mutex_unlock(&packages->lock);
    return list;
}

/* ---- resolving intents ---- */

static bool action_matches(const char *pattern, const char *action)
{
    size_t length = strlen(pattern);

    if (length && pattern[length - 1] == '*')
        return !strncmp(pattern, action, length - 1);
    return !strcmp(pattern, action);
}

static bool scheme_matches(const char *scheme, const char *data)
{
    size_t length = strlen(scheme);

    return !length ||
           (data && !strncasecmp(data, scheme, length) && data[length] == ':');
}

static bool has_category(const struct phone_intent *intent,
                         const char *category)
{
    for (size_t i = 0; i < intent->category_count; i++) {
        if (!strcmp(intent->categories[i], category))
            return true;
    }
    return false;
}

/* The filter of a package that matches intent; NULL if none does. */
static const char *answer(const struct phone_package *package,
                          const struct phone_intent *intent)
{
    const char *action = intent->action ? intent->action : INTENT_MAIN;
    bool home = has_category(intent, INTENT_HOME);

    if (package->disabled ||
        (intent->package && strcmp(intent->package, package->name) != 0))
        return NULL;
    for (size_t i = 0; i < package->filter_count; i++) {
        const struct package_filter *filter = &package->filters[i];

        if (home ? !strcmp(filter->action, INTENT_HOME)
                 : action_matches(filter->action, action) &&
                       scheme_matches(filter->scheme, intent->data))
            return filter->class;
    }
    if (!home && !strcmp(action, INTENT_MAIN) && package->activity[0] &&
        (intent->package || has_category(intent, INTENT_LAUNCHER)))
        return package->activity;
    return NULL;
}

bool package_resolves(const struct phone_package *package,
                      const struct phone_intent *intent,
                      struct phone_component *component)
{
    const char *class = answer(package, intent);

    if (class)
        *component = component_of(package->name, class);
    return class != NULL;
}

bool packages_resolve(struct phone_packages *packages,
                      const struct phone_intent *intent,
                      struct phone_component *component)
{
    bool found = false;

    pthread_mutex_lock(&packages->lock);
    for (size_t i = 0; !found && i < packages->all.count; i++)
        found = package_resolves(&packages->all.packages[i], intent, component);
    pthread_mutex_unlock(&packages->lock);
    return found;
}
