/*
 * Builds a line of text of bounded length. A piece that does not fit is left
 * out as a whole.
 */
#ifndef PROCESS_PROVIDER_TEXT_LINE_BUILDER_H
#define PROCESS_PROVIDER_TEXT_LINE_BUILDER_H

#include <stddef.h>

#include "base/macros.h"

#define LINE_BUILDER_MAX 640 /* with its NUL */

struct line_builder {
    char *text; /* the caller's, of LINE_BUILDER_MAX */
    size_t length;
};

PRINTF_LIKE(2, 3)
void line_builder_add(struct line_builder *line, const char *fmt, ...);

#endif
