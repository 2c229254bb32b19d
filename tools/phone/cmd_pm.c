/* pm: the packages. */
#include "tools/phone/cmd_pm.h"

#include <stdio.h>
#include <string.h>

#include "tools/phone/dates.h"
#include "tools/phone/intent_words.h"

#define TEXT_MAX ((size_t)64 * 1024)

static struct packages *packages_of(struct verb_call *verb)
{
    return &verb->phone->handset->packages;
}

bool pm_is_user_option(struct verb_call *verb, const char *option)
{
    if (strcmp(option, "--user") != 0)
        return false;
    (void)verb_next(verb);
    return true;
}

/* The package that the next word names; *found says whether there is one. */
static bool need_package(struct verb_call *verb, struct package *package,
                         bool *found, int *status)
{
    const char *option;
    const char *name;

    while ((option = verb_option(verb)))
        (void)pm_is_user_option(verb, option);
    if (!verb_need(verb, &name, status))
        return false;
    *found = packages_find(packages_of(verb), name, package);
    if (!*found)
        snprintf(package->name, sizeof(package->name), "%s", name);
    return true;
}

/* ---- path, clear ---- */

static int run_path(struct verb_call *verb)
{
    struct package package;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status))
        return status;
    if (!found)
        return 1;
    call_print(verb->call, "package:%s\n", package.apk);
    return 0;
}

static void remove_data(struct verb_call *verb, const char *package)
{
    static const char *const places[] = {"/data/data",
                                         "/storage/emulated/0/Android/data"};
    char path[256];
    int number;

    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        snprintf(path, sizeof(path), "%s/%s", places[i], package);
        (void)!files_remove(verb->phone->handset->root, path, true, &number);
    }
}

static int run_clear(struct verb_call *verb)
{
    struct package package;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status))
        return status;
    if (!found) {
        call_print(verb->call, "Failed\n");
        return 1;
    }
    stage_stop(verb->phone->stage, package.name, "clear data");
    remove_data(verb, package.name);
    for (size_t i = 0; i < package.permission_count; i++)
        package.permissions[i].granted = !package.permissions[i].runtime;
    (void)!packages_put(packages_of(verb), &package);
    call_print(verb->call, "Success\n");
    return 0;
}

/* ---- enabling ---- */

static int set_enabled(struct verb_call *verb, bool enabled, const char *state)
{
    struct package package;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status))
        return status;
    if (!found)
        return verb_throw(verb, VERB_ILLEGAL, "Unknown package: %s",
                          package.name);
    package.disabled = !enabled;
    (void)!packages_put(packages_of(verb), &package);
    if (!enabled)
        stage_stop(verb->phone->stage, package.name, "pkg removed");
    call_print(verb->call, "Package %s new state: %s\n", package.name, state);
    return 0;
}

static int run_enable(struct verb_call *verb)
{
    return set_enabled(verb, true, "enabled");
}

static int run_disable_user(struct verb_call *verb)
{
    return set_enabled(verb, false, "disabled-user");
}

/* The shell may not do this; that is what disable-user is for. */
static int run_disable(struct verb_call *verb)
{
    struct package package;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status))
        return status;
    return verb_throw(verb, "java.lang.SecurityException",
                      "Shell cannot change component state for %s/null to 2",
                      package.name);
}

/* ---- permissions ---- */

static int set_granted(struct verb_call *verb, bool granted)
{
    struct package package;
    struct package_permission *permission;
    const char *name;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status) ||
        !verb_need(verb, &name, &status))
        return status;
    if (!found)
        return verb_throw(verb, VERB_ILLEGAL, "Unknown package: %s",
                          package.name);
    permission = package_permission(&package, name);
    if (!permission)
        return verb_throw(verb, "java.lang.SecurityException",
                          "Package %s has not requested permission %.100s",
                          package.name, name);
    if (!permission->runtime)
        return verb_throw(verb, "java.lang.SecurityException",
                          "Permission %s requested by %s is not a changeable "
                          "permission type",
                          permission->name, package.name);
    permission->granted = granted;
    (void)!packages_put(packages_of(verb), &package);
    return 0;
}

