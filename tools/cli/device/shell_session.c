#include "tools/cli/device/shell_session.h"

#include <unistd.h>

#include "tools/cli/device/stdin_forwarder.h"
#include "tools/cli/terminal/terminal_mode.h"

/* Print what arrives until the shell ends. */
static bool show(const struct shell_session *session,
                 struct output_stream *errors, int *status, struct err *err)
{
    struct shell_event event;

    while (shell_next(session->shell, session->by, &event, err)) {
        switch (event.kind) {
        case SHELL_OUT:
            if (!output_stream_write(session->out, event.data, event.length,
                                     err))
                return false;
            break;
        case SHELL_ERRORS:
            if (!output_stream_write(errors, event.data, event.length, err))
                return false;
            break;
        case SHELL_EXIT:
            *status = event.status;
            return true;
        }
    }
    return false;
}

static bool feed_write(void *context, const void *data, size_t size,
                       struct deadline by, struct err *err)
{
    return shell_write(context, data, size, by, err);
}

static void feed_end(void *context, struct deadline by)
{
    struct err err;
    bool ended = shell_end_input(context, by, &err);

    (void)ended; /* the reading thread notices a phone that is gone */
}

static void feed_resize(void *context, unsigned rows, unsigned columns,
                        struct deadline by)
{
    struct err err;
    bool resized = shell_resize(context, rows, columns, by, &err);

    (void)resized; /* the reading thread notices a lost phone */
}

static void feed_interrupt(void *context)
{
    shell_interrupt(context);
}

/* The phone's pty has the user's terminal for as long as the session runs. */
bool shell_session_run(const struct shell_session *session, int *status,
                       struct err *err)
{
    struct terminal_mode saved = TERMINAL_MODE_INIT;
    struct output_stream errors;
    struct stdin_forwarder stdin_forwarder = {
        .sink = {.context = session->shell,
                 .write = feed_write,
                 .end = feed_end,
                 .resize = feed_resize,
                 .interrupt = feed_interrupt},
        .fd = session->no_input ? -1 : STDIN_FILENO,
        .terminal = session->terminal,
        .by = session->by,
    };
    bool done;

    if (session->terminal && !terminal_mode_make_raw(&saved, STDIN_FILENO, err))
        return false;
    output_stream_init(&errors, STDERR_FILENO, session->cancel);
    done = stdin_forwarder_start(&stdin_forwarder, err);
    if (done) {
        done = show(session, &errors, status, err);
        stdin_forwarder_stop(&stdin_forwarder);
    }
    output_stream_release(&errors);
    terminal_mode_restore(&saved);
    return done;
}
