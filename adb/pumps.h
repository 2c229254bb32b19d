/*
 * The connections of a forward: many pumps at once, each in its own threads.
 *
 * Each is given one of its two ends; the other is opened in the pump's thread,
 * so that an end that is slow to open holds up nobody else.
 */
#ifndef ADB_PUMPS_H
#define ADB_PUMPS_H

#include "adb/stream.h"
#include "base/log.h"

/* As many at once; the next one is turned away. */
#define PUMPS_MAX 64

/* How long the missing end may take to open. */
#define PUMPS_OPEN_MS 10000

/* What is connected: stream is NULL, or fd -1, while it is missing. */
struct pump_ends {
    struct stream *stream; /* owned */
    int fd;                /* owned */
};

/*
 * Fill in the missing end for target by the deadline. On failure both ends
 * are closed by the caller.
 */
typedef bool pump_open_fn(void *context, const char *target, struct deadline by,
                          struct pump_ends *ends, struct err *err);

struct pumps;

/* context and log (may be NULL) are borrowed until pumps_stop. */
MUST_USE bool pumps_start(pump_open_fn *open, void *context,
                          const struct log *log, struct pumps **pumps,
                          struct err *err);

/*
 * Connect ends, which are taken over even on failure. Does not block. What
 * later goes wrong with them is traced and concerns nobody else.
 * Fails with ERR_LIMIT when PUMPS_MAX are connected.
 */
MUST_USE bool pumps_add(struct pumps *pumps, struct pump_ends ends,
                        const char *target, struct err *err);

/*
 * End all of them and free everything. Blocks while an end is being opened,
 * which is PUMPS_OPEN_MS at most. NULL is fine.
 */
void pumps_stop(struct pumps *pumps);

#endif
