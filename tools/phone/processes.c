#include "tools/phone/processes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define EPOLL "do_epoll_wait"
#define ZYGOTE 398U

static const struct process first[] = {
    {"root", 1, 0, 10904444, 11784, EPOLL, 'S', "init"},
    {"root", 2, 0, 0, 0, "kthreadd", 'S', "[kthreadd]"},
    {"logd", 262, 1, 10813540, 6412, "sigsuspend", 'S', "logd"},
    {"system", 264, 1, 10798772, 5220, EPOLL, 'S', "servicemanager"},
    {"root", ZYGOTE, 1, 14519212, 135528, "do_sys_poll", 'S', "zygote64"},
    {"system", 412, 1, 10949608, 41660, EPOLL, 'S', "surfaceflinger"},
    {"shell", 521, 1, 10849616, 7224, EPOLL, 'S', "adbd"},
    {"system", PROCESS_SERVER, ZYGOTE, 16839300, 312644, EPOLL, 'S',
     "system_server"},
    {"u0_a68", 1021, ZYGOTE, 14797140, 211336, EPOLL, 'S',
     "com.android.systemui"},
    {"radio", 1187, ZYGOTE, 14612020, 120216, EPOLL, 'S', "com.android.phone"},
    {"u0_a72", 1290, ZYGOTE, 14703516, 168112, EPOLL, 'S',
     "com.android.launcher3"},
    {"u0_a61", 1411, ZYGOTE, 14590004, 109300, EPOLL, 'S',
     "com.android.inputmethod.latin"},
    {"shell", PROCESS_SHELL, 521, 10769864, 3364, "sigsuspend", 'S', "sh"},
    {"shell", PROCESS_COMMAND, PROCESS_SHELL, 10813472, 3808, "0", 'R', "ps"},
};

void processes_init(struct processes *processes)
{
    *processes = (struct processes){
        .all = mem_new(PROCESSES_MAX, sizeof(*processes->all)),
        .count = ARRAY_LEN(first),
        .next_pid = PROCESS_APP_FIRST,
    };
    memcpy(processes->all, first, sizeof(first));
    pthread_mutex_init(&processes->lock, NULL);
}

void processes_release(struct processes *processes)
{
    free(processes->all);
    pthread_mutex_destroy(&processes->lock);
}

static struct process *find(const struct processes *processes, const char *name)
{
    for (size_t i = 0; i < processes->count; i++) {
        if (!strcmp(processes->all[i].name, name))
            return &processes->all[i];
    }
    return NULL;
}

/* An app's process, as large as its number makes it. */
static struct process new_app(unsigned pid, uint32_t uid, const char *name)
{
    struct process process = {
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

bool processes_begin(struct processes *processes, const char *name,
                     uint32_t uid, unsigned *pid)
{
    struct process *found;
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

unsigned processes_end(struct processes *processes, const char *name)
{
    struct process *found;
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

bool processes_next(struct processes *processes, unsigned pid,
                    struct process *process)
{
    size_t i = 0;
    bool found;

    pthread_mutex_lock(&processes->lock);
    while (i < processes->count && processes->all[i].pid < pid)
        i++;
    found = i < processes->count;
    if (found)
        *process = processes->all[i];
    pthread_mutex_unlock(&processes->lock);
    return found;
}

unsigned processes_find(struct processes *processes, const char *name)
{
    const struct process *found;
    unsigned pid;

    pthread_mutex_lock(&processes->lock);
    found = find(processes, name);
    pid = found ? found->pid : 0;
    pthread_mutex_unlock(&processes->lock);
    return pid;
}

/* ---- snapshots ---- */

void processes_save(struct processes *processes, struct buf *out)
{
    pthread_mutex_lock(&processes->lock);
    parcel_put_u32(out, processes->next_pid);
    parcel_put_u64(out, processes->count);
    for (size_t i = 0; i < processes->count; i++) {
        const struct process *process = &processes->all[i];

        parcel_put_text(out, process->user);
        parcel_put_u32(out, process->pid);
        parcel_put_u32(out, process->parent);
        parcel_put_u64(out, process->size);
        parcel_put_u64(out, process->resident);
        parcel_put_text(out, process->waits_in);
        parcel_put_i64(out, process->state);
        parcel_put_text(out, process->name);
    }
    pthread_mutex_unlock(&processes->lock);
}

/* One of the places that processes are known to wait in. */
static const char *load_wait(struct parcel *in)
{
    char text[32];

    parcel_text(in, text, sizeof(text));
    for (size_t i = 0; i < ARRAY_LEN(first); i++) {
        if (!strcmp(first[i].waits_in, text))
            return first[i].waits_in;
    }
    parcel_break(in);
    return EPOLL;
}

static void load_process(struct parcel *in, struct process *process)
{
    parcel_text(in, process->user, sizeof(process->user));
    process->pid = parcel_u32(in);
    process->parent = parcel_u32(in);
    process->size = parcel_u64(in);
    process->resident = parcel_u64(in);
    process->waits_in = load_wait(in);
    process->state = (char)parcel_i64(in, 'A', 'Z');
    parcel_text(in, process->name, sizeof(process->name));
}

void processes_load(struct processes *processes, struct parcel *in)
{
    unsigned next_pid = parcel_u32(in);
    size_t count = parcel_count(in, PROCESSES_MAX);
    struct process *all = mem_new(PROCESSES_MAX, sizeof(*all));

    for (size_t i = 0; i < count; i++) {
        load_process(in, &all[i]);
        if (i && all[i].pid <= all[i - 1].pid)
            parcel_break(in);
    }
    pthread_mutex_lock(&processes->lock);
    if (!in->trial && !in->broken) {
        struct process *old = processes->all;

        processes->all = all;
        processes->count = count;
        processes->next_pid = next_pid;
        all = old;
    }
    pthread_mutex_unlock(&processes->lock);
    free(all);
}
