/*
 * The emulator's console: lines of commands in, their answers out. Who has not
 * told the token yet can do nothing. console_server.h puts it on a port.
 *
 *     power capacity 30
 *     OK
 *     power capacity much
 *     KO: Usage: "capacity <percentage>"
 */
#ifndef PHONE_CONSOLE_H
#define PHONE_CONSOLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/album.h"
#include "tools/phone/handset.h"
#include "tools/phone/input_devices.h"
#include "tools/phone/screen.h"

#define CONSOLE_LINE_MAX ((size_t)1024)
#define CONSOLE_REPLY_MAX ((size_t)256 * 1024)
#define CONSOLE_TOKEN_SIZE 65

/* Wrong tokens, after which the client may go. */
#define CONSOLE_TRIES_MAX 5

/* Everything is borrowed. */
struct console {
    struct handset *handset;
    struct screen *screen;
    struct input_devices *input;
    struct album *album;
    const char *token_path;         /* where clients find the token */
    char token[CONSOLE_TOKEN_SIZE]; /* "": nobody is asked for it */
    void (*kill)(void *context);    /* the phone is to be switched off */
    void *kill_context;
};

/* One client's. Zeros are a new one. */
struct console_session {
    bool trusted;
    unsigned tries;
    bool ended; /* hang up when the reply is sent */
};

/*
 * Read the token from a file, or make one and put it there, for the owner
 * alone. An empty file asks nobody for a token. Fails with ERR_INVALID for a
 * file that others may read, or whose token is too long.
 */
MUST_USE bool console_read_token(struct console *console, const char *path,
                                 struct err *err);

/* Append what a new client is told. */
void console_greet(const struct console *console,
                   struct console_session *session, struct buf *reply);

/* Do what a line says, and append the answer. line is changed. */
void console_run(const struct console *console, struct console_session *session,
                 char *line, struct buf *reply);

#endif
