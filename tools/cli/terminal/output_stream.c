#include "tools/cli/terminal/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_write.h"

/* A directory of a million files is the most there is to tell. */
#define JSON_LIMIT ((size_t)512 * 1024 * 1024)

/*
 * The same pipe, but as an open file of our own: making that one non-blocking
 * does not change the pipe for other writers.
 */
static int open_again(int fd)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

void output_stream_init(struct output_stream *output, int fd,
                        const struct cancel *cancel)
{
    struct stat stat;
    int again = -1;

    /* What polls as writable takes PIPE_BUF bytes without blocking. */
    *output =
        (struct output_stream){.fd = fd, .piece = PIPE_BUF, .cancel = cancel};
    if (fstat(fd, &stat))
        return;
    if (S_ISFIFO(stat.st_mode))
        again = open_again(fd);
    if (again >= 0) {
        output->fd = again;
        output->owned = true;
    }
    if (output->owned || S_ISREG(stat.st_mode))
        output->piece = SIZE_MAX;
}

void output_stream_release(struct output_stream *output)
{
    if (output->owned)
        close(output->fd);
    output->owned = false;
    output->fd = -1;
}

/* Wait until a pipe has room, without being deaf to an interrupt. */
static bool wait_for_room(struct output_stream *output, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = output->fd, .events = POLLOUT},
        {.fd = cancel_fd(output->cancel), .events = POLLIN},
    };

    while (poll(fds, 2, -1) < 0) {
        if (errno != EINTR)
            return err_errno(err, errno, "waiting to write");
    }
    if (fds[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    return true;
}

static bool write_error(struct output_stream *output, struct err *err)
{
    if (errno != EPIPE)
        return err_errno(err, errno, "writing the output");
    output->reader_gone = true;
    return err_set(err, ERR_CLOSED, "the reader of the output has closed it");
}

bool output_stream_write(struct output_stream *output, const void *data,
                         size_t size, struct err *err)
{
    const char *at = data;

    while (size) {
        ssize_t written;

        if (!wait_for_room(output, err))
            return false;
        written =
            write(output->fd, at, size < output->piece ? size : output->piece);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return write_error(output, err);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        }
    }
    return true;
}

bool output_stream_buf(struct output_stream *output, const struct buf *text,
                       struct err *err)
{
    if (text->overflow)
        return err_set(err, ERR_LIMIT, "the output is too large");
    return output_stream_write(output, text->data, text->length, err);
}

bool output_stream_json(struct output_stream *output, const struct cJSON *tree,
                        struct err *err)
{
    struct buf text = BUF_INIT(JSON_LIMIT);
    bool done;

    json_format(tree, &text);
    buf_byte(&text, '\n');
    done = output_stream_buf(output, &text, err);
    buf_release(&text);
    return done;
}
