/* pm: package manager commands. */
#include "tools/phone/services/cmd_pm.h"

#include <stdio.h>
#include <string.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/services/intent_args.h"

#define TEXT_MAX ((size_t)64 * 1024)

static struct phone_packages *packages_of(struct subcommand_call *subcommand)
{
    return &subcommand->phone->handset->packages;
}

bool pm_is_user_option(struct subcommand_call *subcommand, const char *option)
{
    if (strcmp(option, "--user") != 0)
        return false;
    (void)subcommand_next(subcommand);
    return true;
}

/* The package that the next argument names; *found says whether it exists. */
static bool need_package(struct subcommand_call *subcommand,
                         struct phone_package *package, bool *found,
                         int *status)
{
    const char *option;
    const char *name;

    while ((option = subcommand_option(subcommand)))
        (void)pm_is_user_option(subcommand, option);
    if (!subcommand_need(subcommand, &name, status))
        return false;
    *found = packages_find(packages_of(subcommand), name, package);
    if (!*found)
        snprintf(package->name, sizeof(package->name), "%s", name);
    return true;
}

/* ---- path, clear ---- */

static int run_path(struct subcommand_call *subcommand)
{
    struct phone_package package;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status))
        return status;
    if (!found)
        return 1;
    call_print(subcommand->call, "package:%s\n", package.apk);
    return 0;
}

static void remove_data(struct subcommand_call *subcommand, const char *package)
{
    static const char *const places[] = {"/data/data",
                                         "/storage/emulated/0/Android/data"};
    char path[256];
    int number;

    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        snprintf(path, sizeof(path), "%s/%s", places[i], package);
        (void)!files_remove(subcommand->phone->handset->root, path, true,
                            &number);
    }
}

static int run_clear(struct subcommand_call *subcommand)
{
    struct phone_package package;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status))
        return status;
    if (!found) {
        call_print(subcommand->call, "Failed\n");
        return 1;
    }
    task_stack_stop(subcommand->phone->task_stack, package.name, "clear data");
    remove_data(subcommand, package.name);
    for (size_t i = 0; i < package.permission_count; i++)
        package.permissions[i].granted = !package.permissions[i].runtime;
    (void)!packages_put(packages_of(subcommand), &package);
    call_print(subcommand->call, "Success\n");
    return 0;
}

/* ---- enabling ---- */

static int set_enabled(struct subcommand_call *subcommand, bool enabled,
                       const char *state)
{
    struct phone_package package;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status))
        return status;
    if (!found)
        return subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                                "Unknown package: %s", package.name);
    package.disabled = !enabled;
    (void)!packages_put(packages_of(subcommand), &package);
    if (!enabled)
        task_stack_stop(subcommand->phone->task_stack, package.name,
                        "pkg removed");
    call_print(subcommand->call, "Package %s new state: %s\n", package.name,
               state);
    return 0;
}

static int run_enable(struct subcommand_call *subcommand)
{
    return set_enabled(subcommand, true, "enabled");
}

static int run_disable_user(struct subcommand_call *subcommand)
{
    return set_enabled(subcommand, false, "disabled-user");
}

/* The shell may not use this; it has disable-user. */
static int run_disable(struct subcommand_call *subcommand)
{
    struct phone_package package;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status))
        return status;
    return subcommand_throw(
        subcommand, "java.lang.SecurityException",
        "Shell cannot change component state for %s/null to 2", package.name);
}

/* ---- permissions ---- */

static int set_granted(struct subcommand_call *subcommand, bool granted)
{
    struct phone_package package;
    const struct package_permission *permission;
    const char *name;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status) ||
        !subcommand_need(subcommand, &name, &status))
        return status;
    if (!found)
        return subcommand_throw(subcommand, SUBCOMMAND_ILLEGAL,
                                "Unknown package: %s", package.name);
    permission = package_permission(&package, name);
    if (!permission)
        return subcommand_throw(
            subcommand, "java.lang.SecurityException",
            "Package %s has not requested permission %.100s", package.name,
            name);
    if (!permission->runtime)
        return subcommand_throw(
            subcommand, "java.lang.SecurityException",
            "Permission %s requested by %s is not a changeable "
            "permission type",
            permission->name, package.name);
    package_grant(&package, permission, granted);
    (void)!packages_put(packages_of(subcommand), &package);
    return 0;
}

static int run_grant(struct subcommand_call *subcommand)
{
    return set_granted(subcommand, true);
}

static int run_revoke(struct subcommand_call *subcommand)
{
    return set_granted(subcommand, false);
}

/* ---- describing ---- */

static void describe_time(const char *what, int64_t time, struct buf *text)
{
    buf_printf(text, "    %s=", what);
    date_text_format(time, "%Y-%m-%d %H:%M:%S", text);
    buf_byte(text, '\n');
}

