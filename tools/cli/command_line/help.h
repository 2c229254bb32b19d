/* The text of --help, generated from the tables. */
#ifndef TOOLS_CLI_COMMAND_LINE_HELP_H
#define TOOLS_CLI_COMMAND_LINE_HELP_H

#include "base/buf.h"
#include "tools/cli/command_line/command.h"
#include "tools/cli/terminal/output_stream.h"

/* Print the help of a command, or (NULL) of the whole program. */
MUST_USE bool help_print(const struct command *command,
                         struct output_stream *out, struct err *err);

/* "LOCAL... REMOTE", the operands after the options. */
void help_operands(const struct command *command, struct buf *text);

/* "-s, --device SERIAL" */
void help_option_name(const struct option *option, struct buf *text);

/* Rows that help and the manual page both have. */
extern const struct example help_exit_codes[];
extern const size_t help_exit_code_count;
extern const struct example help_environment[];
extern const size_t help_environment_count;

#endif
