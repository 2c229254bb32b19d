#include "tools/phone/console/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/name_table.h"
#include "tools/phone/console/console_private.h"

#define BLANKS " \t\r\n"

bool console_read_token(struct phone_console *console, const char *path,
                        struct err *err)
{
    console->token_path = path;
    return secret_token_load(&console->token, path, err);
}

/* ---- replies ---- */

char *console_word(struct console_call *call)
{
    char *word = call->rest;
    size_t length = strcspn(word, BLANKS);

    call->rest += length;
    if (*call->rest)
        *call->rest++ = '\0';
    call->rest += strspn(call->rest, BLANKS);
    return word;
}

bool console_fail(const struct console_call *call, const char *fmt, ...)
{
    char text[sizeof(call->err->text)];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    return err_set(call->err, ERR_INVALID, "%s", text);
}

void console_say(const struct console_call *call, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    buf_printf(call->reply, "%s\r\n", text);
}

void console_say_lines(const struct console_call *call, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            buf_byte(call->reply, '\r');
        buf_byte(call->reply, *text);
    }
}

/* ---- all commands ---- */

static bool ping(struct console_call *call)
{
    console_say(call, "I am alive!");
    return true;
}

static const struct console_command commands[] = {
    {"ping", "", "Check if the phone is alive", ping, NULL},
    {"avd", "", "Control the phone, and its snapshots", NULL, console_avd},
    {"event", "", "Simulate hardware events", NULL, console_event},
    {"fault", "", "Let things go wrong", NULL, console_fault},
    {"geo", "", "Say where the phone is", NULL, console_geo},
    {"network", "", "Say what its network is like", NULL, console_network},
    {"power", "", "Set its battery", NULL, console_power},
    {"rotate", "", "Turn it by a quarter", console_rotate, NULL},
    {"time", "", "Read its clock, and move it", NULL, console_time},
    {NULL, NULL, NULL, NULL, NULL},
};

static void list(const struct console_call *call,
                 const struct console_command *from, const char *prefix)
{
    for (; from->name; from++)
        console_say(call, "    %s%s%s%-*s %s", prefix, *prefix ? " " : "",
                    from->name, *prefix ? 12 : 20 - (int)strlen(from->name),
                    from->usage, from->help);
}

static const struct console_command *find(const struct console_command *from,
                                          const char *name)
{
    for (; from->name; from++) {
        if (!strcmp(from->name, name))
            return from;
    }
    return NULL;
}

static bool help(struct console_call *call)
{
    const char *name = console_word(call);
    const struct console_command *about = find(commands, name);

    if (!*name) {
        console_say(call, "Android console command help:\r\n");
        console_say(call, "    help|h|?             Print a list of commands");
        console_say(call, "    auth                 Tell the token");
        list(call, commands, "");
        console_say(call, "    kill                 Switch the phone off");
        console_say(call, "    quit|exit            Quit control session");
        console_say(call, "\r\ntry 'help <command>' for command-specific help");
        return true;
    }
    if (!about)
        return console_fail(call, "unknown command, try 'help'");
    console_say(call, "%s", about->help);
    if (about->inside)
        list(call, about->inside, about->name);
    return true;
}

static bool run_command(struct console_call *call, const char *name)
{
    const struct console_command *found = find(commands, name);

    if (!strcmp(name, "help") || !strcmp(name, "h") || !strcmp(name, "?"))
        return help(call);
    while (found && !found->run) {
        const struct console_command *outer = found;
        const char *sub = console_word(call);

        found = find(outer->inside, sub);
        if (found)
            continue;
        console_say(call, "available sub-commands:");
        list(call, outer->inside, outer->name);
        return console_fail(call,
                            *sub ? " bad sub-command" : "missing sub-command");
    }
    return found ? found->run(call)
                 : console_fail(call, "unknown command, try 'help'");
}

/* ---- sessions ---- */

static void end_line(const struct console_call *call, bool done)
{
    if (done)
        buf_text(call->reply, "OK\r\n");
    else
        buf_printf(call->reply, "KO: %s\r\n", call->err->text);
}

static void welcome(struct console_session *session, struct buf *reply)
{
    session->trusted = true;
    buf_text(reply, "Android Console: type 'help' for a list of commands\r\n"
                    "OK\r\n");
}

void console_greet(const struct phone_console *console,
                   struct console_session *session, struct buf *reply)
{
    if (!console->token.text[0]) {
        welcome(session, reply);
        return;
    }
    buf_printf(reply,
               "Android Console: Authentication required\r\n"
               "Android Console: type 'auth <auth_token>' to authenticate\r\n"
               "Android Console: you can find your <auth_token> in \r\n"
               "'%s'\r\nOK\r\n",
               console->token_path);
}

static void authenticate(struct console_call *call,
                         struct console_session *session)
{
    if (secret_token_equal(&call->console->token, console_word(call))) {
        welcome(session, call->reply);
        return;
    }
    session->ended = ++session->tries >= CONSOLE_TRIES_MAX;
    end_line(call, console_fail(call, "authentication token does not match %s",
                                call->console->token_path));
}

static void die(const struct console_call *call,
                struct console_session *session)
{
    buf_text(call->reply, "OK: killing emulator, bye bye\r\n");
    session->ended = true;
    call->console->kill(call->console->kill_context);
}

/* Commands that need no token. */
static bool is_open(const char *name)
{
    static const char *const names[] = {"help", "h", "?", "ping"};

    return NAME_TABLE_HAS(names, name);
}

void console_run(const struct phone_console *console,
                 struct console_session *session, char *line, struct buf *reply)
{
    struct err err = ERR_INIT;
    struct console_call call = {
        .console = console,
        .rest = line + strspn(line, BLANKS),
        .reply = reply,
        .err = &err,
    };
    const char *name = console_word(&call);

    if (!*name)
        return;
    if (!strcmp(name, "quit") || !strcmp(name, "exit"))
        session->ended = true;
    else if (!strcmp(name, "auth"))
        authenticate(&call, session);
    else if (!session->trusted && !is_open(name))
        end_line(&call, console_fail(&call, "unknown command, try 'help'"));
    else if (!strcmp(name, "kill"))
        die(&call, session);
    else
        end_line(&call, run_command(&call, name));
}
