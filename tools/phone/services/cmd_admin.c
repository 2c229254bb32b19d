/* Commands that manage the phone: appops, run-as, locksettings and others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/services/subcommand.h"

static struct handset *handset_of(struct command_call *call)
{
    return ((struct screen_context *)call->context)->handset;
}

/* ---- appops ---- */

/* The settings key of an operation's mode, by package. */
static void mode_name(const char *package, const char *operation, char name[96])
{
    snprintf(name, 96, "appops.%.60s.%.25s", package, operation);
}

static bool is_mode(const char *mode)
{
    static const char *const modes[] = {"allow", "deny", "ignore", "default",
                                        "foreground"};

    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        if (!strcmp(modes[i], mode))
            return true;
    }
    return false;
}

static int run_appops_set(struct subcommand_call *subcommand,
                          const char *package, const char *operation)
{
    const char *mode = subcommand_next(subcommand);
    char name[96];

    if (!mode || !is_mode(mode)) {
        call_error(subcommand->call, "Error: Mode %.50s is not valid\n",
                   mode ? mode : "null");
        return SCREEN_COMMAND_FAILED;
    }
    mode_name(package, operation, name);
    (void)!string_map_set(&handset_of(subcommand->call)->world, name, mode);
    return 0;
}

static int run_appops_get(struct subcommand_call *subcommand,
                          const char *package, const char *operation)
{
    struct buf mode = BUF_INIT(STRING_MAP_VALUE_MAX);
    char name[96];

    mode_name(package, operation ? operation : "", name);
    if (operation &&
        string_map_get(&handset_of(subcommand->call)->world, name, &mode))
        call_print(subcommand->call, "%s: %s\n", operation, buf_cstr(&mode));
    else
        call_print(subcommand->call, "No operations.\n%s",
                   operation ? "Default mode: allow\n" : "");
    buf_release(&mode);
    return 0;
}

/* The package operand, behind options such as "--user 0". */
static const char *take_package(struct subcommand_call *subcommand)
{
    const char *word = subcommand_next(subcommand);

    while (word && word[0] == '-') {
        if (!strcmp(word, "--user"))
            (void)subcommand_next(subcommand);
        word = subcommand_next(subcommand);
    }
    return word;
}

static int run_appops_verb(struct subcommand_call *subcommand)
{
    const char *package = take_package(subcommand);
    const char *operation = subcommand_next(subcommand);
    struct phone_package found;

    if (!strcmp(subcommand->name, "reset") ||
        !strcmp(subcommand->name, "query-op") ||
        !strcmp(subcommand->name, "write-settings"))
        return 0;
    if (!package || (!operation && strcmp(subcommand->name, "get") != 0)) {
        call_error(subcommand->call, "Error: Package name not specified.\n");
        return SCREEN_COMMAND_FAILED;
    }
    if (!packages_find(&handset_of(subcommand->call)->packages, package,
                       &found)) {
        call_error(subcommand->call, "Error: No UID for %.100s in user 0\n",
                   package);
        return SCREEN_COMMAND_FAILED;
    }
    if (!strcmp(subcommand->name, "set"))
        return run_appops_set(subcommand, package, operation);
    return run_appops_get(subcommand, package, operation);
}

static int run_appops(struct command_call *call)
{
    static const struct subcommand verbs[] = {
        {"get", run_appops_verb},
        {"query-op", run_appops_verb},
        {"reset", run_appops_verb},
        {"set", run_appops_verb},
        {"write-settings", run_appops_verb},
    };

    return subcommand_run(call, verbs, ARRAY_LEN(verbs),
                          "AppOps service (appops) commands:\n"
                          "  set [--user <USER_ID>] <PACKAGE> <OP> <MODE>\n"
                          "  get [--user <USER_ID>] <PACKAGE> [<OP>]\n"
                          "  query-op [--user <USER_ID>] <OP> [<MODE>]\n"
                          "  reset [--user <USER_ID>] [<PACKAGE>]\n");
}

/* ---- run-as ---- */

/* No app of the phone is debuggable. */
static int run_run_as(struct command_call *call)
{
    struct phone_package package;

    if (call->argc < 2) {
        call_error(call, "run-as: usage: run-as <package-name> [--user <uid>] "
                         "<command> [<args>]\n");
        return 1;
    }
    if (packages_find(&handset_of(call)->packages, call->argv[1], &package))
        call_error(call, "run-as: package not debuggable: %.100s\n",
                   call->argv[1]);
    else
        call_error(call, "run-as: unknown package: %.100s\n", call->argv[1]);
    return 1;
}

/* ---- locksettings ---- */

static int run_locksettings(struct command_call *call)
{
    const char *verb = call->argc > 1 ? call->argv[1] : "help";

    if (!strcmp(verb, "get-disabled")) {
        call_print(call, "true\n"); /* the screen has no lock */
    } else if (!strcmp(verb, "verify")) {
        call_print(call, "Lock credential verified successfully\n");
    } else if (!strcmp(verb, "set-disabled") && call->argc > 2) {
        call_print(call, "Lock screen disabled set to %s\n", call->argv[2]);
    } else if (!strcmp(verb, "clear")) {
        call_print(call, "Lock credential cleared\n");
    } else if (!strncmp(verb, "set-", 4)) {
        call_error(call, "The built-in phone has no lock screen\n");
        return 1;
    } else {
        call_print(call, "lockSettings service commands:\n"
                         "  clear | get-disabled | set-disabled true|false | "
                         "verify\n");
        return call->argc > 1 && strcmp(verb, "help") != 0
                   ? SCREEN_COMMAND_FAILED
                   : 0;
    }
    return 0;
}

/* ---- other commands ---- */

static int run_bugreportz(struct command_call *call)
{
    if (call->argc > 1 && !strcmp(call->argv[1], "-v")) {
        call_error(call, "1.2\n");
        return 0;
    }
    call_print(call, "FAIL:the built-in phone makes no bug reports\n");
    return 1;
}

/* Nothing plays: keys are accepted, and have no effect. */
static int run_media(struct command_call *call)
{
    const char *verb = call->argc > 1 ? call->argv[1] : "";

    if (!strcmp(verb, "dispatch") || !strcmp(verb, "volume") ||
        !strcmp(verb, "list-sessions")) {
        if (!strcmp(verb, "list-sessions"))
            call_print(call, "Sessions:\n");
        return 0;
    }
    call_error(call, "usage: media [subcommand] [options]\n"
                     "       media dispatch KEY\n"
                     "       media list-sessions\n"
                     "       media volume [options]\n");
    return 1;
}

static const struct phone_command commands[] = {
    {"appops", run_appops, "set|get|reset PACKAGE [OPERATION [MODE]]"},
    {"bugreportz", run_bugreportz, "[-p | -v]"},
    {"locksettings", run_locksettings, "COMMAND [ARGUMENT...]"},
    {"media", run_media, "dispatch KEY | list-sessions | volume"},
    {"run-as", run_run_as, "PACKAGE COMMAND [ARGUMENT...]"},
};

const struct command_set admin_commands = {commands, ARRAY_LEN(commands)};
