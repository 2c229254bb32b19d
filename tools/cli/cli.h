/* What main builds once and every command gets. */
#ifndef TOOLS_CLI_CLI_H
#define TOOLS_CLI_CLI_H

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/log.h"
#include "tools/cli/command.h"
#include "tools/cli/output.h"

struct cli {
    struct shared_args shared;
    struct output out;           /* results, and nothing else */
    const struct log *log;       /* borrowed */
    const struct cancel *cancel; /* borrowed; fired by an interrupt */
    struct deadline by;          /* when all must be over: --timeout */
};

/* The exit code that an error stands for. */
int cli_exit_code(enum err_code code);

#endif
