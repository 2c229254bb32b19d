/* The installed packages in a snapshot. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/catalog.h"
#include "tools/phone/packages.h"

/* ---- saving ---- */

static void save_filters(const struct package *package, struct buf *out)
{
    parcel_put_u64(out, package->filter_count);
    for (size_t i = 0; i < package->filter_count; i++) {
        const struct package_filter *filter = &package->filters[i];

        parcel_put_text(out, filter->action);
        parcel_put_text(out, filter->scheme);
        parcel_put_text(out, filter->class);
    }
}

static void save_permissions(const struct package *package, struct buf *out)
{
    parcel_put_u64(out, package->permission_count);
    for (size_t i = 0; i < package->permission_count; i++) {
        const struct package_permission *permission = &package->permissions[i];

        parcel_put_text(out, permission->name);
        parcel_put_bool(out, permission->runtime);
        parcel_put_bool(out, permission->granted);
    }
}

static void save_package(const struct package *package, struct buf *out)
{
    parcel_put_text(out, package->name);
    parcel_put_text(out, package->labels[LOCALE_EN]);
    parcel_put_text(out, package->labels[LOCALE_ZH]);
    parcel_put_text(out, package->version);
    parcel_put_i64(out, package->version_code);
    parcel_put_i64(out, package->target_sdk);
    parcel_put_text(out, package->activity);
    parcel_put_text(out, package->ime);
    parcel_put_text(out, package->apk);
    parcel_put_u32(out, package->uid);
    parcel_put_bool(out, package->system);
    parcel_put_bool(out, package->disabled);
    parcel_put_bool(out, package->docked);
    parcel_put_i64(out, package->installed);
    parcel_put_i64(out, package->updated);
    save_filters(package, out);
    save_permissions(package, out);
}

void packages_save(struct packages *packages, struct buf *out)
{
    pthread_mutex_lock(&packages->lock);
    parcel_put_u32(out, packages->next_uid);
    parcel_put_u64(out, packages->all.count);
    for (size_t i = 0; i < packages->all.count; i++)
        save_package(&packages->all.packages[i], out);
    pthread_mutex_unlock(&packages->lock);
}

/* ---- loading ---- */

/* Icons are the program's: a package has that of the app of its name. */
static const struct icon *icon_of(struct packages *packages, const char *name)
{
    for (size_t i = 0; i < packages->all.count; i++) {
        if (!strcmp(packages->all.packages[i].name, name))
            return packages->all.packages[i].icon;
    }
    for (size_t i = 0; i < catalog_count; i++) {
        if (!strcmp(catalog[i].package, name))
            return catalog[i].icon;
    }
    return NULL;
}

static void load_filters(struct parcel *in, struct package *package)
{
    package->filter_count = parcel_count(in, PACKAGE_FILTERS_MAX);
    for (size_t i = 0; i < package->filter_count; i++) {
        struct package_filter *filter = &package->filters[i];

        parcel_text(in, filter->action, sizeof(filter->action));
        parcel_text(in, filter->scheme, sizeof(filter->scheme));
        parcel_text(in, filter->class, sizeof(filter->class));
    }
}

static void load_permissions(struct parcel *in, struct package *package)
{
    package->permission_count = parcel_count(in, PACKAGE_PERMISSIONS_MAX);
    for (size_t i = 0; i < package->permission_count; i++) {
        struct package_permission *permission = &package->permissions[i];

        parcel_text(in, permission->name, sizeof(permission->name));
        permission->runtime = parcel_bool(in);
        permission->granted = parcel_bool(in);
    }
}

static void load_package(struct parcel *in, struct package *package)
{
    parcel_text(in, package->name, sizeof(package->name));
    parcel_text(in, package->labels[LOCALE_EN], sizeof(package->labels[0]));
    parcel_text(in, package->labels[LOCALE_ZH], sizeof(package->labels[0]));
    parcel_text(in, package->version, sizeof(package->version));
    package->version_code = parcel_i64(in, INT64_MIN, INT64_MAX);
    package->target_sdk = (int)parcel_i64(in, 0, INT32_MAX);
    parcel_text(in, package->activity, sizeof(package->activity));
    parcel_text(in, package->ime, sizeof(package->ime));
    parcel_text(in, package->apk, sizeof(package->apk));
    package->uid = parcel_u32(in);
    package->system = parcel_bool(in);
    package->disabled = parcel_bool(in);
    package->docked = parcel_bool(in);
    package->installed = parcel_i64(in, INT64_MIN, INT64_MAX);
    package->updated = parcel_i64(in, INT64_MIN, INT64_MAX);
    load_filters(in, package);
    load_permissions(in, package);
    if (!package->name[0])
        parcel_break(in);
}

void packages_load(struct packages *packages, struct parcel *in)
{
    uint32_t next_uid = parcel_u32(in);
    struct package_list all = {.count = parcel_count(in, PACKAGES_MAX)};

    all.packages = mem_new(all.count + 1, sizeof(*all.packages));
    for (size_t i = 0; i < all.count && !in->broken; i++)
        load_package(in, &all.packages[i]);
    pthread_mutex_lock(&packages->lock);
    for (size_t i = 0; i < all.count; i++)
        all.packages[i].icon = icon_of(packages, all.packages[i].name);
    if (!in->trial && !in->broken) {
        struct package_list old = packages->all;

        packages->all = all;
        packages->next_uid = next_uid;
        all = old;
    }
    pthread_mutex_unlock(&packages->lock);
    package_list_release(&all);
}
