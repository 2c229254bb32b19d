/* What forward, reverse and phone share: they run until interrupted. */
#ifndef TOOLS_CLI_COMMAND_LINE_FOREGROUND_SERVICE_H
#define TOOLS_CLI_COMMAND_LINE_FOREGROUND_SERVICE_H

#include <stdint.h>

#include "tools/cli/command_line/cli_context.h"

/*
 * Block until interrupted (ERR_CANCELLED), the phone (NULL: none) is lost
 * (ERR_LOST) or --timeout passes (ERR_TIMEOUT). Always false.
 */
bool foreground_service_wait(const struct cli_context *cli,
                             struct device *device, struct err *err);

/* The port that was picked, alone on its line, for scripts. */
MUST_USE bool foreground_service_print_port(struct cli_context *cli,
                                            unsigned port, struct err *err);

/* A pump_set_refused_fn that prints; context is a struct cli_context. */
void foreground_service_tell_refused(void *context, size_t count,
                                     const struct err *why);

#endif
