#include "tools/phone/system/processes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define EPOLL "do_epoll_wait"
#define ZYGOTE 398U

static const struct phone_process first[] = {
    {"root", 1, 0, 10904444, 11784, EPOLL, 'S', "init"},
    {"root", 2, 0, 0, 0, "kthreadd", 'S', "[kthreadd]"},
    {"logd", 262, 1, 10813540, 6412, "sigsuspend", 'S', "logd"},
    {"system", 264, 1, 10798772, 5220, EPOLL, 'S', "servicemanager"},
    {"root", ZYGOTE, 1, 14519212, 135528, "do_sys_poll", 'S', "zygote64"},
    {"system", 412, 1, 10949608, 41660, EPOLL, 'S', "surfaceflinger"},
    {"shell", PROCESS_ADBD, 1, 10849616, 7224, EPOLL, 'S', "adbd"},
    {"system", PROCESS_SERVER, ZYGOTE, 16839300, 312644, EPOLL, 'S',
     "system_server"},
    {"u0_a68", 1021, ZYGOTE, 14797140, 211336, EPOLL, 'S',
     "com.android.systemui"},
    {"radio", 1187, ZYGOTE, 14612020, 120216, EPOLL, 'S', "com.android.phone"},
    {"u0_a72", 1290, ZYGOTE, 14703516, 168112, EPOLL, 'S',
     "com.android.launcher3"},
    {"u0_a61", 1411, ZYGOTE, 14590004, 109300, EPOLL, 'S',
     "com.android.inputmethod.latin"},
};

static struct phone_process *find(const struct phone_processes *processes,
                                  const char *name)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (!strcmp(processes->all[i].name, name))
            return &processes->all[i];
    }
    return NULL;
}

void processes_init(struct phone_processes *processes, const char *zygote)
{
    *processes = (struct phone_processes){
        .all = mem_new(PROCESSES_MAX, sizeof(*processes->all)),
        .count = ARRAY_LEN(first),
        .next_pid = PROCESS_APP_FIRST,
        .shells = mem_new(PROCESSES_SHELLS_MAX, sizeof(*processes->shells)),
    };
    memcpy(processes->all, first, sizeof(first));
    snprintf(find(processes, "zygote64")->name, PROCESS_NAME_SIZE, "%s",
             zygote);
    pthread_mutex_init(&processes->lock, NULL);
}

void processes_release(struct phone_processes *processes)
{
    free(processes->all);
    free(processes->shells);
    pthread_mutex_destroy(&processes->lock);
}

/* An app's process; its size is derived from its uid. */
static struct phone_process new_app(unsigned pid, uint32_t uid,
                                    const char *name)
{
    struct phone_process process = {
        .pid = pid,
        .parent = ZYGOTE,
        .size = 14500000 + pid % 97 * 1364,
        .resident = 98000 + pid % 89 * 404,
        .waits_in = EPOLL,
        .state = 'S',
    };

    users_name(uid, process.user);
    snprintf(process.name, sizeof(process.name), "%s", name);
    return process;
}

bool processes_begin(struct phone_processes *processes, const char *name,
                     uint32_t uid, unsigned *pid)
{
    struct phone_process *found;
    bool begun;

    pthread_mutex_lock(&processes->lock);
    found = find(processes, name);
    begun = !found && processes->count < PROCESSES_MAX;
    if (begun) {
        found = &processes->all[processes->count++];
        *found = new_app(processes->next_pid, uid, name);
        processes->next_pid += 17;
    }
    *pid = found ? found->pid : 0;
    pthread_mutex_unlock(&processes->lock);
    return begun;
}

unsigned processes_end(struct phone_processes *processes, const char *name)
{
    struct phone_process *found;
    unsigned pid = 0;

    pthread_mutex_lock(&processes->lock);
    found = find(processes, name);
    if (found) {
        size_t index = (size_t)(found - processes->all);

        pid = found->pid;
        memmove(found, found + 1,
                (--processes->count - index) * sizeof(*found));
    }
    pthread_mutex_unlock(&processes->lock);
    return pid;
}

