/* The manual page proctor(1), made from the tables. */
#ifndef TOOLS_CLI_COMMAND_LINE_MAN_PAGE_H
#define TOOLS_CLI_COMMAND_LINE_MAN_PAGE_H

#include "base/buf.h"

/* The whole page, in mdoc. */
void man_page(struct buf *text);

#endif
