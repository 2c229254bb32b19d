/* The manual page proctor(1), made from the tables. */
#ifndef TOOLS_CLI_MAN_H
#define TOOLS_CLI_MAN_H

#include "base/buf.h"

/* The whole page, in mdoc. */
void man_page(struct buf *text);

#endif
