/* Commands about the phone itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/cmd.h"
#include "tools/phone/dates.h"
#include "tools/phone/handset.h"
#include "tools/phone/processes.h"
#include "tools/phone/users.h"

static struct handset *handset_of(struct call *call)
{
    return call->context;
}

/* ---- properties ---- */

static int run_getprop(struct call *call)
{
    struct props *props = &handset_of(call)->props;
    struct buf text = BUF_INIT(PAIRS_LIST_MAX);

    if (call->argc == 1) {
        props_list(props, &text);
    } else {
        props_get(props, call->argv[1], &text);
        if (!text.length && call->argc > 2)
            buf_text(&text, call->argv[2]);
        buf_byte(&text, '\n');
    }
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static int run_setprop(struct call *call)
{
    if (call->argc != 3) {
        call_error(call, "usage: setprop NAME VALUE\n");
        return 1;
    }
    if (props_set(&handset_of(call)->props, call->argv[1], call->argv[2]))
        return 0;
    call_error(call,
               "Failed to set property '%.100s' to '%.100s'.\n"
               "See dmesg for error reason.\n",
               call->argv[1], call->argv[2]);
    return 1;
}

/* ---- settings ---- */

/* The exit status of system services that return -1. */
#define STATUS_SERVICE 255

/* Words of the command, without "--user N" and the like. */
struct request {
    const char *words[8];
    size_t count;
};

static void read_request(const struct call *call, struct request *request)
{
    request->count = 0;
    for (size_t i = 1; i < call->argc; i++) {
        if (!strcmp(call->argv[i], "--user"))
            i++;
        else if (request->count < ARRAY_LEN(request->words))
            request->words[request->count++] = call->argv[i];
    }
}

static int settings_put_one(struct call *call, enum settings_space space,
                            const struct request *request)
{
    if (request->count < 4) {
        call_error(call, "Bad arguments\n");
        return STATUS_SERVICE;
    }
    if (settings_put(&handset_of(call)->settings, space, request->words[2],
                     request->words[3]))
        return 0;
    call_error(call, "Failed to put %.100s\n", request->words[2]);
    return STATUS_SERVICE;
}

static int settings_print(struct call *call, enum settings_space space,
                          const struct request *request, bool all)
{
    struct settings *settings = &handset_of(call)->settings;
    struct buf text = BUF_INIT(PAIRS_LIST_MAX);

    if (all) {
        settings_list(settings, space, &text);
    } else {
        if (!settings_get(settings, space, request->words[2], &text))
            buf_text(&text, "null");
        buf_byte(&text, '\n');
    }
    call_write(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

static int settings_do(struct call *call, enum settings_space space,
                       const struct request *request)
{
    const char *verb = request->words[0];
    bool named = request->count > 2;

    if (!strcmp(verb, "list"))
        return settings_print(call, space, request, true);
    if (!strcmp(verb, "get") && named)
        return settings_print(call, space, request, false);
    if (!strcmp(verb, "put"))
        return settings_put_one(call, space, request);
    if (!strcmp(verb, "delete") && named) {
        bool was = settings_delete(&handset_of(call)->settings, space,
                                   request->words[2]);

        call_print(call, "Deleted %d rows\n", was);
        return 0;
    }
    call_error(call, "Invalid command: %.100s\n", verb);
    return STATUS_SERVICE;
}

static int run_settings(struct call *call)
{
    enum settings_space space;
    struct request request;

    read_request(call, &request);
    if (request.count < 2) {
        call_print(call, "usage: settings %s\n", call->command->usage);
        return STATUS_SERVICE;
    }
    if (!settings_find_space(request.words[1], &space)) {
        call_error(call, "Invalid namespace '%.100s'\n", request.words[1]);
        return STATUS_SERVICE;
    }
    return settings_do(call, space, &request);
}

/* ---- time ---- */

static int run_date(struct call *call)
{
    struct buf text = BUF_INIT(4096);
    const char *format = "%a %b %e %H:%M:%S %Z %Y";
    int64_t time = virtual_clock_now(&handset_of(call)->clock);

    for (size_t i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '+')
            format = call->argv[i] + 1;
        else if (strcmp(call->argv[i], "-u") != 0)
            return call_fail(call, "cannot set date: %s",
                             "Operation not permitted");
    }
    dates_format(time, format, &text);
    call_write_line(call, buf_cstr(&text), text.length);
    buf_release(&text);
    return 0;
}

/* A century: nobody can tell it from what is longer. */
#define SLEEP_MAX (INT64_C(3155760000) * PHONE_SECOND)

/* A number of seconds with a fraction and a unit; -1 if it is none. */
static int64_t read_duration(const char *text)
{
    static const char units[] = "smhd";
    static const int64_t seconds[] = {1, 60, 3600, 86400};
    const char *unit;
    char *end;
    double value = strtod(text, &end);

    unit = *end ? strchr(units, *end) : units;
    if (end == text || !unit || (*end && end[1]) || !(value >= 0))
        return -1;
    value *= (double)(seconds[unit - units] * PHONE_SECOND);
    return value < (double)SLEEP_MAX ? (int64_t)value : SLEEP_MAX;
}

static int run_sleep(struct call *call)
{
    int64_t total = 0;

    if (call->argc < 2)
        return call_fail(call, "Needs 1 argument");
    for (size_t i = 1; i < call->argc; i++) {
        int64_t duration = read_duration(call->argv[i]);

        if (duration < 0)
            return call_fail(call, "bad time '%.100s'", call->argv[i]);
        total = duration < SLEEP_MAX - total ? total + duration : SLEEP_MAX;
    }
    call_pass(call, &handset_of(call)->clock, total);
    return 0;
}

static int64_t uptime(struct call *call)
{
    struct virtual_clock *clock = &handset_of(call)->clock;

    return (virtual_clock_now(clock) - clock->booted) / PHONE_SECOND;
}

static int run_uptime(struct call *call)
{
    struct buf text = BUF_INIT(128);
    long long up = uptime(call);

    dates_format(virtual_clock_now(&handset_of(call)->clock), "%H:%M:%S",
                 &text);
    call_print(call,
               " %s up %2lld:%02lld,  0 users,  load average: 0.12, 0.08, "
               "0.05\n",
               buf_cstr(&text), up / 3600, up / 60 % 60);
    buf_release(&text);
    return 0;
}

/* ---- who and what ---- */

static int run_id(struct call *call)
{
    const struct files_user *user = files_whoami(call->files);
    char name[USERS_NAME_SIZE];
    struct call_options options;
    int status;

    if (!call_options(call, "ugn", &options, &status))
        return status;
    users_name(options.given['g'] ? user->gid : user->uid, name);
    if (options.given['n'])
        call_print(call, "%s\n", name);
    else if (options.given['u'] || options.given['g'])
        call_print(call, "%u\n", options.given['g'] ? user->gid : user->uid);
    call_options_release(&options);
    if (options.given['u'] || options.given['g'])
        return 0;
    call_print(call, "uid=%u(%s) ", user->uid, name);
    users_name(user->gid, name);
    call_print(call, "gid=%u(%s) groups=%u(%s)", user->gid, name, user->gid,
               name);
    for (size_t i = 0; i < user->group_count; i++) {
        users_name(user->groups[i], name);
        call_print(call, ",%u(%s)", user->groups[i], name);
    }
    call_print(call, " context=u:r:shell:s0\n");
    return 0;
}

static int run_whoami(struct call *call)
{
    char name[USERS_NAME_SIZE];

    users_name(files_whoami(call->files)->uid, name);
    call_print(call, "%s\n", name);
    return 0;
}

static int run_uname(struct call *call)
{
    static const struct {
        char letter;
        const char *text;
    } parts[] = {
        {'s', "Linux"},
        {'n', "localhost"},
        {'r', "5.15.104-android14-proctor"},
        {'v', "#1 SMP PREEMPT Thu Oct 5 00:00:00 UTC 2023"},
        {'m', "aarch64"},
        {'o', "Toybox"},
    };
    struct call_options options;
    const char *blank = "";
    int status;

    if (!call_options(call, "amnorsv", &options, &status))
        return status;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        bool wanted = options.given['a'] ||
                      options.given[(unsigned char)parts[i].letter] ||
                      (call->argc == 1 && parts[i].letter == 's');

        if (!wanted)
            continue;
        call_print(call, "%s%s", blank, parts[i].text);
        blank = " ";
    }
    call_write(call, "\n", 1);
    call_options_release(&options);
    return 0;
}

static int run_free(struct call *call)
{
    const unsigned long long total = 3932160ULL * 1024;
    const unsigned long long used = 2211840ULL * 1024;

    call_print(call, "%22s%16s%16s%16s%16s\n", "total", "used", "free",
               "shared", "buffers");
    call_print(call, "Mem: %17llu%16llu%16llu%16llu%16llu\n", total, used,
               total - used, 10485760ULL, 5242880ULL);
    call_print(call, "-/+ buffers/cache: %19llu%16llu\n", used - 5242880ULL,
               total - used + 5242880ULL);
    call_print(call, "Swap: %16llu%16llu%16llu\n", 0ULL, 0ULL, 0ULL);
    return 0;
}

/* ---- processes ---- */

static void print_process(struct call *call, const struct process *process)
{
    call_print(call, "%-12s %5u %5u %7lu %6lu %-10.10s %10d %c %s\n",
               process->user, process->pid, process->parent, process->size,
               process->resident, process->waits_in, 0, process->state,
               process->name);
}

static void print_process_long(struct call *call, const struct process *process)
{
    call_print(call, "%-12s %5u %5u  0 08:00:00 ?     00:00:01 %s\n",
               process->user, process->pid, process->parent, process->name);
}

/* -o PID,NAME,...: the columns that scripts ask for. */
static void print_columns(struct call *call, const struct process *process,
                          const char *columns)
{
    while (*columns) {
        size_t length = strcspn(columns, ",=");

        if (!strncasecmp(columns, "PID", length))
            call_print(call, "%5u", process->pid);
        else if (!strncasecmp(columns, "PPID", length))
            call_print(call, "%5u", process->parent);
        else if (!strncasecmp(columns, "USER", length))
            call_print(call, "%-12s", process->user);
        else if (!strncasecmp(columns, "RSS", length))
            call_print(call, "%6lu", process->resident);
        else
            call_print(call, "%s", process->name);
        columns += length;
        columns += strspn(columns, ",=");
        call_print(call, "%s", *columns ? " " : "\n");
    }
}

static void print_header(struct call *call, const struct call_options *options)
{
    if (options->values['o']) {
        for (const char *at = options->values['o']; *at; at++) {
            char c = *at == ',' ? ' ' : *at;

            if (c != '=')
                call_write(call, &c, 1);
        }
        call_write(call, "\n", 1);
    } else if (options->given['f']) {
        call_print(call, "%-12s %5s %5s  C STIME    TTY   TIME     CMD\n",
                   "UID", "PID", "PPID");
    } else {
        call_print(call, "%-12s %5s %5s %7s %6s %-10s %10s S %-27s\n", "USER",
                   "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "NAME");
    }
}

static int run_ps(struct call *call)
{
    struct process process = {.pid = 0};
    struct call_options options;
    long long wanted = 0;
    bool all;
    int status;

    if (!call_options(call, "AefTZo:p:", &options, &status))
        return status;
    all = options.given['A'] || options.given['e'];
    if (options.values['p'])
        wanted = strtoll(options.values['p'], NULL, 10);
    print_header(call, &options);
    while (processes_next(&handset_of(call)->processes, process.pid + 1,
                          &process)) {
        bool own =
            process.pid == PROCESS_SHELL || process.pid == PROCESS_COMMAND;

        if (wanted ? process.pid != wanted : !all && !own)
            continue;
        if (options.values['o'])
            print_columns(call, &process, options.values['o']);
        else if (options.given['f'])
            print_process_long(call, &process);
        else
            print_process(call, &process);
    }
    call_options_release(&options);
    return 0;
}

static int run_pidof(struct call *call)
{
    const char *blank = "";

    for (size_t i = 1; i < call->argc; i++) {
        unsigned pid =
            processes_find(&handset_of(call)->processes, call->argv[i]);

        if (!pid)
            continue;
        call_print(call, "%s%u", blank, pid);
        blank = " ";
    }
    if (!*blank)
        return 1;
    call_write(call, "\n", 1);
    return 0;
}

/* There is nothing that could be ended. */
static int run_kill(struct call *call)
{
    int status = 0;

    for (size_t i = 1; i < call->argc; i++) {
        unsigned pid = (unsigned)strtoul(call->argv[i], NULL, 10);
        struct process process;

        if (call->argv[i][0] == '-')
            continue;
        if (!processes_next(&handset_of(call)->processes, pid, &process) ||
            process.pid != pid)
            status = call_fail(call, "bad pid '%.100s'", call->argv[i]);
    }
    return status;
}

static int run_sync(struct call *call)
{
    (void)call;
    return 0;
}

static const struct command commands[] = {
    {"date", run_date, "[-u] [+FORMAT]"},
    {"free", run_free, ""},
    {"getprop", run_getprop, "[NAME [DEFAULT]]"},
    {"id", run_id, "[-gnu]"},
    {"kill", run_kill, "[-SIGNAL] PID..."},
    {"logcat", do_logcat, "[-Bcd] [-s] [-t COUNT] [-v FORMAT] [TAG:LEVEL...]"},
    {"pidof", run_pidof, "NAME..."},
    {"ps", run_ps, "[-Aef] [-o COLUMNS] [-p PID]"},
    {"setprop", run_setprop, "NAME VALUE"},
    {"settings", run_settings, "get|put|delete|list NAMESPACE [NAME [VALUE]]"},
    {"sleep", run_sleep, "DURATION..."},
    {"sync", run_sync, ""},
    {"uname", run_uname, "[-amnorsv]"},
    {"uptime", run_uptime, ""},
    {"whoami", run_whoami, ""},
};

const struct command_set system_commands = {commands, ARRAY_LEN(commands)};
