/* ime: lists and selects keyboards. */
#include <string.h>

#include "tools/phone/services/service_dialect.h"
#include "tools/phone/services/subcommand.h"
#include "tools/phone/system/input_methods.h"

static void print_keyboard(struct subcommand_call *subcommand, const char *name,
                           const struct phone_package *package)
{
    call_print(subcommand->call,
               "%s:\n"
               "  mId=%s mSettingsActivityName=null mIsVrOnly=false "
               "mSupportsSwitchingToNextInputMethod=true "
               "mInlineSuggestionsEnabled=false "
               "mSuppressesSpellChecker=false mShowInInputMethodPicker=true "
               "mSupportsStylusHandwriting=false\n"
               "  mIsDefaultResId=0x%x\n"
               "  Service:\n"
               "    priority=0 preferredOrder=0 match=0x108000 "
               "specificIndex=-1 isDefault=false\n"
               "    ServiceInfo:\n"
               "      name=%s\n"
               "      packageName=%s\n"
               "      enabled=true exported=true directBootAware=false\n"
               "      permission=android.permission.BIND_INPUT_METHOD\n",
               name, name, package->system ? 0x7f050001 : 0, package->ime,
               package->name);
}

static int run_list(struct subcommand_call *subcommand)
{
    struct package_list list =
        packages_list(&subcommand->phone->handset->packages);
    bool all = false, brief = false;
    const char *option;

    while ((option = subcommand_option(subcommand))) {
        all = all || !strcmp(option, "-a");
        brief = brief || !strcmp(option, "-s");
        if (!strcmp(option, "--user"))
            (void)subcommand_next(subcommand);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct phone_package *package = &list.packages[i];
        struct phone_component component =
            component_of(package->name, package->ime);
        char name[COMPONENT_TEXT_SIZE];

        component_short(&component, name);
        if (!package->ime[0] || (!all && !input_methods_is_enabled(
                                             subcommand->phone->handset, name)))
            continue;
        if (brief)
            call_print(subcommand->call, "%s\n", name);
        else
            print_keyboard(subcommand, name, package);
    }
    package_list_release(&list);
    return 0;
}

/*
 * Find a keyboard by its name; false, with Android's message, if there is none.
 */
static bool need_keyboard(struct subcommand_call *subcommand, const char *done,
                          const char **name, int *status)
{
    const char *option;

    while ((option = subcommand_option(subcommand))) {
        if (!strcmp(option, "--user"))
            (void)subcommand_next(subcommand);
    }
    if (!subcommand_need(subcommand, name, status))
        return false;
    if (input_methods_exist(subcommand->phone->handset, *name))
        return true;
    if (service_dialect(subcommand->phone->handset->android)->no_exceptions)
        *status = screen_command_fail(subcommand->call,
                                      "Error: Unknown id: %.300s", *name);
    else
        *status = screen_command_fail(
            subcommand->call,
            "Unknown input method %.300s cannot be %s for user #0", *name,
            done);
    return false;
}

static int run_enable(struct subcommand_call *subcommand)
{
    const char *name;
    int status;

    if (!need_keyboard(subcommand, "enabled", &name, &status))
        return status;
    call_print(
        subcommand->call, "Input method %s: %s enabled for user #0\n", name,
        input_methods_enable(subcommand->phone->handset, name) ? "now"
                                                               : "already");
    return 0;
}

static int run_disable(struct subcommand_call *subcommand)
{
    const char *name;
    int status;

    if (!need_keyboard(subcommand, "disabled", &name, &status))
        return status;
    call_print(
        subcommand->call, "Input method %s: %s disabled for user #0\n", name,
        input_methods_disable(subcommand->phone->handset, name) ? "now"
                                                                : "already");
    return 0;
}

static int run_set(struct subcommand_call *subcommand)
{
    const char *name;
    int status;

    if (!need_keyboard(subcommand, "selected", &name, &status))
        return status;
    if (!input_methods_select(subcommand->phone->handset, name))
        return screen_command_fail(
            subcommand->call,
            "Unknown input method %.300s cannot be selected for user #0", name);
    call_print(subcommand->call, "Input method %s selected for user #0\n",
               name);
    return 0;
}

static int run_reset(struct subcommand_call *subcommand)
{
    input_methods_reset(subcommand->phone->handset);
    call_print(subcommand->call, "Reset current and enabled IMEs for user #0\n"
                                 "  Newly selected: " INPUT_METHODS_DEFAULT "\n"
                                 "  Newly enabled:\n"
                                 "    " INPUT_METHODS_DEFAULT "\n");
    return 0;
}

static int run_ime(struct command_call *call)
{
    static const char usage[] =
        "ime <command>:\n"
        "  list [-a] [-s]\n"
        "    prints all enabled input methods.\n"
        "  enable [--user <USER_ID>] <ID>\n"
        "    allows the given input method ID to be used.\n"
        "  disable [--user <USER_ID>] <ID>\n"
        "    disallows the given input method ID to be used.\n"
        "  set [--user <USER_ID>] <ID>\n"
        "    switches to the given input method ID.\n"
        "  reset [--user <USER_ID>]\n"
        "    reset currently selected/enabled IMEs to the default ones.\n";
    static const struct subcommand verbs[] = {
        {"list", run_list}, {"enable", run_enable}, {"disable", run_disable},
        {"set", run_set},   {"reset", run_reset},
    };

    return subcommand_run(call, verbs, ARRAY_LEN(verbs), usage);
}

static const struct phone_command commands[] = {
    {"ime", run_ime, "list|enable|disable|set|reset [ID]"},
};

const struct command_set keyboard_commands = {commands, ARRAY_LEN(commands)};
