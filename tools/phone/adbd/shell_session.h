/*
 * Translates between a shell and a host's stream: the shell's input and output
 * on one side, adb's packets or raw bytes on the other.
 *
 * Output is buffered for a short time, and sent before the shell waits. The
 * waiting thread reads input, ^C, and the end of the stream.
 */
#ifndef TOOLS_PHONE_ADBD_SHELL_SESSION_H
#define TOOLS_PHONE_ADBD_SHELL_SESSION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adb/connection/stream.h"
#include "base/buf.h"
#include "tools/phone/adbd/shell_packets.h"
#include "tools/phone/shell/sh.h"
#include "tools/phone/shell/tty.h"

struct phone_shell_session {
    struct sh_io io;
    struct stream *stream; /* borrowed */
    bool v2;
    bool pty;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool receiving; /* a thread is reading the stream */
    struct buf input;
    bool
        ended; /* the input has ended; with a terminal, until it was reported */
    bool interrupted; /* ^C */
    bool gone;        /* the host has disconnected */

    /* Used by the receiving thread only. */
    struct shell_packets feed;
    struct phone_tty tty;

    pthread_mutex_t out_lock; /* guards what follows, and writing */
    struct buf out;
    enum sh_side side; /* limit of out */
    int64_t out_since; /* time of the first byte in out */
    struct buf packet;
};

void shell_session_init(struct phone_shell_session *talk, struct stream *stream,
                        bool v2, bool pty);
void shell_session_release(struct phone_shell_session *talk);

/* Print a message of the shell itself. */
void shell_session_print(struct phone_shell_session *talk, const char *text);

enum shell_session_result {
    SHELL_SESSION_LINE,
    SHELL_SESSION_STOPPED, /* by ^C, or because the host disconnected */
    SHELL_SESSION_END,
};

/* Read one line of input, with its newline if it has one, into line. */
enum shell_session_result shell_session_line(struct phone_shell_session *talk,
                                             struct buf *line);

/* Clear a handled ^C. False if the host has disconnected. */
MUST_USE bool shell_session_resume(struct phone_shell_session *talk);

/* Send the buffered output, and the exit status if the protocol has one. */
void shell_session_end(struct phone_shell_session *talk, int status);

#endif
