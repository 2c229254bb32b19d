#include "runner/agents/line_input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define READ_MAX ((size_t)4096)

void line_input_release(struct line_input *input)
{
    buf_release(&input->typed);
}

/* Read what is there; blocks if there is nothing. */
static bool read_more(struct line_input *input, struct err *err)
{
    char *room = buf_reserve(&input->typed, READ_MAX);
    ssize_t got;

    if (!room)
        return err_set(err, ERR_LIMIT, "the line is too long");
    got = read(input->fd, room, READ_MAX);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        return err_errno(err, errno, "read from the terminal");
    input->ended = got == 0;
    buf_commit(&input->typed, got > 0 ? (size_t)got : 0);
    return true;
}

/* Take a complete line out of the input; NULL: there is none. */
static char *take_line(struct line_input *input)
{
    const char *end = input->typed.length
                          ? memchr(input->typed.data, '\n', input->typed.length)
                          : NULL;
    size_t length = end ? (size_t)(end - input->typed.data) : 0;
    char *line;

    if (!end)
        return NULL;
    line = mem_dup_n(input->typed.data, length);
    buf_consume(&input->typed, length + 1);
    return line;
}

bool line_input_next(struct line_input *input, struct deadline by,
                     const struct cancel *cancel, char **line, struct err *err)
{
    while (!(*line = take_line(input)) && !input->ended) {
        struct pollfd fds[] = {
            {.fd = input->fd, .events = POLLIN},
            {.fd = cancel_fd(cancel), .events = POLLIN},
        };

        if (poll(fds, 2, deadline_left_ms(by)) == 0)
            return err_set(err, ERR_TIMEOUT, "no line was typed in time");
        if (fds[1].revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (!read_more(input, err))
            return false;
    }
    return true;
}

bool line_input_poll(struct line_input *input, char **line, struct err *err)
{
    struct pollfd fd = {.fd = input->fd, .events = POLLIN};

    while (!(*line = take_line(input)) && !input->ended) {
        if (poll(&fd, 1, 0) <= 0)
            return true;
        if (!read_more(input, err))
            return false;
    }
    return true;
}