static void describe_permissions(const struct phone_package *package,
                                 bool runtime, struct buf *text)
{
    for (size_t i = 0; i < package->permission_count; i++) {
        const struct package_permission *permission = &package->permissions[i];

        if (permission->runtime != runtime)
            continue;
        buf_printf(text, "%s      %s: granted=%s", runtime ? "  " : "",
                   permission->name, permission->granted ? "true" : "false");
        if (runtime)
            buf_printf(text,
                       ", flags=[ %sUSER_SENSITIVE_WHEN_GRANTED|"
                       "USER_SENSITIVE_WHEN_DENIED]",
                       permission->granted ? "USER_SET|" : "");
        buf_byte(text, '\n');
    }
}

static void describe_filters(const struct phone_package *package,
                             struct buf *text)
{
    struct phone_component launcher = package_launcher(package);
    char name[COMPONENT_TEXT_SIZE];

    buf_text(text, "Activity Resolver Table:\n  Non-Data Actions:\n");
    if (package->activity[0])
        buf_printf(text,
                   "      %s:\n        %07x %s filter %07x\n"
                   "          Action: \"%s\"\n"
                   "          Category: \"%s\"\n",
                   INTENT_MAIN, (unsigned)package->uid * 4097U & 0xfffffffU,
                   component_short(&launcher, name),
                   (unsigned)package->uid * 8191U & 0xfffffffU, INTENT_MAIN,
                   INTENT_LAUNCHER);
    buf_byte(text, '\n');
}

static void describe_facts(const struct phone_package *package,
                           struct buf *text)
{
    char directory[sizeof(package->apk)];
    char *slash;

    snprintf(directory, sizeof(directory), "%s", package->apk);
    slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    buf_printf(text,
               "    userId=%u\n"
               "    codePath=%s\n"
               "    resourcePath=%s\n"
               "    primaryCpuAbi=arm64-v8a\n"
               "    versionCode=%lld minSdk=24 targetSdk=%d\n"
               "    versionName=%s\n"
               "    flags=[ %sHAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP ]\n"
               "    dataDir=/data/user/0/%s\n"
               "    supportsScreens=[small, medium, large, xlarge, "
               "resizeable, anyDensity]\n",
               (unsigned)package->uid, directory, directory,
               (long long)package->version_code, package->target_sdk,
               package->version, package->system ? "SYSTEM " : "",
               package->name);
    describe_time("firstInstallTime", package->installed, text);
    describe_time("lastUpdateTime", package->updated, text);
}

void pm_describe(const struct phone_package *package, struct buf *text)
{
    describe_filters(package, text);
    buf_printf(text, "Packages:\n  Package [%s] (%07x):\n", package->name,
               (unsigned)package->uid * 2741U & 0xfffffffU);
    describe_facts(package, text);
    buf_text(text, "    requested permissions:\n");
    for (size_t i = 0; i < package->permission_count; i++)
        buf_printf(text, "      %s\n", package->permissions[i].name);
    buf_text(text, "    install permissions:\n");
    describe_permissions(package, false, text);
    buf_printf(text,
               "    User 0: ceDataInode=0 installed=true hidden=false "
               "suspended=false distractionFlags=0 stopped=false "
               "notLaunched=false enabled=%d instant=false virtual=false\n"
               "      gids=[3003]\n"
               "      runtime permissions:\n",
               package->disabled ? 3 : 0);
    describe_permissions(package, true, text);
}

static int run_dump(struct subcommand_call *subcommand)
{
    struct buf text = BUF_INIT(TEXT_MAX);
    struct phone_package package;
    bool found;
    int status;

    if (!need_package(subcommand, &package, &found, &status))
        return status;
    if (found)
        pm_describe(&package, &text);
    else
        buf_printf(&text, "Unable to find package: %s\n", package.name);
    call_write(subcommand->call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

/* ---- resolving ---- */

struct resolving {
    bool brief;
    bool components;
};

static bool resolving_option(struct subcommand_call *subcommand,
                             const char *option, void *context)
{
    struct resolving *resolving = context;

    if (!strcmp(option, "--brief"))
        resolving->brief = true;
    else if (!strcmp(option, "--components"))
        resolving->components = true;
    else if (!strcmp(option, "--query-flags"))
        (void)subcommand_next(subcommand);
    else
        return pm_is_user_option(subcommand, option);
    return true;
}

#define RESOLVED                                                               \
    "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "             \
    "isDefault=true\n"

static void print_resolved(struct subcommand_call *subcommand,
                           const struct resolving *resolving,
                           const struct phone_component *component)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(component, name);
    if (resolving->components)
        call_print(subcommand->call, "%s\n", name);
    else if (resolving->brief)
        call_print(subcommand->call, RESOLVED "%s\n", name);
    else
        call_print(subcommand->call,
                   RESOLVED "ActivityInfo:\n  name=%s\n  packageName=%s\n"
                            "  enabled=true exported=true "
                            "directBootAware=false\n",
                   component->class, component->package);
}

static int run_resolve(struct subcommand_call *subcommand)
{
    struct resolving resolving = {.brief = false};
    struct phone_component component;
    struct phone_intent intent;
    int status;

    if (!intent_words(subcommand, resolving_option, &resolving, &intent,
                      &status))
        return status;
    component = intent.component;
    if (component.package[0] ||
        packages_resolve(packages_of(subcommand), &intent, &component))
        print_resolved(subcommand, &resolving, &component);
    else
        call_print(subcommand->call, "No activity found\n");
    return 0;
}

/* One of several activities; number counts from 0. */
static void print_queried(struct subcommand_call *subcommand,
                          const struct resolving *resolving, size_t number,
                          const struct phone_component *component)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(component, name);
    if (resolving->components) {
        call_print(subcommand->call, "%s\n", name);
        return;
    }
    call_print(subcommand->call,
               "  Activity #%zu:\n    priority=0 preferredOrder=0 "
               "match=0x108000 specificIndex=-1 isDefault=false\n",
               number);
    if (resolving->brief)
        call_print(subcommand->call, "    %s\n", name);
    else
        call_print(subcommand->call,
                   "    ActivityInfo:\n      name=%s\n      packageName=%s\n"
                   "      enabled=true exported=true directBootAware=false\n",
                   component->class, component->package);
}

