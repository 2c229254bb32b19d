/* A shell on the phone with this program's input, output and terminal. */
#ifndef TOOLS_CLI_DEVICE_SHELL_SESSION_H
#define TOOLS_CLI_DEVICE_SHELL_SESSION_H

#include "adb/services/shell.h"
#include "tools/cli/terminal/output_stream.h"

struct shell_session {
    struct shell *shell;       /* borrowed */
    struct output_stream *out; /* borrowed */
    bool terminal;             /* standard input is one, for the phone's pty */
    bool no_input;             /* do not read standard input */
    const struct cancel *cancel; /* borrowed; may be NULL */
    struct deadline by;
};

/*
 * Copy in both directions until the shell ends. *status is its exit status, or
 * -1 if the phone does not report it. Blocks.
 */
MUST_USE bool shell_session_run(const struct shell_session *session,
                                int *status, struct err *err);

#endif
