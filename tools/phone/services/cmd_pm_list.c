/* pm list: packages, features, permissions, users and libraries. */
#include <string.h>

#include "tools/phone/services/cmd_pm.h"

/* ---- packages ---- */

struct package_listing {
    bool paths;
    bool disabled, enabled; /* filters */
    bool system, third;
    bool version, uid, installer;
    const char *filter;
};

static bool take_option(struct subcommand_call *subcommand, const char *option,
                        struct package_listing *listing)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"-f", &listing->paths},     {"-d", &listing->disabled},
        {"-e", &listing->enabled},   {"-s", &listing->system},
        {"-3", &listing->third},     {"-U", &listing->uid},
        {"-i", &listing->installer}, {"--show-versioncode", &listing->version},
    };

    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (!strcmp(flags[i].name, option)) {
            *flags[i].flag = true;
            return true;
        }
    }
    if (!strcmp(option, "--uid")) {
        (void)subcommand_next(subcommand);
        return true;
    }
    return pm_is_user_option(subcommand, option) || !strcmp(option, "-l") ||
           !strcmp(option, "-u") || !strcmp(option, "-a") ||
           !strcmp(option, "--apex-only");
}

static bool is_listed(const struct package_listing *listing,
                      const struct phone_package *package)
{
    return (!listing->disabled || package->disabled) &&
           (!listing->enabled || !package->disabled) &&
           (!listing->system || package->system) &&
           (!listing->third || !package->system) &&
           (!listing->filter || strstr(package->name, listing->filter));
}

static void print_package(struct command_call *call,
                          const struct package_listing *listing,
                          const struct phone_package *package)
{
    call_print(call, "package:");
    if (listing->paths)
        call_print(call, "%s=", package->apk);
    call_print(call, "%s", package->name);
    if (listing->version)
        call_print(call, " versionCode:%lld", (long long)package->version_code);
    if (listing->installer)
        call_print(call, "  installer=null");
    if (listing->uid)
        call_print(call, " uid:%u", (unsigned)package->uid);
    call_print(call, "\n");
}

static int list_packages(struct subcommand_call *subcommand)
{
    struct package_listing listing = {.filter = NULL};
    struct package_list list;
    const char *option;

    while ((option = subcommand_option(subcommand))) {
        if (!take_option(subcommand, option, &listing)) {
            call_error(subcommand->call, "Error: Unknown option: %.100s\n",
                       option);
            return SCREEN_COMMAND_FAILED;
        }
    }
    listing.filter = subcommand_next(subcommand);
    list = packages_list(&subcommand->phone->handset->packages);
    for (size_t i = 0; i < list.count; i++) {
        if (is_listed(&listing, &list.packages[i]))
            print_package(subcommand->call, &listing, &list.packages[i]);
    }
    package_list_release(&list);
    return 0;
}

/* ---- other lists ---- */

static int list_features(struct subcommand_call *subcommand)
{
    static const char *const features[] = {
        "reqGlEsVersion=0x30002",
        "android.hardware.audio.output",
        "android.hardware.camera",
        "android.hardware.faketouch",
        "android.hardware.microphone",
        "android.hardware.screen.landscape",
        "android.hardware.screen.portrait",
        "android.hardware.touchscreen",
        "android.hardware.touchscreen.multitouch",
        "android.hardware.touchscreen.multitouch.distinct",
        "android.hardware.touchscreen.multitouch.jazzhand",
        "android.hardware.wifi",
        "android.software.app_widgets",
        "android.software.home_screen",
        "android.software.input_methods",
        "android.software.webview",
    };

    for (size_t i = 0; i < ARRAY_LEN(features); i++)
        call_print(subcommand->call, "feature:%s\n", features[i]);
    return 0;
}

/* Was it listed for an earlier package? */
static bool was_listed(const struct package_list *list, size_t before,
                       const char *name)
{
    for (size_t i = 0; i < before; i++) {
        if (package_permission(&list->packages[i], name))
            return true;
    }
    return false;
}

static int list_permissions(struct subcommand_call *subcommand)
{
    struct package_list list =
        packages_list(&subcommand->phone->handset->packages);

    call_print(subcommand->call, "All Permissions:\n\n");
    for (size_t i = 0; i < list.count; i++) {
        for (size_t j = 0; j < list.packages[i].permission_count; j++) {
            const char *name = list.packages[i].permissions[j].name;

            if (!was_listed(&list, i, name))
                call_print(subcommand->call, "permission:%s\n", name);
        }
    }
    package_list_release(&list);
    return 0;
}

static int list_users(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "Users:\n\tUserInfo{0:Owner:c13} running\n");
    return 0;
}

static int list_libraries(struct subcommand_call *subcommand)
{
    call_print(subcommand->call, "library:android.ext.shared\n"
                                 "library:android.test.base\n"
                                 "library:android.test.mock\n"
                                 "library:android.test.runner\n"
                                 "library:org.apache.http.legacy\n");
    return 0;
}

/* Instrumentation of packages that have any: [TARGET-PACKAGE]. */
static int list_instrumentation(struct subcommand_call *subcommand)
{
    struct package_list list =
        packages_list(&subcommand->phone->handset->packages);
    const char *target = subcommand_next(subcommand);

    if (target && !strcmp(target, "-f"))
        target = subcommand_next(subcommand);
    for (size_t i = 0; i < list.count; i++) {
        const struct phone_package *package = &list.packages[i];

        if (package->runner[0] && (!target || !strcmp(target, package->tested)))
            call_print(subcommand->call, "instrumentation:%s/%s (target=%s)\n",
                       package->name, package->runner, package->tested);
    }
    package_list_release(&list);
    return 0;
}

static int list_nothing(struct subcommand_call *subcommand)
{
    (void)subcommand;
    return 0;
}

int pm_list(struct subcommand_call *subcommand)
{
    static const struct subcommand kinds[] = {
        {"packages", list_packages},
        {"package", list_packages},
        {"features", list_features},
        {"permissions", list_permissions},
        {"users", list_users},
        {"libraries", list_libraries},
        {"instrumentation", list_instrumentation},
        {"permission-groups", list_nothing},
    };
    const char *kind = subcommand_next(subcommand);

    if (!kind) {
        call_print(subcommand->call,
                   "Error: didn't specify type of data to list\n");
        return SCREEN_COMMAND_FAILED;
    }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!strcmp(kinds[i].name, kind))
            return kinds[i].run(subcommand);
    }
    call_print(subcommand->call, "Error: unknown list type '%s'\n", kind);
    return SCREEN_COMMAND_FAILED;
}
