/* The commands, each in the file that bears its name. */
#ifndef TOOLS_CLI_CMD_H
#define TOOLS_CLI_CMD_H

#include "tools/cli/command.h"

extern const struct command cmd_completion;
extern const struct command cmd_man;

#endif
