/* pm list: packages, features, permissions, users and libraries. */
#include <string.h>

#include "tools/phone/cmd_pm.h"

/* ---- packages ---- */

struct listing {
    bool paths;
    bool disabled, enabled; /* only these */
    bool system, third;
    bool version, uid, installer;
    const char *filter;
};

static bool take_option(struct verb_call *verb, const char *option,
                        struct listing *listing)
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
        (void)verb_next(verb);
        return true;
    }
    return pm_is_user_option(verb, option) || !strcmp(option, "-l") ||
           !strcmp(option, "-u") || !strcmp(option, "-a") ||
           !strcmp(option, "--apex-only");
}

static bool is_listed(const struct listing *listing,
                      const struct package *package)
{
    return (!listing->disabled || package->disabled) &&
           (!listing->enabled || !package->disabled) &&
           (!listing->system || package->system) &&
           (!listing->third || !package->system) &&
           (!listing->filter || strstr(package->name, listing->filter));
}

static void print_package(struct call *call, const struct listing *listing,
                          const struct package *package)
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

static int list_packages(struct verb_call *verb)
{
    struct listing listing = {.filter = NULL};
    struct package_list list;
    const char *option;

    while ((option = verb_option(verb))) {
        if (!take_option(verb, option, &listing)) {
            call_error(verb->call, "Error: Unknown option: %.100s\n", option);
            return SCREEN_COMMAND_FAILED;
        }
    }
    listing.filter = verb_next(verb);
    list = packages_list(&verb->phone->handset->packages);
    for (size_t i = 0; i < list.count; i++) {
        if (is_listed(&listing, &list.packages[i]))
            print_package(verb->call, &listing, &list.packages[i]);
    }
    package_list_release(&list);
    return 0;
}

/* ---- the rest ---- */

static int list_features(struct verb_call *verb)
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
        call_print(verb->call, "feature:%s\n", features[i]);
    return 0;
}

/* Has an earlier package asked for it? */
static bool was_listed(const struct package_list *list, size_t before,
                       const char *name)
{
    for (size_t i = 0; i < before; i++) {
        if (package_permission(&list->packages[i], name))
            return true;
    }
    return false;
}

static int list_permissions(struct verb_call *verb)
{
    struct package_list list = packages_list(&verb->phone->handset->packages);

    call_print(verb->call, "All Permissions:\n\n");
    for (size_t i = 0; i < list.count; i++) {
        for (size_t j = 0; j < list.packages[i].permission_count; j++) {
            const char *name = list.packages[i].permissions[j].name;

            if (!was_listed(&list, i, name))
                call_print(verb->call, "permission:%s\n", name);
        }
    }
    package_list_release(&list);
    return 0;
}

static int list_users(struct verb_call *verb)
{
    call_print(verb->call, "Users:\n\tUserInfo{0:Owner:c13} running\n");
    return 0;
}

static int list_libraries(struct verb_call *verb)
{
    call_print(verb->call, "library:android.ext.shared\n"
                           "library:android.test.base\n"
                           "library:android.test.mock\n"
                           "library:android.test.runner\n"
                           "library:org.apache.http.legacy\n");
    return 0;
}

static int list_nothing(struct verb_call *verb)
{
    (void)verb;
    return 0;
}

int pm_list(struct verb_call *verb)
{
    static const struct verb kinds[] = {
        {"packages", list_packages},
        {"package", list_packages},
        {"features", list_features},
        {"permissions", list_permissions},
        {"users", list_users},
        {"libraries", list_libraries},
        {"instrumentation", list_nothing},
        {"permission-groups", list_nothing},
    };
    const char *kind = verb_next(verb);

    if (!kind) {
        call_print(verb->call, "Error: didn't specify type of data to list\n");
        return SCREEN_COMMAND_FAILED;
    }
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!strcmp(kinds[i].name, kind))
            return kinds[i].run(verb);
    }
    call_print(verb->call, "Error: unknown list type '%s'\n", kind);
    return SCREEN_COMMAND_FAILED;
}
