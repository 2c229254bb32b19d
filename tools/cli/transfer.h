/* What push and pull share: a session, its progress, and what it came to. */
#ifndef TOOLS_CLI_TRANSFER_H
#define TOOLS_CLI_TRANSFER_H

#include "adb/sync.h"
#include "tools/cli/cli.h"
#include "tools/cli/progress.h"

struct transfer {
    struct device *device;
    struct sync *sync;
    struct progress progress;
    struct sync_totals totals; /* of everything so far */
};

/* The options of both commands fill this. */
struct transfer_args {
    int compression; /* of enum sync_compression */
};

extern const struct option transfer_options[];
#define TRANSFER_OPTION_COUNT 1

/* transfer must stay where it is until it is closed. */
MUST_USE bool transfer_open(struct transfer *transfer, const struct cli *cli,
                            const struct transfer_args *args, struct err *err);

/* Also after a failed open; a transfer that was never opened is zero. */
void transfer_close(struct transfer *transfer);

/* Add what one source came to. */
void transfer_add(struct transfer *transfer, const struct sync_totals *totals);

/* Say what was done: "pushed 3 files, ...", or JSON. */
MUST_USE bool transfer_report(struct transfer *transfer, struct cli *cli,
                              const char *verb, struct err *err);

#endif
