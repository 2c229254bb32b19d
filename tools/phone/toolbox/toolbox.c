#include "tools/phone/toolbox/toolbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tools/phone/core/date_text.h"
#include "tools/phone/system/settings.h"
#include "tools/phone/toybox/toybox_names.h"

#define STATUS_NOT_EXECUTABLE 126

#define OD_LINE 16U

/* ---- programs that only differ in a detail ---- */

/* A program in Java: its status says nothing. */
static int run_java(struct command_call *call)
{
    (void)call_inherited(call);
    return 0;
}

static int run_sleep(struct command_call *call)
{
    int64_t ignored;

    for (size_t i = 1; i < call->argc; i++) {
        if (!dates_duration(call->argv[i], &ignored))
            return call_fail(call, "syntax error: Invalid argument '%.100s'",
                             call->argv[i]);
    }
    return call_inherited(call);
}

static int run_sendevent(struct command_call *call)
{
    if (call->argc == 5)
        return call_inherited(call);
    call_error(call, "use: sendevent device type code value\n");
    return 1;
}

/* md5: the same as md5sum. */
static int run_md5(struct command_call *call)
{
    return call_run(call, "md5sum", 0);
}

static int run_toolbox(struct command_call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : NULL;

    if (!name) {
        call_print(call, "Toolbox!\n");
        return 0;
    }
    if (toybox_has(name) && call_knows(call, name))
        return call_run(call, name, 1);
    call_error(call, "%.100s: no such tool\n", name);
    return 255;
}

/* timeout [-t SECONDS] [-s SIGNAL] COMMAND: the time comes as an option. */
static int run_timeout(struct command_call *call)
{
    char ten[] = "10";
    char *seconds = ten;
    char **words;
    size_t at = 1;
    int status;

    for (; at + 1 < call->argc && call->argv[at][0] == '-'; at += 2) {
        if (!strcmp(call->argv[at], "-t"))
            seconds = call->argv[at + 1];
    }
    if (at >= call->argc) {
        call_error(call, "Usage: timeout [-t SECS] [-s SIG] PROG ARGS\n");
        return 1;
    }
    if (!call_knows(call, call->argv[at])) {
        call_error(call, "timeout: can't execute '%.100s': %s\n",
                   call->argv[at], "Permission denied");
        return STATUS_NOT_EXECUTABLE;
    }
    words = mem_new(call->argc + 3, sizeof(*words));
    words[0] = call->argv[0];
    words[1] = seconds;
    memcpy(words + 2, call->argv + at, (call->argc - at) * sizeof(*words));
    call->argc += 2 - at;
    call->argv = words;
    status = call_inherited(call);
    free(words);
    return status;
}

/* ---- od -h ---- */

/* Words of two bytes, in columns that are as wide as the widest format. */
static void print_words(struct command_call *call, const unsigned char *line,
                        size_t length)
{
    for (size_t i = 0; i < OD_LINE; i += 2) {
        unsigned high = i + 1 < length ? line[i + 1] : 0;

        if (i < length)
            call_print(call, "    %04x", high << 8 | line[i]);
        else
            call_print(call, "        ");
    }
    call_print(call, "\n");
}

static void print_input(struct command_call *call, const char *name,
                        struct sh_in *in, void *context)
{
    unsigned char line[OD_LINE];
    unsigned long long at = 0;
    size_t length = 0;
    size_t got = 0;

    (void)name, (void)context;
    while (call_read(call, in, line + length, OD_LINE - length, &got)) {
        length += got;
        if (length && (length == OD_LINE || !got)) {
            call_print(call, "%07llo ", at);
            print_words(call, line, length);
            at += length;
            length = 0;
        }
        if (!got)
            break;
    }
    call_print(call, "%07llo\n", at);
}

static int run_od(struct command_call *call)
{
    if (call->argc < 2 || strcmp(call->argv[1], "-h") != 0)
        return call_inherited(call);
    return call_each_input(call, call->argv + 2, call->argc - 2, print_input,
                           NULL);
}

/* ---- settings ---- */

static int refuse_settings(struct command_call *call)
{
    call_error(call,
               "usage:  settings [--user NUM] get namespace key\n"
               "        settings [--user NUM] put namespace key value\n"
               "\n"
               "'namespace' is one of {system, secure, global}, "
               "case-insensitive\n"
               "If '--user NUM' is not given, the operations are performed on "
               "the owner user.\n");
    return 0;
}

/* There were only get and put. */
static int run_settings(struct command_call *call)
{
    size_t at = call->argc > 2 && !strcmp(call->argv[1], "--user") ? 3 : 1;
    enum settings_space space;

    if (call->argc < at + 3 || (strcmp(call->argv[at], "get") != 0 &&
                                strcmp(call->argv[at], "put") != 0))
        return refuse_settings(call);
    if (settings_find_space(call->argv[at + 1], &space))
        return run_java(call);
    call_error(call, "Invalid namespace '%.100s'\n", call->argv[at + 1]);
    return refuse_settings(call);
}

/* ---- the table ---- */

static const struct phone_command commands[] = {
    {"am", run_java, "COMMAND [ARGUMENT...]"},
    {"cat", call_inherited, "[FILE...]"},
    {"chmod", toolbox_chmod, "MODE FILE..."},
    {"cmd", NULL, ""},
    {"content", run_java, "COMMAND [ARGUMENT...]"},
    {"df", toolbox_df, "[PATH...]"},
    {"free", toolbox_free, ""},
    {"id", toolbox_id, ""},
    {"ifconfig", toolbox_ifconfig, "[INTERFACE]"},
    {"ime", run_java, "COMMAND [ARGUMENT...]"},
    {"input", run_java, "[SOURCE] COMMAND [ARGUMENT...]"},
    {"ls", toolbox_ls, "[-FRZadilnps] [FILE...]"},
    {"md5", run_md5, "FILE..."},
    {"mkdir", toolbox_mkdir, "[-p] DIR..."},
    {"mv", toolbox_mv, "SOURCE... DEST"},
    {"nc", NULL, ""},
    {"netcat", NULL, ""},
    {"netstat", toolbox_netstat, ""},
    {"od", run_od, "[-h] [FILE...]"},
    {"pm", run_java, "COMMAND [ARGUMENT...]"},
    {"ps", toolbox_ps, "[-t] [NAME | PID]"},
    {"rm", toolbox_rm, "[-rR] [-f] FILE..."},
    {"sendevent", run_sendevent, "DEVICE TYPE CODE VALUE"},
    {"settings", run_settings, "[--user NUM] get|put NAMESPACE KEY [VALUE]"},
    {"sleep", run_sleep, "SECONDS"},
    {"stat", toolbox_stat, "FILE..."},
    {"svc", run_java, "COMMAND [ARGUMENT...]"},
    {"timeout", run_timeout, "[-t SECS] [-s SIG] COMMAND [ARGUMENT...]"},
    {"toolbox", run_toolbox, "[COMMAND [ARGUMENT...]]"},
    {"toybox", NULL, ""},
    {"uiautomator", run_java, "COMMAND [ARGUMENT...]"},
    {"uptime", toolbox_uptime, ""},
    {"wm", run_java, "COMMAND [ARGUMENT...]"},
};

const struct command_set toolbox_commands = {commands, ARRAY_LEN(commands)};