static int run_grant(struct verb_call *verb)
{
    return set_granted(verb, true);
}

static int run_revoke(struct verb_call *verb)
{
    return set_granted(verb, false);
}

/* ---- describing ---- */

static void describe_time(const char *what, int64_t time, struct buf *text)
{
    buf_printf(text, "    %s=", what);
    dates_format(time, "%Y-%m-%d %H:%M:%S", text);
    buf_byte(text, '\n');
}

static void describe_permissions(const struct package *package, bool runtime,
                                 struct buf *text)
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

static void describe_filters(const struct package *package, struct buf *text)
{
    struct component launcher = package_launcher(package);
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

static void describe_facts(const struct package *package, struct buf *text)
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

void pm_describe(const struct package *package, struct buf *text)
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

static int run_dump(struct verb_call *verb)
{
    struct buf text = BUF_INIT(TEXT_MAX);
    struct package package;
    bool found;
    int status;

    if (!need_package(verb, &package, &found, &status))
        return status;
    if (found)
        pm_describe(&package, &text);
    else
        buf_printf(&text, "Unable to find package: %s\n", package.name);
    call_write(verb->call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

/* ---- resolving ---- */

struct resolving {
    bool brief;
    bool components;
};

static bool resolving_option(struct verb_call *verb, const char *option,
                             void *context)
{
    struct resolving *resolving = context;

    if (!strcmp(option, "--brief"))
        resolving->brief = true;
    else if (!strcmp(option, "--components"))
        resolving->components = true;
    else if (!strcmp(option, "--query-flags"))
        (void)verb_next(verb);
    else
        return pm_is_user_option(verb, option);
    return true;
}

#define RESOLVED                                                               \
    "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "             \
    "isDefault=true\n"

static void print_resolved(struct verb_call *verb,
                           const struct resolving *resolving,
                           const struct component *component)
{
    char name[COMPONENT_TEXT_SIZE];

    component_short(component, name);
    if (resolving->components)
        call_print(verb->call, "%s\n", name);
    else if (resolving->brief)
        call_print(verb->call, RESOLVED "%s\n", name);
    else
        call_print(verb->call,
                   RESOLVED "ActivityInfo:\n  name=%s\n  packageName=%s\n"
                            "  enabled=true exported=true "
                            "directBootAware=false\n",
                   component->class, component->package);
}

static int run_resolve(struct verb_call *verb)
{
    struct resolving resolving = {.brief = false};
    struct component component;
    struct intent intent;
    int status;

    if (!intent_words(verb, resolving_option, &resolving, &intent, &status))
        return status;
    component = intent.component;
    if (component.package[0] ||
        packages_resolve(packages_of(verb), &intent, &component))
        print_resolved(verb, &resolving, &component);
    else
        call_print(verb->call, "No activity found\n");
    return 0;
}

/* ---- the rest ---- */

static int run_has_feature(struct verb_call *verb)
{
    const char *name;
    bool found;
    int status;

    if (!verb_need(verb, &name, &status))
        return status;
    found = !strncmp(name, "android.hardware.touchscreen", 28) ||
            !strcmp(name, "android.hardware.wifi") ||
            !strcmp(name, "android.software.input_methods");
    call_print(verb->call, "%s\n", found ? "true" : "false");
    return found ? 0 : 1;
}

static int run_users(struct verb_call *verb)
{
    call_print(verb->call, "Maximum supported users: 1\n");
    return 0;
}

static int run_install_location(struct verb_call *verb)
{
    call_print(verb->call, "0[auto]\n");
    return 0;
}

static int run_quietly(struct verb_call *verb)
{
    (void)verb;
    return 0;
}

static int run_compile(struct verb_call *verb)
{
    call_print(verb->call, "Success\n");
    return 0;
}

static int run_pm(struct call *call)
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
    static const struct verb verbs[] = {
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

    return verb_run(call, verbs, ARRAY_LEN(verbs), usage);
}

static const struct command commands[] = {
    {"pm", run_pm, "COMMAND [ARGUMENT...]"},
};

const struct command_set package_commands = {commands, ARRAY_LEN(commands)};
