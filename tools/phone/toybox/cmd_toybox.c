/* toybox itself, and small commands that print facts of the phone. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/toybox_names.h"

#define LINE_WIDTH 71U

/* ---- toybox ---- */

static void print_names(struct command_call *call)
{
    size_t used = 0;

    for (size_t i = 0; i < toybox_name_count; i++) {
        size_t length = strlen(toybox_names[i]);

        if (!call_knows(call, toybox_names[i]))
            continue;
        if (used && used + 1 + length > LINE_WIDTH) {
            call_print(call, "\n");
            used = 0;
        }
        call_print(call, "%s%s", used ? " " : "", toybox_names[i]);
        used += length + (used > 0);
    }
    call_print(call, " \n");
}

static int run_toybox(struct command_call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : NULL;

    if (!name) {
        print_names(call);
        return 0;
    }
    if (!strcmp(name, "--version")) {
        call_print(call, "toybox 0.8.6-android\n");
        return 0;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "help")) {
        call_print(call, "Toybox 0.8.6-android multicall binary (see toybox "
                         "--help)\n\nusage: toybox [--long | --help | "
                         "--version | [COMMAND] [ARGUMENTS...]]\n");
        return 0;
    }
    if (toybox_has(name) && call_knows(call, name))
        return call_run(call, name, 1);
    call_fail(call, "Unknown command %.100s (see \"toybox --help\")", name);
    return 127;
}

/* ---- names and places of the phone ---- */

static int run_hostname(struct command_call *call)
{
    call_print(call, "localhost\n");
    return 0;
}

static int run_nproc(struct command_call *call)
{
    call_print(call, "4\n");
    return 0;
}

static int run_getenforce(struct command_call *call)
{
    call_print(call, "Enforcing\n");
    return 0;
}

static int run_tty(struct command_call *call)
{
    bool is = call_on_terminal(call);

    call_print(call, "%s\n", is ? "/dev/pts/0" : "not a tty");
    return is ? 0 : 1;
}

static int run_stty(struct command_call *call)
{
    if (!call_on_terminal(call))
        return call_fail(call, "tcgetattr standard input: Inappropriate ioctl "
                               "for device");
    if (call->argc == 2 && !strcmp(call->argv[1], "size"))
        call_print(call, "24 80\n");
    else if (call->argc < 2 || !strcmp(call->argv[1], "-a"))
        call_print(call, "speed 38400 baud; rows 24; columns 80; line = 0;\n");
    return 0;
}

static int run_usleep(struct command_call *call)
{
    struct handset *handset = call->context;
    long long microseconds;

    if (call->argc < 2)
        return call_needs(call, 1, 1);
    if (!call_number(call, call->argv[1], 0, INT32_MAX, &microseconds))
        return 1;
    call_pass(call, &handset->clock, microseconds * 1000);
    return 0;
}

/* The path of a template: itself, or in a directory. */
static void fill_template(const struct command_options *options, char path[512])
{
    const char *name = options->count ? options->operands[0] : "tmp.XXXXXXXXXX";
    const char *directory =
        options->values['p'] ? options->values['p'] : "/data/local/tmp";
    bool whole = strchr(name, '/') != NULL;

    snprintf(path, 512, "%.100s%s%.300s", whole ? "" : directory,
             whole ? "" : "/", name);
}

/* Replace the X at the end by random letters. */
static void draw_letters(char *path, uint64_t *seed)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    for (size_t n = strlen(path); n && path[n - 1] == 'X'; n--) {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
        path[n - 1] = letters[(*seed >> 33) % (sizeof(letters) - 1)];
    }
}

static bool make_temporary(struct command_call *call, const char *name,
                           bool directory, int *number)
{
    char *path = call_path(call, name);
    struct files_stat stat;
    bool made = false;

    *number = EEXIST;
    if (path && !files_stat(call->files, path, false, &stat, number))
        made =
            directory
                ? files_make_directory(call->files, path, 0700, false, number)
                : files_append(call->files, path, NULL, 0, 0600, number);
    free(path);
    return made;
}

static int run_mktemp(struct command_call *call)
{
    struct handset *handset = call->context;
    uint64_t seed =
        (uint64_t)virtual_clock_now(&handset->clock) + call_pid(call);
    struct command_options options;
    char path[512];
    int number = 0;
    bool made = false;
    int status;

    if (!call_options(call, "dp:qtu", &options, &status))
        return status;
    for (unsigned i = 0; i < 100 && !made; i++) {
        fill_template(&options, path);
        draw_letters(path, &seed);
        made = options.given['u'] ||
               make_temporary(call, path, options.given['d'], &number);
    }
    if (made)
        call_print(call, "%s\n", path);
    else
        status = call_fail(call, "Failed to create %s %.300s: %s",
                           options.given['d'] ? "directory" : "file", path,
                           files_reason(number));
    call_options_release(&options);
    return status;
}

static const struct phone_command commands[] = {
    {"getenforce", run_getenforce, ""},
    {"hostname", run_hostname, ""},
    {"mktemp", run_mktemp, "[-dqu] [-p DIRECTORY] [TEMPLATE]"},
    {"nproc", run_nproc, ""},
    {"stty", run_stty, "[-a | size]"},
    {"toybox", run_toybox, "[COMMAND [ARGUMENT...]]"},
    {"tty", run_tty, ""},
    {"usleep", run_usleep, "MICROSECONDS"},
};

const struct command_set toybox_commands = {commands, ARRAY_LEN(commands)};
