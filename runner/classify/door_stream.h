/* One service that an agent has opened, and what is known of it. */
#ifndef RUNNER_CLASSIFY_DOOR_STREAM_H
#define RUNNER_CLASSIFY_DOOR_STREAM_H

#include "runner/classify/door_http.h"
#include "runner/classify/door_output.h"
#include "runner/classify/door_scrcpy.h"
#include "runner/classify/door_shell.h"
#include "runner/classify/door_sync.h"

/* The protocol of the client's bytes. */
enum door_protocol {
    DOOR_NO_INPUT, /* they mean nothing: input of a program, video */
    DOOR_SHELL,    /* lines of commands */
    DOOR_SYNC,
    DOOR_SCRCPY, /* control messages */
    DOOR_HTTP,   /* requests, if they begin as such */
    DOOR_OTHER,  /* not understood: one raw item */
};

/* The framing of the phone's bytes. */
enum door_wrapping {
    DOOR_PLAIN,
    DOOR_SHELL_V2,
    DOOR_SYNC_REPLIES,
    DOOR_HTTP_REPLIES,
};

struct door_stream {
    struct door_classifier *classifier; /* borrowed */
    char *service;                      /* owned; shortened */
    enum door_protocol protocol;
    enum door_wrapping wrapping;
    bool pty;
    bool reported;      /* of OTHER: its raw item was added */
    struct buf pending; /* bytes of the client that are not complete */
    size_t skip;        /* bytes that are left of a packet or a body */

    /* Of DOOR_SHELL. */
    struct door_shell *shell; /* owned */
    struct buf line;          /* what was typed of a command */
    unsigned line_count;      /* how many lines that are */
    uint8_t packet;           /* of shell v2: what is in it */

    struct door_http *http;     /* owned; of DOOR_HTTP */
    struct door_scrcpy *scrcpy; /* owned; of DOOR_SCRCPY */
    struct door_sync *sync;     /* owned; of DOOR_SYNC */
    struct door_output output;  /* what is expected from the phone */
    struct buf out_header;      /* of shell v2: a packet that is not complete */
    size_t out_left;            /* bytes that are left of it */
    uint8_t out_packet;
};

/* ---- door_lines.c: the input of a shell, plain or in packets of v2 ---- */

void door_lines_input(struct door_stream *stream, const char *data,
                      size_t length, struct door_context *context);
void door_lines_end(struct door_stream *stream, struct door_context *context);

#endif
