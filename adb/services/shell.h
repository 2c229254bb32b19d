/* Commands on the device: by shell v2 if it is supported, otherwise by v1. */
#ifndef ADB_SERVICES_SHELL_H
#define ADB_SERVICES_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "base/buf.h"

/* The result of a command. */
struct shell_result {
    struct buf out;    /* released by the caller */
    struct buf errors; /* empty with v1, which mixes both into out */
    int status;        /* exit status; -1: unknown (v1, see shell_run) */
};

void shell_result_release(struct shell_result *result);

/*
 * Copy the first line of the command's errors, or of its output if there are
 * none.
 */
void shell_result_words(const struct shell_result *result, char *words,
                        size_t size);

/*
 * Run one command and collect its output, at most limit bytes each of stdout
 * and stderr (ERR_LIMIT beyond). The command's standard input stays open and
 * empty: a command that reads it waits until by passes.
 *
 * Shell v1 reports no status and runs the command on a terminal. There the
 * device's shell is asked to print the status behind a marker, which is
 * removed, and each CR LF is turned back into LF. The status is -1 if the
 * marker is missing, for example after a syntax error. On failure result is
 * unchanged.
 */
MUST_USE bool shell_run(struct device *device, const char *command,
                        size_t limit, struct deadline by,
                        struct shell_result *result, struct err *err);

/*
 * Run a command by the exec: service: stdout only, binary-safe, no status. On
 * Android before 5, which has no exec:, the shell: service is used and the
 * changes by its terminal are reversed; stderr is then part of the output. The
 * output is appended to output, whose memory is reused; ERR_LIMIT when it does
 * not fit. On failure output is unchanged.
 */
MUST_USE bool shell_exec(struct device *device, const char *command,
                         struct deadline by, struct buf *output,
                         struct err *err);

/*
 * The same as a stream, which also accepts the command's standard input (on
 * Android before 5 writing fails with ERR_UNSUPPORTED).
 */
MUST_USE bool shell_exec_open(struct device *device, const char *command,
                              struct deadline by, struct stream **stream,
                              struct err *err);

/* The kinds of events in a shell session. */
enum shell_event_kind {
    SHELL_OUT,
    SHELL_ERRORS,
    SHELL_EXIT,
};

struct shell_event {
    enum shell_event_kind kind;
    const char *data; /* borrowed until the next call; OUT and ERRORS */
    size_t length;
    int status; /* EXIT; -1: unknown */
};

/* Options of a session. */
struct shell_options {
    const char *command; /* NULL or "": an interactive shell */
    bool pty;            /* run it on a terminal of the device */
    const char *term;    /* TERM on the device; NULL: not set */
    bool status;         /* v1: ask for the status, as shell_run does */
};

struct shell;

/*
 * Start a session. One thread may read (shell_next) while another one writes
 * (shell_write, shell_end_input, shell_resize); shell_interrupt may be called
 * from any thread; shell_close only when no other call is running.
 */
MUST_USE bool shell_open(struct device *device,
                         const struct shell_options *options,
                         struct deadline by, struct shell **shell,
                         struct err *err);
void shell_close(struct shell *shell);
void shell_interrupt(struct shell *shell); /* see stream_interrupt */

/*
 * Wait for the next event; EXIT comes once, as the last one. Fails with
 * ERR_CLOSED when the device ends a v2 session without a status, and with
 * ERR_PROTOCOL when it sends invalid packets.
 */
MUST_USE bool shell_next(struct shell *shell, struct deadline by,
                         struct shell_event *event, struct err *err);

/*
 * Write to its standard input; end its standard input. With v1 the input is a
 * terminal: its end is sent as Ctrl-D, and control characters in data take
 * effect there.
 */
MUST_USE bool shell_write(struct shell *shell, const void *data, size_t size,
                          struct deadline by, struct err *err);
MUST_USE bool shell_end_input(struct shell *shell, struct deadline by,
                              struct err *err);

/* Set the size of the terminal; does nothing with v1. */
MUST_USE bool shell_resize(struct shell *shell, unsigned rows, unsigned columns,
                           struct deadline by, struct err *err);

/*
 * Quote text as one word for the device's shell, whatever bytes it contains.
 * Untrusted text in a command must be quoted with this.
 */
void shell_quote(struct buf *command, const char *text);

#endif
