/* The installed packages in a snapshot. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/system/app_catalog.h"
#include "tools/phone/system/packages.h"

/* ---- saving ---- */

static void save_filters(const struct phone_package *package, struct buf *out)
{
    saved_state_put_u64(out, package->filter_count);
    for (size_t i = 0; i < package->filter_count; i++) {
        const struct package_filter *filter = &package->filters[i];

        saved_state_put_text(out, filter->action);
        saved_state_put_text(out, filter->scheme);
        saved_state_put_text(out, filter->class);
    }
}

static void save_permissions(const struct phone_package *package,
                             struct buf *out)
{
    saved_state_put_u64(out, package->permission_count);
    for (size_t i = 0; i < package->permission_count; i++) {
        const struct package_permission *permission = &package->permissions[i];

        saved_state_put_text(out, permission->name);
        saved_state_put_bool(out, permission->runtime);
        saved_state_put_bool(out, permission->granted);
    }
}

static void save_package(const struct phone_package *package, struct buf *out)
{
    saved_state_put_text(out, package->name);
    saved_state_put_text(out, package->labels[LOCALE_EN]);
    saved_state_put_text(out, package->labels[LOCALE_ZH]);
    saved_state_put_text(out, package->version);
    saved_state_put_i64(out, package->version_code);
    saved_state_put_i64(out, package->target_sdk);
    saved_state_put_text(out, package->activity);
    saved_state_put_text(out, package->ime);
    saved_state_put_text(out, package->runner);
    saved_state_put_text(out, package->tested);
    saved_state_put_text(out, package->apk);
    saved_state_put_u32(out, package->uid);
    saved_state_put_bool(out, package->system);
    saved_state_put_bool(out, package->disabled);
    saved_state_put_bool(out, package->docked);
    saved_state_put_bool(out, package->hidden);
    saved_state_put_i64(out, package->installed);
    saved_state_put_i64(out, package->updated);
    save_filters(package, out);
    save_permissions(package, out);
}

void packages_save(struct phone_packages *packages, struct buf *out)
{
    pthread_mutex_lock(&packages->lock);
    saved_state_put_u32(out, packages->next_uid);
    saved_state_put_u64(out, packages->all.count);
    for (size_t i = 0; i < packages->all.count; i++)
        save_package(&packages->all.packages[i], out);
    pthread_mutex_unlock(&packages->lock);
}

/* ---- loading ---- */

/* Icons are built in: a package gets that of the app with its name. */
static const struct phone_icon *icon_of(struct phone_packages *packages,
                                        const char *name)
{
    for (size_t i = 0; i < packages->all.count; i++) {
        if (!strcmp(packages->all.packages[i].name, name))
            return packages->all.packages[i].icon;
    }
    for (size_t i = 0; i < app_catalog_count; i++) {
        if (!strcmp(app_catalog[i].package, name))
            return app_catalog[i].icon;
    }
    return NULL;
}

static void load_filters(struct saved_state *in, struct phone_package *package)
{
    package->filter_count = saved_state_count(in, PACKAGE_FILTERS_MAX);
    for (size_t i = 0; i < package->filter_count; i++) {
        struct package_filter *filter = &package->filters[i];

        saved_state_text(in, filter->action, sizeof(filter->action));
        saved_state_text(in, filter->scheme, sizeof(filter->scheme));
        saved_state_text(in, filter->class, sizeof(filter->class));
    }
}

static void load_permissions(struct saved_state *in,
                             struct phone_package *package)
{
    package->permission_count = saved_state_count(in, PACKAGE_PERMISSIONS_MAX);
    for (size_t i = 0; i < package->permission_count; i++) {
        struct package_permission *permission = &package->permissions[i];

        saved_state_text(in, permission->name, sizeof(permission->name));
        permission->runtime = saved_state_bool(in);
        permission->granted = saved_state_bool(in);
    }
}

static void load_package(struct saved_state *in, struct phone_package *package)
{
    saved_state_text(in, package->name, sizeof(package->name));
    saved_state_text(in, package->labels[LOCALE_EN],
                     sizeof(package->labels[0]));
    saved_state_text(in, package->labels[LOCALE_ZH],
                     sizeof(package->labels[0]));
    saved_state_text(in, package->version, sizeof(package->version));
    package->version_code = saved_state_i64(in, INT64_MIN, INT64_MAX);
    package->target_sdk = (int)saved_state_i64(in, 0, INT32_MAX);
    saved_state_text(in, package->activity, sizeof(package->activity));
    saved_state_text(in, package->ime, sizeof(package->ime));
    saved_state_text(in, package->runner, sizeof(package->runner));
    saved_state_text(in, package->tested, sizeof(package->tested));
    saved_state_text(in, package->apk, sizeof(package->apk));
    package->uid = saved_state_u32(in);
    package->system = saved_state_bool(in);
    package->disabled = saved_state_bool(in);
    package->docked = saved_state_bool(in);
    package->hidden = saved_state_bool(in);
    package->installed = saved_state_i64(in, INT64_MIN, INT64_MAX);
    package->updated = saved_state_i64(in, INT64_MIN, INT64_MAX);
    load_filters(in, package);
    load_permissions(in, package);
    if (!package->name[0])
        saved_state_break(in);
}

void packages_load(struct phone_packages *packages, struct saved_state *in)
{
    uint32_t next_uid = saved_state_u32(in);
    struct phone_package *items;
    struct package_list all =
        package_list_new(saved_state_count(in, PACKAGES_MAX), &items);

    for (size_t i = 0; i < all.count && !in->broken; i++)
        load_package(in, &items[i]);
    pthread_mutex_lock(&packages->lock);
    for (size_t i = 0; i < all.count; i++)
        items[i].icon = icon_of(packages, items[i].name);
    if (!in->trial && !in->broken) {
        struct package_list old = packages->all;

        packages->all = all;
        packages->next_uid = next_uid;
        all = old;
    }
    pthread_mutex_unlock(&packages->lock);
    package_list_release(&all);
}
