#include "runner/doors/output_log.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* A part of a line that is kept back, as a secret may continue in the next. */
#define SECRET_MAX ((size_t)4 << 10)

bool output_log_open(struct output_log *log, const char *path,
                     struct secret_mask *mask, struct err *err)
{
    *log = (struct output_log){
        .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
        .mask = mask,
        .line = BUF_INIT(OUTPUT_LOG_LINE_MAX),
        .last = BUF_INIT(OUTPUT_LOG_LINE_MAX),
        .error = ERR_INIT,
    };
    return log->fd >= 0 || err_errno(err, errno, "open %s", path);
}

static void write_out(struct output_log *log, const char *data, size_t length)
{
    int64_t room = OUTPUT_LOG_MAX - log->written;
    size_t taken = (int64_t)length < room ? length : (size_t)room;

    log->left_out += (int64_t)(length - taken);
    log->written += (int64_t)taken;
    if (log->error.code == ERR_NONE)
        (void)!file_write(log->fd, data, taken, &log->error);
}

static bool has_text(const char *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isspace((unsigned char)data[i]))
            return true;
    }
    return false;
}

/* Write the first length bytes of the line. */
static void flush(struct output_log *log, size_t length)
{
    secret_mask_buf(log->mask, &log->line);
    write_out(log, log->line.data, length);
    if (has_text(log->line.data, length)) {
        buf_clear(&log->last);
        buf_append(&log->last, log->line.data, length);
    }
    buf_consume(&log->line, length);
}

void output_log_add(struct output_log *log, const char *data, size_t length)
{
    while (length) {
        const char *newline = memchr(data, '\n', length);
        size_t taken = newline ? (size_t)(newline - data) + 1 : length;
        size_t room = log->line.limit - log->line.length;

        if (taken > room) {
            taken = room;
            newline = NULL;
        }
        buf_append(&log->line, data, taken);
        data += taken;
        length -= taken;
        if (newline)
            flush(log, log->line.length);
        else if (log->line.length == log->line.limit)
            flush(log, log->line.length - SECRET_MAX);
    }
}

bool output_log_end(struct output_log *log, struct err *err)
{
    if (log->line.length)
        flush(log, log->line.length);
    if (log->left_out && log->error.code == ERR_NONE &&
        dprintf(log->fd, "\n[%" PRId64 " more bytes are left out]\n",
                log->left_out) < 0)
        err_errno(&log->error, errno, "write");
    close(log->fd);
    log->fd = -1;
    if (log->error.code == ERR_NONE)
        return true;
    *err = log->error;
    return false;
}

void output_log_release(struct output_log *log)
{
    buf_release(&log->line);
    buf_release(&log->last);
}
