/*
 * The emulator's console: takes lines of commands and appends the replies. A
 * client must send the token first. console_server.h serves it on a port.
 *
 *     power capacity 30
 *     OK
 *     power capacity much
 *     KO: Usage: "capacity <percentage>"
 */
#ifndef TOOLS_PHONE_CONSOLE_CONSOLE_H
#define TOOLS_PHONE_CONSOLE_CONSOLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/secret_token.h"
#include "tools/phone/core/snapshot_store.h"
#include "tools/phone/screen/input_devices.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/system/handset.h"

#define CONSOLE_LINE_MAX ((size_t)1024)
#define CONSOLE_REPLY_MAX ((size_t)256 * 1024)

/* After this many wrong tokens the client is disconnected. */
#define CONSOLE_TRIES_MAX 5

/* Everything is borrowed. */
struct phone_console {
    struct handset *handset;
    struct phone_screen *screen;
    struct input_devices *input;
    struct snapshot_store *snapshot_store;
    const char *token_path;      /* path of the token file, for clients */
    struct secret_token token;   /* "": no token is needed */
    void (*kill)(void *context); /* the phone must switch off */
    void *kill_context;
};

/* The state of one client. Zeros are a new one. */
struct console_session {
    bool trusted;
    unsigned tries;
    bool ended; /* disconnect when the reply is sent */
};

/* Read the token from a file, or make one: see secret_token_load. */
MUST_USE bool console_read_token(struct phone_console *console,
                                 const char *path, struct err *err);

/* Append the greeting of a new client. */
void console_greet(const struct phone_console *console,
                   struct console_session *session, struct buf *reply);

/* Execute a line, and append the reply. Modifies line. */
void console_run(const struct phone_console *console,
                 struct console_session *session, char *line,
                 struct buf *reply);

#endif
