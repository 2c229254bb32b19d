/*
 * What a shell and a host say to each other through one stream: the shell's
 * input and output on one side, adb's forms of them on the other.
 *
 * Output is gathered a little, and on its way before anybody waits. Input is
 * read by whoever waits for it; so is ^C, and the end of the stream.
 */
#ifndef PHONE_SHELL_TALK_H
#define PHONE_SHELL_TALK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adb/stream.h"
#include "base/buf.h"
#include "tools/phone/sh.h"
#include "tools/phone/shell_feed.h"
#include "tools/phone/tty.h"

struct shell_talk {
    struct sh_io io;
    struct stream *stream; /* borrowed */
    bool v2;
    bool pty;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool receiving; /* some thread reads the stream */
    struct buf input;
    bool ended;       /* no more input; with a terminal, until it is noticed */
    bool interrupted; /* ^C */
    bool gone;        /* the host, for good */

    /* Of the thread that receives. */
    struct shell_feed feed;
    struct tty tty;

    pthread_mutex_t out_lock; /* guards what follows, and writing */
    struct buf out;
    enum sh_side side; /* of out */
    int64_t out_since; /* when the first byte of out came */
    struct buf packet;
};

void shell_talk_init(struct shell_talk *talk, struct stream *stream, bool v2,
                     bool pty);
void shell_talk_release(struct shell_talk *talk);

/* Print, as the shell itself. */
void shell_talk_print(struct shell_talk *talk, const char *text);

enum shell_talk_result {
    SHELL_TALK_LINE,
    SHELL_TALK_STOPPED, /* by ^C, or because the host is gone */
    SHELL_TALK_END,
};

/* One line of input, with its newline if it has one, in place of line's. */
enum shell_talk_result shell_talk_line(struct shell_talk *talk,
                                       struct buf *line);

/* Forget a ^C that was dealt with. False when the host is gone. */
MUST_USE bool shell_talk_resume(struct shell_talk *talk);

/* Send what is left, and the status where the host can take it. */
void shell_talk_end(struct shell_talk *talk, int status);

#endif
