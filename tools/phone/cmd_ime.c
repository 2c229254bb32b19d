/* ime: the keyboards. */
#include <string.h>

#include "tools/phone/keyboards.h"
#include "tools/phone/verb.h"

static void print_keyboard(struct verb_call *verb, const char *name,
                           const struct package *package)
{
    call_print(verb->call,
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

static int run_list(struct verb_call *verb)
{
    struct package_list list = packages_list(&verb->phone->handset->packages);
    bool all = false, brief = false;
    const char *option;

    while ((option = verb_option(verb))) {
        all = all || !strcmp(option, "-a");
        brief = brief || !strcmp(option, "-s");
        if (!strcmp(option, "--user"))
            (void)verb_next(verb);
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct package *package = &list.packages[i];
        struct component component = component_of(package->name, package->ime);
        char name[COMPONENT_TEXT_SIZE];

        component_short(&component, name);
        if (!package->ime[0] ||
            (!all && !keyboards_is_enabled(verb->phone->handset, name)))
            continue;
        if (brief)
            call_print(verb->call, "%s\n", name);
        else
            print_keyboard(verb, name, package);
    }
    package_list_release(&list);
    return 0;
}

/* A keyboard by its name; false, with the words of Android, if none has it. */
static bool need_keyboard(struct verb_call *verb, const char *done,
                          const char **name, int *status)
{
    const char *option;

    while ((option = verb_option(verb))) {
        if (!strcmp(option, "--user"))
            (void)verb_next(verb);
    }
    if (!verb_need(verb, name, status))
        return false;
    if (keyboards_exist(verb->phone->handset, *name))
        return true;
    *status = screen_command_fail(
        verb->call, "Unknown input method %.300s cannot be %s for user #0",
        *name, done);
    return false;
}

static int run_enable(struct verb_call *verb)
{
    const char *name;
    int status;

    if (!need_keyboard(verb, "enabled", &name, &status))
        return status;
    call_print(verb->call, "Input method %s: %s enabled for user #0\n", name,
               keyboards_enable(verb->phone->handset, name) ? "now"
                                                            : "already");
    return 0;
}

static int run_disable(struct verb_call *verb)
{
    const char *name;
    int status;

    if (!need_keyboard(verb, "disabled", &name, &status))
        return status;
    call_print(verb->call, "Input method %s: %s disabled for user #0\n", name,
               keyboards_disable(verb->phone->handset, name) ? "now"
                                                             : "already");
    return 0;
}

static int run_set(struct verb_call *verb)
{
    const char *name;
    int status;

    if (!need_keyboard(verb, "selected", &name, &status))
        return status;
    if (!keyboards_select(verb->phone->handset, name))
        return screen_command_fail(
            verb->call,
            "Unknown input method %.300s cannot be selected for user #0", name);
    call_print(verb->call, "Input method %s selected for user #0\n", name);
    return 0;
}

static int run_reset(struct verb_call *verb)
{
    keyboards_reset(verb->phone->handset);
    call_print(verb->call, "Reset current and enabled IMEs for user #0\n"
                           "  Newly selected: " KEYBOARDS_DEFAULT "\n"
                           "  Newly enabled:\n"
                           "    " KEYBOARDS_DEFAULT "\n");
    return 0;
}

static int run_ime(struct call *call)
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
    static const struct verb verbs[] = {
        {"list", run_list}, {"enable", run_enable}, {"disable", run_disable},
        {"set", run_set},   {"reset", run_reset},
    };

    return verb_run(call, verbs, ARRAY_LEN(verbs), usage);
}

static const struct command commands[] = {
    {"ime", run_ime, "list|enable|disable|set|reset [ID]"},
};

const struct command_set keyboard_commands = {commands, ARRAY_LEN(commands)};
