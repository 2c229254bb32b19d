#include "tools/device_checks/trace_buffer.h"

#include <errno.h>

/* Under the FILE's own lock. What exceeds the limit is dropped. */
static ssize_t append(void *cookie, const char *data, size_t size)
{
    struct trace_buffer *trace = cookie;

    buf_append(&trace->text, data, size);
    return (ssize_t)size;
}

bool trace_buffer_open(struct trace_buffer *trace, struct err *err)
{
    const cookie_io_functions_t functions = {.write = append};

    *trace = (struct trace_buffer){.text = BUF_INIT(TRACE_BUFFER_LIMIT)};
    trace->out = fopencookie(trace, "w", functions);
    if (!trace->out)
        return err_errno(err, errno, "keeping a trace");
    /* Line by line, so that a limit never cuts one in two. */
    setvbuf(trace->out, NULL, _IOLBF, BUFSIZ);
    return log_init(&trace->log, trace->out, "all", err);
}

void trace_buffer_finish(struct trace_buffer *trace)
{
    if (trace->out)
        fclose(trace->out);
    trace->out = NULL;
}

void trace_buffer_release(struct trace_buffer *trace)
{
    trace_buffer_finish(trace);
    buf_release(&trace->text);
}
