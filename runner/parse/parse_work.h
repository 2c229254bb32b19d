/*
 * How much work the parser may do for one reply, counted in bytes that it looks
 * at. A reply is untrusted: whatever is scanned more than a fixed number of
 * times is charged here, so that the work is linear in the length of the reply.
 */
#ifndef RUNNER_PARSE_PARSE_WORK_H
#define RUNNER_PARSE_PARSE_WORK_H

#include <stdbool.h>
#include <stddef.h>

struct parse_work {
    size_t done;
    size_t limit;
};

/* For a reply of length bytes. */
static inline struct parse_work parse_work_for(size_t length)
{
    return (struct parse_work){.limit = 65536 + 64 * length};
}

/*
 * Charge for this many bytes; false: the limit is reached. NULL is unlimited.
 */
static inline bool parse_work_charge(struct parse_work *work, size_t bytes)
{
    if (!work)
        return true;
    work->done += bytes;
    return work->done < work->limit;
}

static inline bool parse_work_is_over(const struct parse_work *work)
{
    return work && work->done >= work->limit;
}

#endif
