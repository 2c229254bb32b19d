/* What main builds once and every command gets. */
#ifndef TOOLS_CLI_CLI_H
#define TOOLS_CLI_CLI_H

#include "adb/device.h"
#include "adb/places.h"
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

/* For what takes a moment: answers within some seconds, or not at all. */
struct deadline cli_soon(const struct cli *cli);

/* Tell the person at the terminal; programs that ask for JSON need it not. */
PRINTF_LIKE(2, 3) void cli_say(const struct cli *cli, const char *fmt, ...);

/* Where phones are looked for. Fails as places_init does. */
MUST_USE bool cli_places(const struct cli *cli, struct places *places,
                         struct err *err);

/*
 * Open the phone that -s or ANDROID_SERIAL names, or the only one there is.
 * Fails as discover_open does.
 */
MUST_USE bool cli_open_device(const struct cli *cli, struct device **device,
                              struct err *err);

/* Open the phone at an address, and no other. Fails as device_open_tcp does. */
MUST_USE bool cli_open_address(const struct cli *cli, const char *host,
                               uint16_t port, struct device **device,
                               struct err *err);

#endif
