/* Scripts that let a shell complete our command lines, from the tables. */
#ifndef TOOLS_CLI_COMMAND_LINE_COMPLETION_H
#define TOOLS_CLI_COMMAND_LINE_COMPLETION_H

#include <stdbool.h>

#include "base/buf.h"
#include "tools/cli/command_line/option.h"

void completion_bash(struct buf *script);
void completion_zsh(struct buf *script);
void completion_fish(struct buf *script);

/*
 * The command that prints the words to offer, one per line; the words of the
 * line so far are to stand behind it. NULL: there is none.
 */
const char *completion_source(enum option_completes completes);

/* Are files offered (too)? */
bool completion_has_files(enum option_completes completes);

#endif
