/* Scripts that let a shell complete our command lines, from the tables. */
#ifndef TOOLS_CLI_COMPLETION_H
#define TOOLS_CLI_COMPLETION_H

#include "base/buf.h"

void completion_bash(struct buf *script);
void completion_zsh(struct buf *script);
void completion_fish(struct buf *script);

#endif
