#include "tools/selftest/trace.h"

#include <errno.h>

/* Under the FILE's own lock. What is too much is dropped without a word. */
static ssize_t append(void *cookie, const char *data, size_t size)
{
    struct trace *trace = cookie;

    buf_append(&trace->text, data, size);
    return (ssize_t)size;
}

bool trace_open(struct trace *trace, struct err *err)
{
    const cookie_io_functions_t functions = {.write = append};

    *trace = (struct trace){.text = BUF_INIT(TRACE_LIMIT)};
    trace->out = fopencookie(trace, "w", functions);
    if (!trace->out)
        return err_errno(err, errno, "keeping a trace");
    /* Line by line, so that a limit never cuts one in two. */
    setvbuf(trace->out, NULL, _IOLBF, BUFSIZ);
    return log_init(&trace->log, trace->out, "all", err);
}

void trace_finish(struct trace *trace)
{
    if (trace->out)
        fclose(trace->out);
    trace->out = NULL;
}

void trace_release(struct trace *trace)
{
    trace_finish(trace);
    buf_release(&trace->text);
}
