#include "tools/phone/shell/sh_pipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct sh_pipe {
    struct sh_turns *turns;
    const bool *stopped;
    struct buf data;
    bool read_closed;
    bool write_closed;
    struct pipe_in {
        struct sh_in in;
        struct sh_pipe *pipe;
    } in;
    struct pipe_out {
        struct sh_out out;
        struct sh_pipe *pipe;
    } out;
};

static void pipe_free_if_closed(struct sh_pipe *pipe)
{
    if (!pipe->read_closed || !pipe->write_closed)
        return;
    buf_release(&pipe->data);
    free(pipe);
}

static bool pipe_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    struct sh_pipe *pipe = ((struct pipe_in *)in)->pipe;

    while (!pipe->data.length && !pipe->write_closed && !*pipe->stopped)
        sh_turns_wait(pipe->turns, pipe);
    if (*pipe->stopped)
        return false;
    *got = size < pipe->data.length ? size : pipe->data.length;
    if (*got) {
        memcpy(data, pipe->data.data, *got);
        buf_consume(&pipe->data, *got);
        sh_turns_wake(pipe->turns, pipe);
    }
    return true;
}

static void pipe_close_read(struct sh_in *in)
{
    struct sh_pipe *pipe = ((struct pipe_in *)in)->pipe;

    pipe->read_closed = true;
    sh_turns_wake(pipe->turns, pipe);
    pipe_free_if_closed(pipe);
}

/* Write what fits, and wait while the pipe is full. */
static bool pipe_write(struct sh_out *out, const void *data, size_t size)
{
    struct sh_pipe *pipe = ((struct pipe_out *)out)->pipe;
    const char *next = data;

    while (size) {
        size_t room = SH_PIPE_SIZE - pipe->data.length;
        size_t part = size < room ? size : room;

        if (pipe->read_closed || *pipe->stopped)
            return false;
        if (!part) {
            sh_turns_wait(pipe->turns, pipe);
            continue;
        }
        buf_append(&pipe->data, next, part);
        sh_turns_wake(pipe->turns, pipe);
        next += part;
        size -= part;
    }
    return true;
}

static bool pipe_close_write(struct sh_out *out, int *number)
{
    struct sh_pipe *pipe = ((struct pipe_out *)out)->pipe;

    (void)number;
    pipe->write_closed = true;
    sh_turns_wake(pipe->turns, pipe);
    pipe_free_if_closed(pipe);
    return true;
}

void sh_pipe_new(struct sh_turns *turns, const bool *stopped, struct sh_in **in,
                 struct sh_out **out)
{
    struct sh_pipe *pipe = mem_new(1, sizeof(*pipe));

    *pipe = (struct sh_pipe){
        .turns = turns,
        .stopped = stopped,
        .data = BUF_INIT(SH_PIPE_SIZE),
        .in = {{pipe_read, pipe_close_read}, pipe},
        .out = {{pipe_write, pipe_close_write}, pipe},
    };
    *in = &pipe->in.in;
    *out = &pipe->out.out;
}
