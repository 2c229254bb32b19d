#include "process_provider/line.h"

#include <stdarg.h>
#include <stdio.h>

void line_add(struct line *line, const char *fmt, ...)
{
    size_t room = LINE_MAX_BYTES - line->length;
    va_list args;
    int wanted;

    va_start(args, fmt);
    wanted = vsnprintf(line->text + line->length, room, fmt, args);
    va_end(args);
    if (wanted > 0 && (size_t)wanted < room)
        line->length += (size_t)wanted;
    line->text[line->length] = '\0';
}
