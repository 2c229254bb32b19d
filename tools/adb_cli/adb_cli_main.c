/* The options before a command, and the list of commands. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tools/adb_cli/adb_cli.h"
#include "tools/adb_cli/adb_help.h"

static const struct adb_cli_command *const tables[] = {
    adb_cli_server_commands,  adb_cli_forward_commands,
    adb_cli_shell_commands,   adb_cli_restart_commands,
    adb_cli_file_commands,    adb_cli_install_commands,
    adb_cli_session_commands,
};

static adb_cli_run_fn *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        for (const struct adb_cli_command *at = tables[i]; at->name; at++) {
            if (!strcmp(at->name, name))
                return at->run;
        }
    }
    return NULL;
}

/* The words that appium-adb and android_env look for. */
static int print_version(void)
{
    struct utsname system;
    char path[4096] = "";

    printf("Android Debug Bridge version 1.0.41\n"
           "Version 34.0.5-proctor-%s\n",
           PROCTOR_VERSION);
    if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0)
        printf("Installed as %s\n", path);
    if (!uname(&system))
        printf("Running on %s %s (%s)\n", system.sysname, system.release,
               system.machine);
    return 0;
}

static int print_help(FILE *out, int code)
{
    fputs(adb_help_text, out);
    return code;
}

/*
 * The value of an option: behind its letter, or the next word. NULL: there is
 * none. *argv is then at the option's last word.
 */
static const char *option_value(char ***argv)
{
    const char *word = **argv;

    if (word[2])
        return word + 2;
    return (*argv)[1] ? *++*argv : NULL;
}

static void select_phone(struct adb_cli *cli, enum adb_cli_scope scope,
                         const char *value)
{
    cli->scope = scope;
    cli->serial = scope == ADB_CLI_SERIAL ? value : NULL;
    cli->id = scope == ADB_CLI_ID ? value : NULL;
}

/* An option that has a value. -1: go on; otherwise the exit code. */
static int take_value(struct adb_cli *cli, char ***argv)
{
    char letter = (**argv)[1];
    const char *value = option_value(argv);

    if (!value)
        return adb_cli_fail(letter == 's' || letter == 't'
                                ? "-%c requires an argument"
                                : "%c requires an argument",
                            letter);
    if (letter == 's')
        select_phone(cli, ADB_CLI_SERIAL, value);
    if (letter == 't') {
        if (!*value || value[strspn(value, "0123456789")])
            return adb_cli_fail("invalid transport id");
        select_phone(cli, ADB_CLI_ID, value);
    }
    return -1; /* -H, -P and -L: the environment has chosen the server */
}

/* Take the options in front of the command. As take_value. */
static int take_options(struct adb_cli *cli, char ***argv)
{
    for (; **argv && (**argv)[0] == '-'; ++*argv) {
        const char *word = **argv;
        int code = -1;

        if (!strcmp(word, "--help"))
            return print_help(stdout, 0);
        if (!strcmp(word, "--version"))
            return print_version();
        if (!strcmp(word, "--exit-on-write-error"))
            continue;
        if (!strcmp(word, "--one-device"))
            return adb_cli_fail(
                "--one-device is only allowed when starting a server.");
        if (!strcmp(word, "-d")) {
            select_phone(cli, ADB_CLI_USB, NULL);
        } else if (!strcmp(word, "-e")) {
            select_phone(cli, ADB_CLI_LOCAL, NULL);
        } else if (!strcmp(word, "-a")) {
            continue; /* where the server listens is not our choice */
        } else if (word[1] && strchr("stHPL", word[1])) {
            code = take_value(cli, argv);
        } else {
            return adb_cli_fail("unknown command %s", word);
        }
        if (code >= 0)
            return code;
    }
    return -1;
}

static int run_command(struct adb_cli *cli, char **argv)
{
    adb_cli_run_fn *run;
    int argc = 0;

    if (!*argv)
        return print_help(stdout, 1);
    if (!strncmp(*argv, "wait-for-", strlen("wait-for-"))) {
        int code = find_command("wait-for-")(cli, 1, argv);

        /* "adb wait-for-device shell" continues with the next command. */
        if (code || !*++argv)
            return code;
    }
    if (!strcmp(*argv, "help"))
        return print_help(stdout, 0);
    if (!strcmp(*argv, "version"))
        return print_version();
    while (argv[argc])
        argc++;
    run = find_command(*argv);
    return run ? run(cli, argc, argv)
               : adb_cli_fail("unknown command %s", *argv);
}

int adb_cli_main(int argc, char **argv)
{
    const char *serial = getenv("ANDROID_SERIAL");
    struct adb_cli cli = {.scope = ADB_CLI_ANY};
    struct err err = ERR_INIT;
    int code;

    if (argc < 1)
        return print_help(stdout, 1);
    argv++;
    if (serial && *serial)
        select_phone(&cli, ADB_CLI_SERIAL, serial);
    code = take_options(&cli, &argv);
    if (code >= 0)
        return code;
    if (!adb_cli_server(&cli.server, &err))
        return adb_cli_fail("%s", err.text);
    code = run_command(&cli, argv);
    return fflush(stdout) ? 1 : code;
}
