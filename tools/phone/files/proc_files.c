#include "tools/phone/files/proc_files.h"

#include "tools/phone/core/virtual_clock.h"

#define CORES 4U

enum proc_file {
    PROC_UPTIME = 1,
    PROC_STAT,
    PROC_LOADAVG,
};

static const struct {
    const char *path;
    enum proc_file file;
} files_of_proc[] = {
    {"/proc/uptime", PROC_UPTIME},
    {"/proc/stat", PROC_STAT},
    {"/proc/loadavg", PROC_LOADAVG},
};

bool proc_files_create(struct phone_files *files, int *number)
{
    for (size_t i = 0; i < ARRAY_LEN(files_of_proc); i++) {
        if (!files_make_live(files, files_of_proc[i].path,
                             files_of_proc[i].file, 0444, number))
            return false;
    }
    return true;
}

/* In hundredths of a second, as in the kernel. Cores are mostly idle. */
static void put_stat(int64_t up, int64_t booted, struct buf *text)
{
    long long busy = up / 20;
    long long idle = up - busy;

    for (int core = -1; core < (int)CORES; core++) {
        long long share = core < 0 ? CORES : 1;

        if (core < 0)
            buf_text(text, "cpu ");
        else
            buf_printf(text, "cpu%d", core);
        buf_printf(text, " %lld 0 %lld %lld 0 0 0 0 0 0\n",
                   busy * 2 / 3 * share, busy / 3 * share, idle * share);
    }
    buf_printf(text,
               "intr 0\nctxt %lld\nbtime %lld\nprocesses 32767\n"
               "procs_running 1\nprocs_blocked 0\n",
               (long long)up * 10, (long long)(booted / PHONE_SECOND));
}

void proc_files_text(void *context, uint32_t number, struct buf *text)
{
    struct virtual_clock *clock = context;
    int64_t booted = clock->booted;
    int64_t up = (virtual_clock_now(clock) - booted) / (PHONE_SECOND / 100);
    int64_t idle = (up - up / 20) * CORES;

    switch ((enum proc_file)number) {
    case PROC_UPTIME:
        buf_printf(text, "%lld.%02d %lld.%02d\n", (long long)(up / 100),
                   (int)(up % 100), (long long)(idle / 100), (int)(idle % 100));
        break;
    case PROC_STAT:
        put_stat(up, booted, text);
        break;
    case PROC_LOADAVG:
        buf_text(text, "0.12 0.08 0.05 1/812 20001\n");
        break;
    }
}
