#include "tools/cli/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_write.h"

/* A directory of a million files is the most there is to tell. */
#define JSON_LIMIT ((size_t)512 * 1024 * 1024)

/* Wait until a pipe has room, without being deaf to an interrupt. */
static bool wait_for_room(struct output *output, struct err *err)
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

static bool is_file(int fd)
{
    struct stat stat;

    return !fstat(fd, &stat) && S_ISREG(stat.st_mode);
}

static bool write_error(struct output *output, struct err *err)
{
    if (errno != EPIPE)
        return err_errno(err, errno, "writing the output");
    output->deserted = true;
    return err_set(err, ERR_CLOSED, "nobody reads the output any more");
}

bool output_write(struct output *output, const void *data, size_t size,
                  struct err *err)
{
    const char *at = data;
    /* A pipe that polls as writable takes this much without blocking. */
    size_t most = is_file(output->fd) ? size : PIPE_BUF;

    while (size) {
        ssize_t written;

        if (!wait_for_room(output, err))
            return false;
        written = write(output->fd, at, size < most ? size : most);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return write_error(output, err);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
        }
    }
    return true;
}

bool output_buf(struct output *output, const struct buf *text, struct err *err)
{
    if (text->overflow)
        return err_set(err, ERR_LIMIT, "there is more to print than fits");
    return output_write(output, text->data, text->length, err);
}

bool output_json(struct output *output, const struct cJSON *tree,
                 struct err *err)
{
    struct buf text = BUF_INIT(JSON_LIMIT);
    bool done;

    json_format(tree, &text);
    buf_byte(&text, '\n');
    done = output_buf(output, &text, err);
    buf_release(&text);
    return done;
}
