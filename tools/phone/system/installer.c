#include "tools/phone/system/installer.h"

#include <stdio.h>
#include <string.h>

#include "tools/phone/system/apk_manifest.h"

/* ---- sessions ---- */

void installer_init(struct apk_installer *installer)
{
    *installer = (struct apk_installer){.last_id = 0};
    pthread_mutex_init(&installer->lock, NULL);
}

void installer_release(struct apk_installer *installer)
{
    for (size_t i = 0; i < INSTALLER_SESSIONS; i++)
        shared_bytes_drop(installer->sessions[i].base);
    pthread_mutex_destroy(&installer->lock);
}

static struct installer_session *find(struct apk_installer *installer, int id)
{
    for (size_t i = 0; id > 0 && i < INSTALLER_SESSIONS; i++) {
        if (installer->sessions[i].id == id)
            return &installer->sessions[i];
    }
    return NULL;
}

static struct installer_session *oldest(struct apk_installer *installer)
{
    struct installer_session *found = &installer->sessions[0];

    for (size_t i = 1; i < INSTALLER_SESSIONS; i++) {
        if (installer->sessions[i].id < found->id)
            found = &installer->sessions[i];
    }
    return found;
}

int installer_create(struct apk_installer *installer,
                     const struct installer_options *options)
{
    struct installer_session *session;
    int id;

    pthread_mutex_lock(&installer->lock);
    session = oldest(installer);
    shared_bytes_drop(session->base);
    id = ++installer->last_id;
    *session = (struct installer_session){.id = id, .options = *options};
    pthread_mutex_unlock(&installer->lock);
    return id;
}

bool installer_write(struct apk_installer *installer, int id, const char *split,
                     struct shared_bytes *apk)
{
    struct installer_session *session;
    bool is_base = !strncmp(split, "base", 4) || !strchr(split, '_');

    pthread_mutex_lock(&installer->lock);
    session = find(installer, id);
    if (session && (!session->base || is_base)) {
        shared_bytes_drop(session->base);
        session->base = shared_bytes_hold(apk);
    }
    pthread_mutex_unlock(&installer->lock);
    return session != NULL;
}

bool installer_take(struct apk_installer *installer, int id,
                    struct installer_session *session)
{
    struct installer_session *found;

    pthread_mutex_lock(&installer->lock);
    found = find(installer, id);
    if (found) {
        *session = *found;
        *found = (struct installer_session){.id = 0};
    }
    pthread_mutex_unlock(&installer->lock);
    return found != NULL;
}

/* ---- installing ---- */

static bool check(const struct apk_manifest *manifest,
                  const struct phone_package *old,
                  const struct installer_options *options, struct err *err)
{
    long long code = manifest->package.version_code;

    if (manifest->test_only && !options->test)
        return err_set(err, ERR_INVALID,
                       "INSTALL_FAILED_TEST_ONLY: Failed to install test-only "
                       "apk. Did you forget to add -t?");
    if (old && !options->replace)
        return err_set(err, ERR_INVALID,
                       "INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install "
                       "%.100s without first uninstalling.",
                       old->name);
    if (old && code < old->version_code && !options->downgrade)
        return err_set(err, ERR_INVALID,
                       "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: "
                       "Update version code %lld is older than current %lld",
                       code, (long long)old->version_code);
    return true;
}

/* A directory with a random-looking but deterministic name, as on phones. */
static void place(struct phone_package *package)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEF";
    uint64_t hash = UINT64_C(14695981039346656037);
    char random[17];

    for (const char *at = package->name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    for (size_t i = 0; i < sizeof(random) - 1; i++) {
        random[i] = letters[hash >> 59];
        hash = hash * UINT64_C(6364136223846793005) + 1442695040888963407;
    }
    random[sizeof(random) - 1] = '\0';
    snprintf(package->apk, sizeof(package->apk), "/data/app/~~%s==/%s-1/%s",
             random, package->name, "base.apk");
}

/* Store the APK and create the app's directory. */
static bool store(struct phone_files *root, const struct phone_package *package,
                  struct shared_bytes *apk, struct err *err)
{
    char directory[sizeof(package->apk)];
    char data[sizeof(package->apk)];
    int number;

    snprintf(directory, sizeof(directory), "%s", package->apk);
    *strrchr(directory, '/') = '\0';
    snprintf(data, sizeof(data), "/data/data/%s", package->name);
    if (files_make_directory(root, directory, 0755, true, &number) &&
        files_install(root, package->apk, apk, 0644, &number) &&
        files_make_directory(root, data, 0700, true, &number) &&
        files_set_owner(root, data, package->uid, package->uid, &number))
        return true;
    return err_set(err, ERR_LIMIT, "INSTALL_FAILED_INSUFFICIENT_STORAGE: %s",
                   files_reason(number));
}

static void keep_from(struct phone_package *package,
                      const struct phone_package *old)
{
    package->uid = old->uid;
    package->system = old->system;
    package->docked = old->docked;
    package->hidden = old->hidden;
    package->icon = old->icon;
    package->installed = old->installed;
    for (size_t i = 0; i < package->permission_count; i++) {
        const struct package_permission *before =
            package_permission(old, package->permissions[i].name);

        if (before)
            package->permissions[i].granted = before->granted;
    }
}

bool installer_install(struct phone_packages *packages,
                       struct phone_files *root, struct shared_bytes *apk,
                       const struct installer_options *options, int64_t now,
                       struct phone_package *package, struct err *err)
{
    struct apk_manifest manifest;
    struct phone_package old;
    struct err why = ERR_INIT;
    bool was;

    if (!apk->size ||
        !apk_manifest_read_apk(apk->data, apk->size, &manifest, &why))
        return err_set(err, ERR_INVALID,
                       "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse "
                       "/data/app/vmdl1.tmp/base.apk: %.100s",
                       apk->size ? why.text : "it is empty");
    *package = manifest.package;
    was = packages_find(packages, package->name, &old);
    if (!check(&manifest, was ? &old : NULL, options, err))
        return false;
    package->installed = now;
    package->updated = now;
    if (was)
        keep_from(package, &old);
    for (size_t i = 0; options->grant && i < package->permission_count; i++)
        package->permissions[i].granted = true;
    place(package);
    if (!packages_put(packages, package) ||
        !packages_find(packages, package->name, package))
        return err_set(
            err, ERR_LIMIT,
            "INSTALL_FAILED_INSUFFICIENT_STORAGE: too many packages");
    return store(root, package, apk, err);
}
