/* Commands on the device: shell v2 where it is known, v1 otherwise. */
#ifndef ADB_SHELL_H
#define ADB_SHELL_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"
#include "base/buf.h"

/* What a command did. */
struct shell_result {
    struct buf out;    /* released by the caller */
    struct buf errors; /* empty with v1, which mixes both into out */
    int status;        /* exit status; -1 with v1, which does not tell */
};

void shell_result_release(struct shell_result *result);

/* The first line that it said, rather of its errors than of its output. */
void shell_result_words(const struct shell_result *result, char *words,
                        size_t size);

/*
 * Run one command and collect what it prints, at most limit bytes a side
 * (ERR_LIMIT beyond). Bytes arrive as the device sent them. The command's
 * input stays open and empty: one that reads it waits until by passes.
 * On failure result is untouched.
 */
MUST_USE bool shell_run(struct device *device, const char *command,
                        size_t limit, struct deadline by,
                        struct shell_result *result, struct err *err);

/*
 * The exec: service: stdout alone, binary-clean on every device, no status.
 * What the command prints is appended to output, whose memory is reused;
 * ERR_LIMIT when it does not hold all of it. On failure output is as before.
 */
MUST_USE bool shell_exec(struct device *device, const char *command,
                         struct deadline by, struct buf *output,
                         struct err *err);

/* The same as a stream, which also takes the command's standard input. */
MUST_USE bool shell_exec_open(struct device *device, const char *command,
                              struct deadline by, struct stream **stream,
                              struct err *err);

/* What arrives in a shell session. */
enum shell_event_kind {
    SHELL_OUT,
    SHELL_ERRORS,
    SHELL_EXIT,
};

struct shell_event {
    enum shell_event_kind kind;
    const char *data; /* borrowed until the next call; OUT and ERRORS */
    size_t length;
    int status; /* EXIT; -1 when the device did not tell */
};

/* How a session begins. */
struct shell_options {
    const char *command; /* NULL or "": an interactive shell */
    bool pty;            /* a terminal on the device's side */
    const char *term;    /* TERM there; NULL: not told */
};

struct shell;

/*
 * Start a session. One thread may read it (shell_next) while another writes
 * (shell_write, shell_end_input, shell_resize); shell_interrupt may come from
 * any thread; shell_close only when no other call is under way.
 */
MUST_USE bool shell_open(struct device *device,
                         const struct shell_options *options,
                         struct deadline by, struct shell **shell,
                         struct err *err);
void shell_close(struct shell *shell);
void shell_interrupt(struct shell *shell); /* see stream_interrupt */

/*
 * The next piece; EXIT comes once, last. Fails with ERR_CLOSED when the device
 * ends a v2 session without a status, and with ERR_PROTOCOL when it sends
 * packets that make no sense.
 */
MUST_USE bool shell_next(struct shell *shell, struct deadline by,
                         struct shell_event *event, struct err *err);

/* Feed its standard input; end it (v1 cannot: ERR_UNSUPPORTED). */
MUST_USE bool shell_write(struct shell *shell, const void *data, size_t size,
                          struct deadline by, struct err *err);
MUST_USE bool shell_end_input(struct shell *shell, struct deadline by,
                              struct err *err);

/* Tell the terminal's size; nothing is done with v1. */
MUST_USE bool shell_resize(struct shell *shell, unsigned rows, unsigned columns,
                           struct deadline by, struct err *err);

/*
 * Quote text so that the device's shell takes it as one word, whatever bytes
 * it holds. The only way foreign text may enter a command.
 */
void shell_quote(struct buf *command, const char *text);

#endif