/* ---- shells ---- */

static struct phone_process shell_row(const struct shell_process *shell)
{
    return (struct phone_process){
        .user = "shell",
        .pid = shell->pid,
        .parent = shell->parent,
        .size = 10769864,
        .resident = 3364,
        .waits_in = "sigsuspend",
        .state = 'S',
        .name = "sh",
    };
}

static struct phone_process command_row(const struct shell_process *shell)
{
    struct phone_process row = {
        .user = "shell",
        .pid = shell->pid + 1,
        .parent = shell->pid,
        .size = 10813472,
        .resident = 3808,
        .waits_in = "0",
        .state = 'R',
    };

    memcpy(row.name, shell->command, sizeof(row.name));
    return row;
}

static struct shell_process *find_shell(const struct phone_processes *processes,
                                        unsigned pid)
{
    for (size_t i = 0; i < processes->shell_count; i++) {
        if (processes->shells[i].pid == pid)
            return &processes->shells[i];
    }
    return NULL;
}

unsigned processes_begin_shell(struct phone_processes *processes,
                               unsigned parent, uint64_t seed)
{
    const unsigned numbers = (PROCESS_SHELL_LAST - PROCESS_SHELL_FIRST) / 2;
    unsigned number = (unsigned)(seed % numbers);
    unsigned pid;

    pthread_mutex_lock(&processes->lock);
    do {
        pid = PROCESS_SHELL_FIRST + 2 * number;
        number = (number + 1) % numbers;
    } while (find_shell(processes, pid));
    if (processes->shell_count < PROCESSES_SHELLS_MAX)
        processes->shells[processes->shell_count++] =
            (struct shell_process){.pid = pid, .parent = parent};
    pthread_mutex_unlock(&processes->lock);
    return pid;
}

void processes_end_shell(struct phone_processes *processes, unsigned pid)
{
    struct shell_process *shell;

    pthread_mutex_lock(&processes->lock);
    shell = find_shell(processes, pid);
    if (shell)
        *shell = processes->shells[--processes->shell_count];
    pthread_mutex_unlock(&processes->lock);
}

void processes_set_command(struct phone_processes *processes, unsigned pid,
                           const char *name)
{
    struct shell_process *shell;

    pthread_mutex_lock(&processes->lock);
    shell = find_shell(processes, pid);
    if (shell) {
        snprintf(shell->command, sizeof(shell->command), "%s", name);
        shell->command_signal = 0;
    }
    pthread_mutex_unlock(&processes->lock);
}

/* Is it one that no shell may kill? */
static bool is_protected(const struct phone_processes *processes, unsigned pid)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (processes->all[i].pid == pid)
            return true;
    }
    return false;
}

int processes_signal(struct phone_processes *processes, unsigned pid,
                     int number)
{
    struct shell_process *shell;
    struct shell_process *runs;
    int reason = 0;

    pthread_mutex_lock(&processes->lock);
    shell = find_shell(processes, pid);
    runs = find_shell(processes, pid - 1);
    if (shell)
        shell->signal = number ? number : shell->signal;
    else if (runs && runs->command[0])
        runs->command_signal = number ? number : runs->command_signal;
    else
        reason = is_protected(processes, pid) ? EPERM : ESRCH;
    pthread_mutex_unlock(&processes->lock);
    return reason;
}

int processes_take_signal(struct phone_processes *processes, unsigned pid)
{
    struct shell_process *shell;
    int number = 0;

    pthread_mutex_lock(&processes->lock);
    shell = find_shell(processes, pid);
    if (shell) {
        number = shell->signal;
        shell->signal = 0;
    }
    shell = find_shell(processes, pid - 1);
    if (shell) {
        number = shell->command_signal;
        shell->command_signal = 0;
    }
    pthread_mutex_unlock(&processes->lock);
    return number;
}

