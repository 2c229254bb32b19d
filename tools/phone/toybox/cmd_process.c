/* Commands about processes: ps, top, pgrep, pkill and others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/phone/shell/signals.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"
#include "tools/phone/toybox/grep_pattern.h"

static struct phone_processes *processes_of(struct command_call *call)
{
    return &((struct handset *)call->context)->processes;
}

/* The process after the given one; starts with pid 0. */
static bool next(struct command_call *call, struct phone_process *process)
{
    return processes_next(processes_of(call), process->pid + 1, process);
}

/* Is it the shell that runs the command, or the command itself? */
static bool is_own(struct command_call *call,
                   const struct phone_process *process)
{
    unsigned shell = call_pid(call);

    return process->pid == shell || process->pid == shell + 1;
}

/* ---- ps ---- */

static void print_process(struct command_call *call,
                          const struct phone_process *process)
{
    call_print(call, "%-12s %5u %5u %7lu %6lu %-10.10s %10d %c %s\n",
               process->user, process->pid, process->parent, process->size,
               process->resident, process->waits_in, 0, process->state,
               process->name);
}

static void print_process_long(struct command_call *call,
                               const struct phone_process *process)
{
    call_print(call, "%-12s %5u %5u  0 08:00:00 ?     00:00:01 %s\n",
               process->user, process->pid, process->parent, process->name);
}

static bool is_column(const char *text, size_t length, const char *name)
{
    return length == strlen(name) && !strncasecmp(text, name, length);
}

/* -o PID,NAME,...: the columns that scripts request. */
static void print_columns(struct command_call *call,
                          const struct phone_process *process,
                          const char *columns)
{
    while (*columns) {
        size_t length = strcspn(columns, ",=");

        if (is_column(columns, length, "PID"))
            call_print(call, "%5u", process->pid);
        else if (is_column(columns, length, "PPID"))
            call_print(call, "%5u", process->parent);
        else if (is_column(columns, length, "USER"))
            call_print(call, "%-12s", process->user);
        else if (is_column(columns, length, "RSS"))
            call_print(call, "%6lu", process->resident);
        else
            call_print(call, "%s", process->name);
        columns += length;
        columns += strspn(columns, ",=");
        call_print(call, "%s", *columns ? " " : "\n");
    }
}

static void print_header(struct command_call *call,
                         const struct command_options *options)
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

/* "1,2,3", or several arguments. */
static bool is_named(const char *list, unsigned pid)
{
    char *end;

    for (;; list = end + 1) {
        if (strtoul(list, &end, 10) == pid && end > list)
            return true;
        if (*end != ',')
            return false;
    }
}

static bool is_wanted(struct command_call *call,
                      const struct phone_process *process,
                      const struct command_options *options)
{
    /*
     * Shells of other hosts are listed only when requested by number: so the
     * same commands print the same on phones with the same history.
     */
    if (!options->values['p'] && !options->count)
        return is_own(call, process) ||
               ((options->given['A'] || options->given['e']) &&
                process->pid < PROCESS_SHELL_FIRST);
    if (options->values['p'] && is_named(options->values['p'], process->pid))
        return true;
    for (size_t i = 0; i < options->count; i++) {
        if (is_named(options->operands[i], process->pid))
            return true;
    }
    return false;
}

