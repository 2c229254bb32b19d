#include "tools/cli/command_line/command.h"

#include <string.h>

#include "base/macros.h"
#include "base/nearest_word.h"

static const struct option device_options[] = {
    OPTION_TEXT(struct shared_args, device, "device", 's', "SERIAL",
                COMPLETE_DEVICE,
                "The phone to use: its serial, or HOST:PORT; required when "
                "there are several"),
};

static const struct option json_options[] = {
    OPTION_FLAG(struct shared_args, json, "json", 0,
                "Print the result as JSON, for programs"),
};

static const struct option timeout_options[] = {
    OPTION_SECONDS(struct shared_args, timeout_s, "timeout", 0,
                   "Give up when it takes longer than this"),
};

static const struct option help_options[] = {
    OPTION_FLAG(struct shared_args, help, "help", 'h', "Print this help"),
    OPTION_FLAG(struct shared_args, version, "version", 0, "Print the version"),
};

/* A command's own --version would say nothing about the command. */
#define COMMAND_HELP_OPTIONS 1

/* Commands that people know from adb, and what does the same here. */
static const struct {
    const char *known;
    const char *here;
} elsewhere[] = {
    {"bugreport", "selftest --output FILE"},
    {"dump", "tree -s SERIAL"},
    {"emu", "raw"},
    {"exec-out", "shell"},
    {"get-state", "devices"},
    {"input", "tap, type, key or swipe"},
    {"keyevent", "key"},
    {"list", "devices"},
    {"logcat", "shell logcat"},
    {"screencap", "shot"},
    {"screenshot", "shot"},
    {"sync", "push"},
    {"text", "type"},
    {"uiautomator", "tree -s SERIAL"},
    {"uninstall", "shell pm uninstall PACKAGE"},
    {"version", "--version"},
    {"wait-for-device", "devices"},
};

static bool fail_unknown(const char *name, struct err *err)
{
    struct nearest_word nearest;

    for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++) {
        if (!strcmp(name, elsewhere[i].known))
            return err_set(err, ERR_INVALID,
                           "there is no command \"%s\"; use: proctor %s", name,
                           elsewhere[i].here);
    }
    if (!strcmp(name, "start-server") || !strcmp(name, "kill-server"))
        return err_set(err, ERR_INVALID,
                       "there is no command \"%s\": proctor needs no server, "
                       "and uses a running one where it holds the phone",
                       name);

    nearest_word_init(&nearest, name);
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            nearest_word_offer(&nearest, commands[i]->name);
    }
    if (nearest.best)
        return err_set(err, ERR_INVALID,
                       "there is no command \"%.40s\"; did you mean "
                       "\"%s\"? (see: proctor --help)",
                       name, nearest.best);
    return err_set(err, ERR_INVALID,
                   "there is no command \"%.40s\" (see: proctor --help)", name);
}

bool command_find(const char *name, const struct command **command,
                  struct err *err)
{
    for (size_t i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name))
            continue;
        *command = commands[i];
        return true;
    }
    return fail_unknown(name, err);
}

size_t command_groups(const struct command *command, void *args,
                      struct shared_args *shared,
                      struct option_group groups[COMMAND_GROUPS_MAX])
{
    unsigned takes =
        command ? command->takes : TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT;
    size_t count = 0;

    if (command && command->option_count)
        groups[count++] = (struct option_group){command->options,
                                                command->option_count, args};
    if (takes & TAKES_DEVICE)
        groups[count++] = (struct option_group){
            device_options, ARRAY_LEN(device_options), shared};
    if (takes & TAKES_JSON)
        groups[count++] = (struct option_group){
            json_options, ARRAY_LEN(json_options), shared};
    if (takes & TAKES_TIMEOUT)
        groups[count++] = (struct option_group){
            timeout_options, ARRAY_LEN(timeout_options), shared};
    groups[count++] = (struct option_group){
        help_options, command ? COMMAND_HELP_OPTIONS : ARRAY_LEN(help_options),
        shared};
    return count;
}
