/*
 * app_process: runs Java classes on phones. Only yadb's class is known here,
 * which agents use for typing and touching; any other fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/services/cmd_screen.h"

#define YADB "com.ysbing.yadb.Main"
#define YADB_LAYOUT "/data/local/tmp/yadb_layout_dump.xml"
#define YADB_SCREENSHOT "/data/local/tmp/yadb_screenshot.png"

/* Characters that yadb replaces by keys. */
#define FLAG_CLEAR "~CLEAR~"
#define FLAG_ENTER "~ENTER~"

#define TEXT_MAX ((size_t)1 << 20)
#define STATUS_ABORTED 134 /* 128 and SIGABRT */

/* ---- keys and texts ---- */

static void press(struct command_call *call, int key)
{
    struct screen_context *phone = call->context;

    input_devices_key(phone->devices, key);
    call_pass(call, phone->clock, CLOCK_TOUCH);
}

static void type_part(struct command_call *call, const char *text,
                      size_t length)
{
    struct screen_context *phone = call->context;
    char *part = mem_dup_n(text, length);

    if (*part) {
        screen_command_type(phone, part);
        call_pass(call, phone->clock, CLOCK_TOUCH);
    }
    free(part);
}

static int run_keyboard(struct command_call *call, char **words, size_t count)
{
    struct screen_context *phone = call->context;
    const char *text = count ? words[0] : "";

    while (*text) {
        const char *clear = strstr(text, FLAG_CLEAR);
        const char *enter = strstr(text, FLAG_ENTER);
        const char *flag = !clear || (enter && enter < clear) ? enter : clear;

        type_part(call, text, flag ? (size_t)(flag - text) : strlen(text));
        if (!flag)
            break;
        if (flag == clear)
            screen_key(phone->screen, KEY_CLEAR);
        else
            press(call, KEY_ENTER);
        text = flag + strlen(FLAG_CLEAR); /* both have the same length */
    }
    call_print(call, "Copy text:true\n");
    return 0;
}

static int run_keyboard_clear(struct command_call *call, char **words,
                              size_t count)
{
    struct screen_context *phone = call->context;

    (void)words, (void)count;
    screen_key(phone->screen, KEY_CLEAR);
    call_pass(call, phone->clock, CLOCK_TOUCH);
    return 0;
}

/* ---- gestures ---- */

/* The arguments of "input", followed by those of yadb. */
static int run_input(struct command_call *call, const char *how, char **words,
                     size_t count)
{
    char input[] = "input";
    char verb[16];
    char *all[8] = {input, verb};
    size_t used = 2;

    snprintf(verb, sizeof(verb), "%s", how);
    for (size_t i = 0; i < count && used < ARRAY_LEN(all) - 1; i++)
        all[used++] = words[i];
    return call_run_words(call, all, used);
}

static int run_touch(struct command_call *call, char **words, size_t count)
{
    char *held[] = {words[0], words[1], words[0], words[1],
                    count > 2 ? words[2] : NULL};

    if (count < 3 || strtol(words[2], NULL, 10) <= 0)
        return run_input(call, "tap", words, 2);
    return run_input(call, "swipe", held, ARRAY_LEN(held));
}

static int run_swipe(struct command_call *call, char **words, size_t count)
{
    return run_input(call, "swipe", words, count < 5 ? count : 5);
}

static int run_long_press_drag(struct command_call *call, char **words,
                               size_t count)
{
    char *drag[] = {words[0], words[1], words[2], words[3],
                    count > 5 ? words[5] : NULL};

    return run_input(call, "draganddrop", drag,
                     count > 5 ? ARRAY_LEN(drag) : 4);
}

/* No app of this phone can be zoomed; only time passes. */
static int run_pinch(struct command_call *call, char **words, size_t count)
{
    struct screen_context *phone = call->context;
    long ms = strtol(words[count - 1], NULL, 10);

    if (ms < 0 || ms > 60000)
        ms = 60000;
    call_pass(call, phone->clock, ms * CLOCK_MILLISECOND);
    return 0;
}

/* ---- screen contents ---- */

