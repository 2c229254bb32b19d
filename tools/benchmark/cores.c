#include "tools/benchmark/cores.h"

#include <errno.h>

bool cores_init(struct cores *cores, struct err *err)
{
    size_t last = CPU_SETSIZE - 1;

    if (sched_getaffinity(0, sizeof(cores->all), &cores->all))
        return err_errno(err, errno, "asking for our cores");
    /* The last one: interrupts tend to go to the first. */
    while (!CPU_ISSET(last, &cores->all))
        last--;
    CPU_ZERO(&cores->one);
    CPU_SET(last, &cores->one);
    return true;
}

static bool use(const cpu_set_t *set, struct err *err)
{
    return !sched_setaffinity(0, sizeof(*set), set) ||
           err_errno(err, errno, "choosing the cores to run on");
}

bool cores_use_all(const struct cores *cores, struct err *err)
{
    return use(&cores->all, err);
}

bool cores_use_one(const struct cores *cores, struct err *err)
{
    return use(&cores->one, err);
}
