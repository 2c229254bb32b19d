#include "base/csv.h"

#include <string.h>

#include "base/utf8.h"

void csv_text(struct buf *csv, const char *text)
{
    struct buf clean = BUF_INIT(SIZE_MAX);

    buf_byte(csv, '"');
    if (*text && strchr("=+-@\t\r", *text))
        buf_byte(csv, '\'');
    utf8_repair(text, strlen(text), &clean);
    for (size_t i = 0; i < clean.length; i++) {
        if (clean.data[i] == '"')
            buf_byte(csv, '"');
        buf_byte(csv, clean.data[i]);
    }
    buf_byte(csv, '"');
    buf_release(&clean);
}
