/* What forward, reverse and phone share: they run until interrupted. */
#ifndef TOOLS_CLI_SERVE_H
#define TOOLS_CLI_SERVE_H

#include <stdint.h>

#include "tools/cli/cli.h"

/*
 * Block until interrupted (ERR_CANCELLED), the phone (NULL: none) is lost
 * (ERR_LOST) or --timeout passes (ERR_TIMEOUT). Always false.
 */
bool serve_until_interrupted(const struct cli *cli, struct device *device,
                             struct err *err);

/* The port that was picked, alone on its line, for scripts. */
MUST_USE bool serve_print_port(struct cli *cli, unsigned port, struct err *err);

#endif
