#include "adb/services/reverse_reply.h"

#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/transport/tcp.h"
#include "base/mem.h"

#define PORT_AT (strlen("OKAY") + STATUS_REPLY_DIGITS)

uint16_t reverse_reply_port(const struct buf *reply)
{
    uint16_t port = 0;

    if (reply->length > PORT_AT && tcp_parse_port(reply->data + PORT_AT, &port))
        return port;
    return 0;
}

static bool is_list(const struct buf *reply)
{
    size_t size;
    struct err ignored;

    return reply->length >= STATUS_REPLY_DIGITS &&
           status_reply_parse_hex4(reply->data, &size, &ignored) &&
           size == reply->length - STATUS_REPLY_DIGITS;
}

/* The line without its end; the local end is behind the last blank. */
static void rename_line(const char *line, size_t length,
                        reverse_reply_name_fn *name, void *context,
                        struct buf *lines)
{
    const char *blank = memrchr(line, ' ', length);
    size_t front = blank ? (size_t)(blank - line) + 1 : length;
    char *local = mem_dup_n(line + front, length - front);
    const char *shown = blank ? name(context, local) : NULL;

    buf_append(lines, line, front);
    buf_text(lines, shown ? shown : local);
    buf_byte(lines, '\n');
    free(local);
}

void reverse_reply_rename(const struct buf *reply, reverse_reply_name_fn *name,
                          void *context, struct buf *renamed)
{
    struct buf lines = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    const char *line, *end, *last;

    if (!is_list(reply)) {
        buf_append(renamed, reply->data, reply->length);
        return;
    }
    line = reply->data + STATUS_REPLY_DIGITS;
    last = reply->data + reply->length;
    while ((end = memchr(line, '\n', (size_t)(last - line)))) {
        rename_line(line, (size_t)(end - line), name, context, &lines);
        line = end + 1;
    }
    buf_append(&lines, line, (size_t)(last - line));
    if (lines.overflow) {
        buf_append(renamed, reply->data, reply->length);
    } else {
        buf_printf(renamed, "%04zx", lines.length);
        buf_append(renamed, buf_cstr(&lines), lines.length);
    }
    buf_release(&lines);
}
