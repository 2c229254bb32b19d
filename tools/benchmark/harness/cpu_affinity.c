#include "tools/benchmark/harness/cpu_affinity.h"

#include <errno.h>

bool cpu_affinity_init(struct cpu_affinity *cpu_affinity, struct err *err)
{
    size_t last = CPU_SETSIZE - 1;

    if (sched_getaffinity(0, sizeof(cpu_affinity->all), &cpu_affinity->all))
        return err_errno(err, errno, "asking for our cores");
    /* The last one: interrupts tend to go to the first. */
    while (!CPU_ISSET(last, &cpu_affinity->all))
        last--;
    CPU_ZERO(&cpu_affinity->one);
    CPU_SET(last, &cpu_affinity->one);
    return true;
}

static bool use(const cpu_set_t *set, struct err *err)
{
    return !sched_setaffinity(0, sizeof(*set), set) ||
           err_errno(err, errno, "choosing the cores to run on");
}

bool cpu_affinity_use_all(const struct cpu_affinity *cpu_affinity,
                          struct err *err)
{
    return use(&cpu_affinity->all, err);
}

bool cpu_affinity_use_one(const struct cpu_affinity *cpu_affinity,
                          struct err *err)
{
    return use(&cpu_affinity->one, err);
}
