/* The user, the processes, the time since the start, and the network. */
#include <stdlib.h>
#include <string.h>

#include "tools/phone/files/users.h"
#include "tools/phone/toolbox/toolbox.h"

static struct handset *handset_of(struct command_call *call)
{
    return call->context;
}

/* ---- id ---- */

/* There were no options. */
int toolbox_id(struct command_call *call)
{
    static const uint32_t groups[] = {1003, 1004, 1007, 1009, 1011, 1015,
                                      1028, 3001, 3002, 3003, 3006};
    const struct files_user *user = files_whoami(call->files);
    char name[USERS_NAME_SIZE];

    users_name(user->uid, name);
    call_print(call, "uid=%u(%s)", user->uid, name);
    users_name(user->gid, name);
    call_print(call, " gid=%u(%s)", user->gid, name);
    for (size_t i = 0; user->uid && i < ARRAY_LEN(groups); i++) {
        users_name(groups[i], name);
        call_print(call, "%s%u(%s)", i ? "," : " groups=", groups[i], name);
    }
    call_print(call, "\n");
    return 0;
}

/* ---- ps ---- */

static void print_process(struct command_call *call,
                          const struct phone_process *process)
{
    call_print(call, "%-9s %-5u %-5u %-6lu %-5lu %08x %08x %c %s\n",
               process->user, process->pid, process->parent, process->size,
               process->resident, ~0U, 0U, process->state, process->name);
}

/* A number is a process, any other word the beginning of names. */
static bool is_wanted(const struct phone_process *process, const char *filter)
{
    char *end;
    unsigned long number;

    if (!filter)
        return true;
    number = strtoul(filter, &end, 10);
    if (end > filter && !*end)
        return process->pid == number;
    return !strncmp(process->name, filter, strlen(filter));
}

/* Shells of other hosts are not listed, as they are not by toybox's. */
static bool is_listed(struct command_call *call,
                      const struct phone_process *process)
{
    unsigned own = call_pid(call);

    return process->pid < PROCESS_SHELL_FIRST || process->pid == own ||
           process->pid == own + 1;
}

int toolbox_ps(struct command_call *call)
{
    static const char *const options[] = {"-t", "-x", "-P", "-p", "-c", "-Z"};
    struct phone_process process = {.pid = 0};
    const char *filter = NULL;

    for (size_t i = 1; i < call->argc; i++) {
        bool option = false;

        for (size_t j = 0; j < ARRAY_LEN(options); j++)
            option = option || !strcmp(call->argv[i], options[j]);
        if (!option)
            filter = call->argv[i];
    }
    call_print(call, "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         "
                     "NAME\n");
    while (processes_next(&handset_of(call)->processes, process.pid + 1,
                          &process)) {
        if (is_listed(call, &process) && is_wanted(&process, filter))
            print_process(call, &process);
    }
    return 0;
}

/* ---- uptime and free ---- */

int toolbox_uptime(struct command_call *call)
{
    struct virtual_clock *clock = &handset_of(call)->clock;
    long long up = (virtual_clock_now(clock) - clock->booted) / PHONE_SECOND;

    call_print(call,
               "up time: %02lld:%02lld:%02lld, idle time: "
               "%02lld:%02lld:%02lld, sleep time: 00:00:00\n",
               up / 3600, up / 60 % 60, up % 60, up / 3600, up / 60 % 60,
               up % 60);
    return 0;
}

/* In KiB. */
int toolbox_free(struct command_call *call)
{
    const unsigned total = 1048576, used = 612352, buffers = 12288;

    call_print(call, "%18s%13s%13s%13s%13s\n", "total", "used", "free",
               "shared", "buffers");
    call_print(call, "%-5s%13u%13u%13u%13u%13u\n", "Mem:", total, used,
               total - used, 0U, buffers);
    call_print(call, "-/+ buffers:%19u%13u\n", used - buffers,
               total - used + buffers);
    call_print(call, "%-5s%13u%13u%13u\n", "Swap:", 0U, 0U, 0U);
    return 0;
}

/* ---- the network ---- */

int toolbox_ifconfig(struct command_call *call)
{
    const char *name = call->argc > 1 ? call->argv[1] : "";

    if (!strcmp(name, "lo")) {
        call_print(call, "lo: ip 127.0.0.1 mask 255.0.0.0 flags "
                         "[up loopback running]\n");
        return 0;
    }
    return call_inherited(call);
}

int toolbox_netstat(struct command_call *call)
{
    call_print(call, "Proto Recv-Q Send-Q Local Address          "
                     "Foreign Address        State\n");
    return 0;
}
