/* What main builds once and every command gets. */
#ifndef TOOLS_CLI_COMMAND_LINE_CLI_CONTEXT_H
#define TOOLS_CLI_COMMAND_LINE_CLI_CONTEXT_H

#include "adb/device/device.h"
#include "adb/discover/discover_config.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/log.h"
#include "tools/cli/command_line/command.h"
#include "tools/cli/terminal/output_stream.h"

struct cli_context {
    struct shared_args shared;
    struct output_stream out;    /* results, and nothing else */
    const struct log *log;       /* borrowed */
    const struct cancel *cancel; /* borrowed; fired by an interrupt */
    struct deadline by;          /* when all must be over: --timeout */
};

/* The exit code for an error. */
int cli_exit_code(enum err_code code);

/* For what takes a moment: answers within some seconds, or not at all. */
struct deadline cli_short_deadline(const struct cli_context *cli);

/* Tell the person at the terminal; programs that ask for JSON need it not. */
PRINTF_LIKE(2, 3)
void cli_message(const struct cli_context *cli, const char *fmt, ...);

/* Where phones are looked for. Fails as discover_config_init does. */
MUST_USE bool cli_discover_config(const struct cli_context *cli,
                                  struct discover_config *discover_config,
                                  struct err *err);

/*
 * Open the phone that -s or ANDROID_SERIAL names, or the only one there is.
 * Fails as discover_open does.
 */
MUST_USE bool cli_open_device(const struct cli_context *cli,
                              struct device **device, struct err *err);

/*
 * Add to an error that no phone was found what else can be done; other errors
 * stay as they are. Always false.
 */
bool cli_suggest_builtin(struct err *err, const char *how);

#endif
