/*
 * The connections of a forward: many pumps at once, each in its own threads.
 *
 * Each is given one of its two ends; the other is opened in the pump's thread,
 * so that an end that is slow to open does not delay the others.
 */
#ifndef ADB_SERVICES_PUMP_SET_H
#define ADB_SERVICES_PUMP_SET_H

#include "adb/connection/stream.h"
#include "base/log.h"

/*
 * The maximum number at once. A further connection replaces the one that has
 * lingered longest (see adb/services/pump.h); if none lingers, it is refused.
 */
#define PUMP_SET_MAX 64

/*
 * How long a connection waits for the place of one that is being replaced. On a
 * busy machine the threads of that one take their time to end.
 */
#define PUMP_SET_ROOM_MS 20000

/* How long the missing end may take to open. */
#define PUMP_SET_OPEN_MS 10000

/* The two ends of a pump: stream is NULL, or fd -1, while it is missing. */
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

/*
 * Reports how many connections could not be served since the last call, and
 * the reason of the last one. Called at most once a second, and for the rest
 * when the set stops, from any thread, with the set locked: it must be quick
 * and must not call back.
 */
typedef void pump_set_refused_fn(void *context, size_t count,
                                 const struct err *why);

struct pump_set;

/*
 * context and log (may be NULL) are borrowed until pump_set_stop. serves: what
 * is connected here are servers. When one of them ends, the device learns of it
 * at once; a client may be waiting for an answer, and lingers.
 */
MUST_USE bool pump_set_start(pump_open_fn *open, void *context, bool serves,
                             const struct log *log, struct pump_set **pump_set,
                             struct err *err);

/* Report connections that cannot be served to refused (NULL: do not report). */
void pump_set_watch(struct pump_set *pump_set, pump_set_refused_fn *refused,
                    void *context);

/*
 * Connect ends, which are taken over even on failure; a client at a TCP socket
 * then sees a reset. Blocks only while a lingering pump is being replaced, for
 * at most PUMP_SET_ROOM_MS, and not after pump_set_close. Later failures are
 * traced and reported. Fails with ERR_LIMIT when PUMP_SET_MAX are connected.
 */
MUST_USE bool pump_set_add(struct pump_set *pump_set, struct pump_ends ends,
                           const char *target, struct err *err);

/* No more are wanted: a pump_set_add that waits gives up. From any thread. */
void pump_set_close(struct pump_set *pump_set);

/*
 * End all of them and free everything. Blocks while an end is being opened,
 * which is PUMP_SET_OPEN_MS at most. NULL is fine.
 */
void pump_set_stop(struct pump_set *pump_set);

#endif
