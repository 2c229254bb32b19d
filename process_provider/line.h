/* A line of words under construction. What does not fit is left out whole. */
#ifndef PROCESS_PROVIDER_LINE_H
#define PROCESS_PROVIDER_LINE_H

#include <stddef.h>

#include "base/macros.h"

#define LINE_MAX_BYTES 640 /* with its NUL */

struct line {
    char *text; /* the caller's, of LINE_MAX_BYTES */
    size_t length;
};

PRINTF_LIKE(2, 3)
void line_add(struct line *line, const char *fmt, ...);

#endif