bool processes_has_signal(struct phone_processes *processes, unsigned pid)
{
    const struct shell_process *shell;
    bool has;

    pthread_mutex_lock(&processes->lock);
    shell = find_shell(processes, pid);
    has = shell && (shell->signal || shell->command_signal);
    pthread_mutex_unlock(&processes->lock);
    return has;
}

/* ---- all processes ---- */

bool processes_next(struct phone_processes *processes, unsigned pid,
                    struct phone_process *process)
{
    size_t i = 0;
    bool found;

    pthread_mutex_lock(&processes->lock);
    while (i < processes->count && processes->all[i].pid < pid)
        i++;
    found = i < processes->count;
    if (found)
        *process = processes->all[i];
    for (size_t n = 0; n < processes->shell_count; n++) {
        const struct shell_process *shell = &processes->shells[n];

        if (shell->pid >= pid && (!found || shell->pid < process->pid)) {
            *process = shell_row(shell);
            found = true;
        }
        if (shell->command[0] && shell->pid + 1 >= pid &&
            (!found || shell->pid + 1 < process->pid)) {
            *process = command_row(shell);
            found = true;
        }
    }
    pthread_mutex_unlock(&processes->lock);
    return found;
}

unsigned processes_find(struct phone_processes *processes, const char *name)
{
    const struct phone_process *found;
    unsigned pid;

    pthread_mutex_lock(&processes->lock);
    found = find(processes, name);
    pid = found ? found->pid : 0;
    pthread_mutex_unlock(&processes->lock);
    return pid;
}

/* ---- snapshots ---- */

void processes_save(struct phone_processes *processes, struct buf *out)
{
    pthread_mutex_lock(&processes->lock);
    saved_state_put_u32(out, processes->next_pid);
    saved_state_put_u64(out, processes->count);
    for (size_t i = 0; i < processes->count; i++) {
        const struct phone_process *process = &processes->all[i];

        saved_state_put_text(out, process->user);
        saved_state_put_u32(out, process->pid);
        saved_state_put_u32(out, process->parent);
        saved_state_put_u64(out, process->size);
        saved_state_put_u64(out, process->resident);
        saved_state_put_text(out, process->waits_in);
        saved_state_put_i64(out, process->state);
        saved_state_put_text(out, process->name);
    }
    pthread_mutex_unlock(&processes->lock);
}

/* One of the kernel functions that processes are shown to wait in. */
static const char *load_wait(struct saved_state *in)
{
    char text[32];

    saved_state_text(in, text, sizeof(text));
    for (size_t i = 0; i < ARRAY_LEN(first); i++) {
        if (!strcmp(first[i].waits_in, text))
            return first[i].waits_in;
    }
    saved_state_break(in);
    return EPOLL;
}

static void load_process(struct saved_state *in, struct phone_process *process)
{
    saved_state_text(in, process->user, sizeof(process->user));
    process->pid = saved_state_u32(in);
    process->parent = saved_state_u32(in);
    process->size = saved_state_u64(in);
    process->resident = saved_state_u64(in);
    process->waits_in = load_wait(in);
    process->state = (char)saved_state_i64(in, 'A', 'Z');
    saved_state_text(in, process->name, sizeof(process->name));
}

void processes_load(struct phone_processes *processes, struct saved_state *in)
{
    unsigned next_pid = saved_state_u32(in);
    size_t count = saved_state_count(in, PROCESSES_MAX);
    struct phone_process *all = mem_new(PROCESSES_MAX, sizeof(*all));

    for (size_t i = 0; i < count; i++) {
        load_process(in, &all[i]);
        if (i && all[i].pid <= all[i - 1].pid)
            saved_state_break(in);
    }
    pthread_mutex_lock(&processes->lock);
    if (!in->trial && !in->broken) {
        struct phone_process *old = processes->all;

        processes->all = all;
        processes->count = count;
        processes->next_pid = next_pid;
        all = old;
    }
    pthread_mutex_unlock(&processes->lock);
    free(all);
}