/* Run a command of the phone that writes a file, without its output. */
static bool write_file(struct command_call *call, char **words, size_t count)
{
    struct command_call quiet = *call;
    int number;
    int status;

    quiet.ports.out = sh_out_nothing();
    status = call_run_words(&quiet, words, count);
    (void)!sh_out_close(quiet.ports.out, &number);
    call->ended = quiet.ended;
    return !status;
}

static int run_layout(struct command_call *call, char **words, size_t count)
{
    char path[] = YADB_LAYOUT;
    char uiautomator[] = "uiautomator";
    char dump[] = "dump";
    char *all[] = {uiautomator, dump, count ? words[0] : path, NULL};

    if (!write_file(call, all, ARRAY_LEN(all) - 1))
        return STATUS_ABORTED;
    call_print(call, "layout dumped to:%s\n", all[2]);
    return 0;
}

static int run_screenshot(struct command_call *call, char **words, size_t count)
{
    char path[] = YADB_SCREENSHOT;
    char screencap[] = "screencap";
    char png[] = "-p";
    char *all[] = {screencap, png, count ? words[0] : path, NULL};

    if (!write_file(call, all, ARRAY_LEN(all) - 1))
        return STATUS_ABORTED;
    call_print(call, "screenshot success:%s\n", all[2]);
    return 0;
}

/* ---- yadb ---- */

static const struct yadb_command {
    const char *name;
    size_t least; /* number of arguments */
    int (*run)(struct command_call *call, char **words, size_t count);
} yadb_commands[] = {
    {"-keyboard", 1, run_keyboard}, {"-keyboardClear", 0, run_keyboard_clear},
    {"-layout", 0, run_layout},     {"-longPressDrag", 4, run_long_press_drag},
    {"-pinch", 5, run_pinch},       {"-screenshot", 0, run_screenshot},
    {"-swipe", 4, run_swipe},       {"-touch", 2, run_touch},
};

static int run_yadb(struct command_call *call, char **words, size_t count)
{
    for (size_t i = 0; count && i < ARRAY_LEN(yadb_commands); i++) {
        if (strcmp(yadb_commands[i].name, words[0]) != 0)
            continue;
        if (count - 1 < yadb_commands[i].least)
            break;
        return yadb_commands[i].run(call, words + 1, count - 1);
    }
    call_error(call, "yadb: unknown command '%.100s', or too few arguments\n",
               count ? words[0] : "");
    return 1;
}

/* ---- app_process ---- */

/* Is the file with the class on the phone? */
static bool is_there(struct command_call *call, const char *class_path)
{
    char *path = class_path ? call_path(call, class_path) : NULL;
    struct files_stat stat;
    int number;
    bool is = path && files_stat(call->files, path, true, &stat, &number);

    free(path);
    return is;
}

static int run_app_process(struct command_call *call)
{
    static const char option[] = "-Djava.class.path=";
    const char *class_path = call_variable(call, "CLASSPATH");
    size_t at = 1;

    for (; at < call->argc && call->argv[at][0] == '-'; at++) {
        if (!strncmp(call->argv[at], option, strlen(option)))
            class_path = call->argv[at] + strlen(option);
    }
    at++; /* the working directory */
    if (at < call->argc && !strncmp(call->argv[at], "--", 2))
        at++; /* --nice-name=... */
    if (at >= call->argc) {
        call_error(call, "Usage: app_process [java-options] cmd-dir "
                         "start-class-name [options]\n");
        return 1;
    }
    if (strcmp(call->argv[at], YADB) != 0) {
        call_error(call,
                   "app_process: %.200s cannot run: the built-in phone has no "
                   "Java\n",
                   call->argv[at]);
        return 1;
    }
    if (!is_there(call, class_path)) {
        call_error(call, "Aborted \n");
        return STATUS_ABORTED;
    }
    return run_yadb(call, call->argv + at + 1, call->argc - at - 1);
}

static const struct phone_command commands[] = {
    {"app_process", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
    {"app_process32", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
    {"app_process64", run_app_process, "[OPTION...] DIRECTORY CLASS [...]"},
};

const struct command_set app_process_commands = {commands, ARRAY_LEN(commands)};
