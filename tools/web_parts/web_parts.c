#include "tools/web_parts/web_parts.h"

#include <stdbool.h>
#include <string.h>

static bool is_import(const char *line, size_t length)
{
    static const char word[] = "import ";

    return length >= sizeof(word) - 1 && !memcmp(line, word, sizeof(word) - 1);
}

void web_parts_inline_script(struct buf *script,
                             const struct embedded_file *file)
{
    const char *line = file->text, *end = file->text + file->length;

    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));

        next = next ? next + 1 : end;
        if (!is_import(line, (size_t)(next - line)))
            buf_append(script, line, (size_t)(next - line));
        line = next;
    }
}
