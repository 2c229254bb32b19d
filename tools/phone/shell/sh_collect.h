/* Runs one command line in a new shell, with its output in memory. */
#ifndef TOOLS_PHONE_SHELL_SH_COLLECT_H
#define TOOLS_PHONE_SHELL_SH_COLLECT_H

#include "base/buf.h"
#include "tools/phone/shell/sh.h"

/*
 * Run command with an empty input and return its status. Its output is appended
 * to out and errors; a command that prints more than they can hold is stopped,
 * and so is one that waits in real time. options->io and options->command are
 * ignored.
 */
int sh_collect(const struct sh_options *options, const char *command,
               struct buf *out, struct buf *errors);

#endif