static int run_query(struct subcommand_call *subcommand)
{
    struct resolving resolving = {.brief = false};
    struct phone_component component;
    struct phone_intent intent;
    struct package_list list;
    size_t count = 0;
    int status;

    if (!intent_words(subcommand, resolving_option, &resolving, &intent,
                      &status))
        return status;
    list = packages_list(packages_of(subcommand));
    for (size_t i = 0; i < list.count; i++)
        count += package_resolves(&list.packages[i], &intent, &component);
    if (!count)
        call_print(subcommand->call, "No activities found\n");
    else if (!resolving.components)
        call_print(subcommand->call, "%zu activities found:\n", count);
    count = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (package_resolves(&list.packages[i], &intent, &component))
            print_queried(subcommand, &resolving, count++, &component);
    }
    package_list_release(&list);
    return 0;
}

/* ---- other subcommands ---- */

static int run_has_feature(struct subcommand_call *subcommand)
{
    const char *name;
    bool found;
    int status;

    if (!subcommand_need(subcommand, &name, &status))
        return status;
    found = !strncmp(name, "android.hardware.touchscreen", 28) ||
            !strcmp(name, "android.hardware.wifi") ||
            !strcmp(name, "android.software.input_methods");
    call_print(subcommand->call, "%s\n", found ? "true" : "false");
    return found ? 0 : 1;
}

static int run_users(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "Maximum supported users: 1\n");
    return 0;
}

static int run_install_location(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "0[auto]\n");
    return 0;
}

static int run_quietly(struct subcommand_call *subcommand)
{
    (void)subcommand;
    return 0;
}

static int run_compile(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "Success\n");
    return 0;
}

static int run_pm(struct command_call *call)
{
    static const char usage[] =
        "Package manager (package) commands:\n"
        "  help\n"
        "  path PACKAGE\n"
        "  dump PACKAGE\n"
        "  has-feature FEATURE_NAME\n"
        "  list features|packages|permissions|users|libraries\n"
        "  resolve-activity [--brief] [--components] INTENT\n"
        "  install [-rtdg] [-S BYTES] [PATH]\n"
        "  install-create [-rtdg] [-S BYTES]\n"
        "  install-write [-S BYTES] SESSION_ID SPLIT_NAME [PATH|-]\n"
        "  install-commit SESSION_ID\n"
        "  install-abandon SESSION_ID\n"
        "  uninstall [-k] PACKAGE\n"
        "  clear PACKAGE\n"
        "  enable|disable|disable-user PACKAGE\n"
        "  grant|revoke PACKAGE PERMISSION\n";
    static const struct subcommand verbs[] = {
        {"list", pm_list},
        {"path", run_path},
        {"clear", run_clear},
        {"enable", run_enable},
        {"disable", run_disable},
        {"disable-user", run_disable_user},
        {"grant", run_grant},
        {"revoke", run_revoke},
        {"reset-permissions", run_quietly},
        {"dump", run_dump},
        {"resolve-activity", run_resolve},
        {"query-activities", run_query},
        {"has-feature", run_has_feature},
        {"get-max-users", run_users},
        {"get-install-location", run_install_location},
        {"compile", run_compile},
        {"trim-caches", run_quietly},
        {"install", pm_install},
        {"install-create", pm_install_create},
        {"install-write", pm_install_write},
        {"install-commit", pm_install_commit},
        {"install-abandon", pm_install_abandon},
        {"uninstall", pm_uninstall},
    };

    return subcommand_run(call, verbs, ARRAY_LEN(verbs), usage);
}

static const struct phone_command commands[] = {
    {"pm", run_pm, "COMMAND [ARGUMENT...]"},
};

const struct command_set package_commands = {commands, ARRAY_LEN(commands)};
