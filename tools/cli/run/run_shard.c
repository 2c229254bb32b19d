#include "tools/cli/run/run_shard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SHARDS_MAX 100000

static bool read_number(const char *text, const char *what, int64_t *number,
                        struct err *err)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return (end != text && !*end && !errno && *number >= 0 &&
            *number <= INT32_MAX) ||
           err_set(err, ERR_INVALID, "%s: \"%.40s\" is not a number", what,
                   text);
}

static bool read_variable(const char *name, bool *found, int64_t *number,
                          struct err *err)
{
    const char *text = getenv(name);

    *found = text && *text;
    return !*found || read_number(text, name, number, err);
}

/*
 * Arrays of Slurm may begin at any number, and Jobs of Kubernetes begin at 0.
 * If the count is given, an array begins at 0, too: it may be a part of an
 * earlier one that is submitted again.
 */
static bool read_environment(int64_t *index, int64_t *count, struct err *err)
{
    int64_t first = 0;
    bool has_first;
    bool has_index;
    bool has_count;

    if (!read_variable("SLURM_ARRAY_TASK_ID", &has_index, index, err) ||
        !read_variable("SLURM_ARRAY_TASK_MIN", &has_first, &first, err))
        return false;
    if (has_index && *count)
        return true;
    if (has_index) {
        *index -= first;
        return read_variable("SLURM_ARRAY_TASK_COUNT", &has_count, count, err);
    }
    return read_variable("JOB_COMPLETION_INDEX", &has_index, index, err) &&
           (has_index ||
            err_set(err, ERR_INVALID,
                    "--shard auto: neither SLURM_ARRAY_TASK_ID nor "
                    "JOB_COMPLETION_INDEX is set; give --shard INDEX/COUNT"));
}

bool run_shard_set(const char *given, struct run_plan *plan, struct err *err)
{
    char part[32];
    const char *slash;
    size_t length;
    int64_t index = 0;
    int64_t count = 0;

    if (!given)
        return true;
    slash = strchr(given, '/');
    length = slash ? (size_t)(slash - given) : strlen(given);
    if (length >= sizeof(part))
        return err_set(err, ERR_INVALID, "--shard: give INDEX/COUNT or auto");
    memcpy(part, given, length);
    part[length] = '\0';
    if ((slash && !read_number(slash + 1, "--shard", &count, err)) ||
        !(!strcmp(part, "auto") ? read_environment(&index, &count, err)
                                : read_number(part, "--shard", &index, err)))
        return false;
    if (count < 1 || count > SHARDS_MAX || index < 0 || index >= count)
        return err_set(err, ERR_INVALID,
                       "--shard %.40s: give INDEX/COUNT, from 0/COUNT on",
                       given);
    plan->shard_index = (int)index;
    plan->shard_count = (int)count;
    return true;
}