static int run_ps(struct command_call *call)
{
    struct phone_process process = {.pid = 0};
    struct command_options options;
    int status;

    if (!call_options(call, "AefTZo:p:", &options, &status))
        return status;
    print_header(call, &options);
    while (next(call, &process)) {
        if (!is_wanted(call, &process, &options))
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

/* ---- by name ---- */

static int run_pidof(struct command_call *call)
{
    const char *blank = "";

    for (size_t i = 1; i < call->argc; i++) {
        struct phone_process process = {.pid = 0};

        while (next(call, &process)) {
            if (strcmp(process.name, call->argv[i]) != 0 ||
                process.pid == call_pid(call) + 1)
                continue;
            call_print(call, "%s%u", blank, process.pid);
            blank = " ";
        }
    }
    if (!*blank)
        return 1;
    call_write(call, "\n", 1);
    return 0;
}

/* Send a signal; processes of other users are not affected. */
static bool send_signal(struct command_call *call,
                        const struct phone_process *process, int number)
{
    int reason = processes_signal(processes_of(call), process->pid, number);

    if (reason)
        call_fail(call, "bad kill(%u): %s", process->pid, files_reason(reason));
    return !reason;
}

/* The search of pgrep and pkill. */
struct process_search {
    struct regex *pattern;
    const struct command_options *options;
    int signal; /* signal to send; -1: print the process ids */
};

static bool fits(const struct process_search *search,
                 const struct phone_process *process)
{
    const struct command_options *options = search->options;
    size_t length = strlen(process->name);
    size_t begin;
    size_t end;
    bool found;

    if (options->values['u'] &&
        strcmp(options->values['u'], process->user) != 0)
        return false;
    if (options->values['P'] &&
        strtoul(options->values['P'], NULL, 10) != process->parent)
        return false;
    found = regex_find(search->pattern, process->name, length, &begin, &end);
    if (found && options->given['x'] && (begin != 0 || end != length))
        found = false;
    return found != options->given['v'];
}

static int search_all(struct command_call *call,
                      const struct process_search *search)
{
    struct phone_process process = {.pid = 0};
    int status = 1;

    while (next(call, &process)) {
        if (process.pid == call_pid(call) + 1 || !fits(search, &process))
            continue;
        if (search->signal >= 0) {
            if (send_signal(call, &process, search->signal))
                status = 0;
            continue;
        }
        status = 0;
        if (search->options->given['l'])
            call_print(call, "%u %s\n", process.pid, process.name);
        else
            call_print(call, "%u\n", process.pid);
    }
    return status;
}

/* A signal such as -9 or -KILL comes before all other options. */
static void take_signal(struct command_call *call, int *number)
{
    if (call->argc < 2 || call->argv[1][0] != '-' ||
        !signals_find(call->argv[1] + 1, number))
        return;
    call->argv[1] = call->argv[0];
    call->argv++;
    call->argc--;
}

static int search_as(struct command_call *call, int number)
{
    struct command_options options;
    struct process_search search = {.options = &options, .signal = number};
    struct err err = ERR_INIT;
    int status;

    if (!call_options(call, "flu:xP:v", &options, &status))
        return status;
    if (options.count != 1 && !options.values['u'] && !options.values['P']) {
        status = call_needs(call, 1, 1);
    } else if (!grep_pattern_open(options.count ? options.operands[0] : "",
                                  GREP_PATTERN_EXTENDED, false, &search.pattern,
                                  &err)) {
        status = call_fail(call, "bad regex '%.100s'", options.operands[0]);
    } else {
        status = search_all(call, &search);
    }
    regex_close(search.pattern);
    call_options_release(&options);
    return status;
}

static int run_pgrep(struct command_call *call)
{
    return search_as(call, -1);
}

static int run_pkill(struct command_call *call)
{
    int number = SIGNALS_TERM;

    take_signal(call, &number);
    return search_as(call, number);
}

static int run_killall(struct command_call *call)
{
    struct command_options options;
    int number = SIGNALS_TERM;
    int status;

    take_signal(call, &number);
    if (!call_options(call, "ilqs:vw", &options, &status))
        return status;
    if (!options.count)
        status = call_needs(call, 1, 1);
    if (options.values['s'] && !signals_find(options.values['s'], &number))
        status = call_fail(call, "bad -s '%.100s'", options.values['s']);
    for (size_t i = 0; i < options.count && !status; i++) {
        struct phone_process process = {.pid = 0};
        bool found = false;

        while (next(call, &process)) {
            if (strcmp(process.name, options.operands[i]) != 0 ||
                process.pid == call_pid(call) + 1)
                continue;
            found = true;
            if (!send_signal(call, &process, number))
                status = 1;
        }
        if (!found && !options.given['q'])
            status =
                call_fail(call, "%.100s: No such process", options.operands[i]);
        else if (!found)
            status = 1;
    }
    call_options_release(&options);
    return status;
}

/* ---- top ---- */

#define TOP_EVERY_MS 3000

static void print_top(struct command_call *call, long long most)
{
    struct phone_process process = {.pid = 0};
    unsigned total = 0;

    while (next(call, &process))
        total++;
    call_print(call,
               "Tasks: %u total,   1 running, %3u sleeping,   0 stopped,   "
               "0 zombie\n"
               "  Mem:  3849240K total,  3436580K used,   412660K free,     "
               "5120K buffers\n"
               " Swap:        0K total,        0K used,        0K free,  "
               "1572664K cached\n"
               "400%%cpu  12%%user   0%%nice   8%%sys 380%%idle   0%%iow   "
               "0%%irq   0%%sirq   0%%host\n"
               "%5s %-12s %2s %3s %4s %4s %4s %s %s %9s %s\n",
               total, total - 1, "PID", "USER", "PR", "NI", "VIRT", "RES",
               "SHR", "S[%CPU]", "%MEM", "TIME+", "ARGS");
    process.pid = 0;
    while (most-- > 0 && next(call, &process))
        call_print(call,
                   "%5u %-12s %2d %3d %3luM %3luM %3luM %c %5.1f %5.1f "
                   "%9s %s\n",
                   process.pid, process.user, 20, 0, process.size / 1024 % 1000,
                   process.resident / 1024, process.resident / 2048,
                   process.state, process.state == 'R' ? 8.0 : 0.0,
                   (double)process.resident / 38492.4, "0:01.00", process.name);
}

/* Repeat endlessly, or as often as -n says. */
static int run_top(struct command_call *call)
{
    struct command_options options;
    long long rounds = INT64_MAX;
    long long most = INT64_MAX;
    int status;

    if (!call_options(call, "Hbd:k:m:n:o:O:p:qs:u:", &options, &status))
        return status;
    if ((options.values['n'] &&
         !call_number(call, options.values['n'], 1, 1000000, &rounds)) ||
        (options.values['m'] &&
         !call_number(call, options.values['m'], 1, 1000000, &most))) {
        call_options_release(&options);
        return 1;
    }
    call_options_release(&options);
    for (;;) {
        print_top(call, most);
        if (--rounds <= 0 || !call_wait(call, deadline_in_ms(TOP_EVERY_MS)))
            return 0;
    }
}

static const struct phone_command commands[] = {
    {"killall", run_killall, "[-lqv] [-SIGNAL|-s SIGNAL] NAME..."},
    {"pgrep", run_pgrep, "[-flvx] [-u USER] [-P PARENT] PATTERN"},
    {"pidof", run_pidof, "NAME..."},
    {"pkill", run_pkill, "[-SIGNAL] [-flvx] [-u USER] [-P PARENT] PATTERN"},
    {"ps", run_ps, "[-Aef] [-o COLUMNS] [-p PID] [PID...]"},
    {"top", run_top, "[-b] [-n ROUNDS] [-m PROCESSES]"},
};

const struct command_set process_commands = {commands, ARRAY_LEN(commands)};
