/* What push and pull share: everything but the direction. */
#ifndef TOOLS_CLI_DEVICE_TRANSFER_H
#define TOOLS_CLI_DEVICE_TRANSFER_H

#include "adb/sync/sync.h"
#include "tools/cli/command_line/cli_context.h"

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
typedef bool transfer_check_fn(struct sync *sync, const struct cli_context *cli,
                               const char *target, struct err *err);

/* The files to copy, and where to. */
struct transfer_job {
    const char *const *sources;
    size_t count;
    const char *target;
    const char *done; /* the verb for the summary: "pushed" */
    transfer_check_fn *check;
    transfer_move_fn *move;
};

/* Open the phone, move everything, and say what it came to. */
MUST_USE bool transfer_run(struct cli_context *cli,
                           const struct transfer_args *args,
                           const struct transfer_job *job, struct err *err);

#endif
