#include "process_provider/text/line_builder.h"

#include <stdarg.h>
#include <stdio.h>

void line_builder_add(struct line_builder *line, const char *fmt, ...)
{
    size_t room = LINE_BUILDER_MAX - line->length;
    va_list args;
    int wanted;

    va_start(args, fmt);
    wanted = vsnprintf(line->text + line->length, room, fmt, args);
    va_end(args);
    if (wanted > 0 && (size_t)wanted < room)
        line->length += (size_t)wanted;
    line->text[line->length] = '\0';
}
