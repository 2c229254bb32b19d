#include "adb/services/shell_status.h"

#include <ctype.h>
#include <string.h>

#define MARKER_LENGTH (sizeof(SHELL_STATUS_MARKER) - 1)
#define DIGITS_MAX 3

void shell_status_put_command(struct buf *line, const char *command)
{
    /*
     * A blank, since "((" would start arithmetic; a line end because of
     * comments.
     */
    buf_printf(line, "( %s\n); echo " SHELL_STATUS_MARKER "$?", command);
}

/*
 * Parse a status line at the start of text. Returns false if text is something
 * else; *whole: the line is complete.
 */
static bool read_line(const char *text, size_t length,
                      struct shell_status *found, bool *whole)
{
    size_t at = length < MARKER_LENGTH ? length : MARKER_LENGTH;
    size_t digits = 0;

    *whole = false;
    *found = (struct shell_status){0};
    if (memcmp(text, SHELL_STATUS_MARKER, at) != 0)
        return false;
    for (;
         at < length && digits < DIGITS_MAX && isdigit((unsigned char)text[at]);
         at++, digits++)
        found->status = found->status * 10 + (text[at] - '0');
    if (at < length && digits && text[at] == '\r') {
        found->crlf = true;
        at++;
    }
    if (at < length && digits && text[at] == '\n') {
        *whole = true;
        at++;
    }
    found->size = at;
    return at == length;
}

size_t shell_status_held(const char *text, size_t length)
{
    size_t start = length > SHELL_STATUS_MAX ? length - SHELL_STATUS_MAX : 0;
    struct shell_status found;
    bool whole;

    for (; start < length; start++) {
        if (read_line(text + start, length - start, &found, &whole))
            return length - start;
    }
    return 0;
}

bool shell_status_parse(const char *text, size_t length,
                        struct shell_status *found)
{
    size_t held = shell_status_held(text, length);
    struct shell_status status;
    bool whole;

    if (!held || !read_line(text + length - held, held, &status, &whole) ||
        !whole)
        return false;
    *found = status;
    return true;
}
