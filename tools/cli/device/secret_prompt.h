/* A short secret from the person at the terminal, or from a script. */
#ifndef TOOLS_CLI_DEVICE_SECRET_PROMPT_H
#define TOOLS_CLI_DEVICE_SECRET_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/cli/command_line/cli_context.h"

/*
 * Take what was given on the command line; NULL: ask for a line on standard
 * input, without showing it when that is a terminal.
 *
 * Fails with ERR_INVALID when there is none or it does not fit into size
 * bytes, and with ERR_CANCELLED on an interrupt. The caller wipes secret.
 */
MUST_USE bool secret_prompt_get(const struct cli_context *cli,
                                const char *prompt, const char *given,
                                char *secret, size_t size, struct err *err);

void secret_prompt_wipe(char *secret, size_t size);

#endif
