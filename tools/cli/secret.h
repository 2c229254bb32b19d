/* A short secret from the person at the terminal, or from a script. */
#ifndef TOOLS_CLI_SECRET_H
#define TOOLS_CLI_SECRET_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/cli/cli.h"

/*
 * Take what was given on the command line; NULL: ask for a line on standard
 * input, without showing it when that is a terminal.
 *
 * Fails with ERR_INVALID when there is none or it does not fit into size
 * bytes, and with ERR_CANCELLED on an interrupt. The caller wipes secret.
 */
MUST_USE bool secret_get(const struct cli *cli, const char *prompt,
                         const char *given, char *secret, size_t size,
                         struct err *err);

void secret_wipe(char *secret, size_t size);

#endif
