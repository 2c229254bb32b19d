/* What push and pull share: everything but the direction. */
#ifndef TOOLS_CLI_TRANSFER_H
#define TOOLS_CLI_TRANSFER_H

#include "adb/sync.h"
#include "tools/cli/cli.h"

/* The options of both commands fill this. */
struct transfer_args {
    int compression; /* of enum sync_compression */
};

extern const struct option transfer_options[];
#define TRANSFER_OPTION_COUNT 1

/* sync_push or sync_pull */
typedef bool transfer_move_fn(struct sync *sync, const char *source,
                              const char *target, struct deadline by,
                              struct sync_totals *totals, struct err *err);

/* Is target a directory, as several sources need one? Fails if not. */
typedef bool transfer_check_fn(struct sync *sync, const struct cli *cli,
                               const char *target, struct err *err);

/* What is to be moved where. */
struct transfer_job {
    const char *const *sources;
    size_t count;
    const char *target;
    const char *done; /* what was done to them then: "pushed" */
    transfer_check_fn *check;
    transfer_move_fn *move;
};

/* Open the phone, move everything, and say what it came to. */
MUST_USE bool transfer_run(struct cli *cli, const struct transfer_args *args,
                           const struct transfer_job *job, struct err *err);

#endif
