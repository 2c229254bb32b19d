#include "tools/phone/adbd/shell_server.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/shell/sh_parse.h"
#include "tools/phone/adbd/shell_session.h"
#include "tools/phone/shell/sh.h"

/* The options of a shell, from the service's name. */
struct shell_request {
    bool v2;
    bool pty;
    char term[64];
    const char *command;
};

void shell_server_init(struct shell_server *server, struct handset *handset,
                       const struct command_family *families,
                       size_t family_count)
{
    *server = (struct shell_server){
        .files = handset->files,
        .processes = &handset->processes,
        .clock = &handset->clock,
        .dialect = sh_dialect_of(handset->android),
        .families = families,
        .family_count = family_count,
        .memory_account = MEMORY_ACCOUNT_INIT(SHELL_SERVER_MEMORY),
    };
}

/* One of the options between "shell," and ":". */
static void read_word(struct shell_request *request, const char *word,
                      size_t length)
{
    if (length == 2 && !memcmp(word, "v2", 2))
        request->v2 = true;
    else if (length == 3 && !memcmp(word, "pty", 3))
        request->pty = true;
    else if (length == 3 && !memcmp(word, "raw", 3))
        request->pty = false;
    else if (length > 5 && !memcmp(word, "TERM=", 5))
        snprintf(request->term, sizeof(request->term), "%.*s",
                 (int)(length - 5), word + 5);
}

/* ":command" or ",v2,TERM=x,raw:command". */
static bool read_request(const char *argument, struct shell_request *request)
{
    const char *colon = strchr(argument, ':');

    if (!colon || (*argument != ':' && *argument != ','))
        return false;
    *request = (struct shell_request){
        .pty = !colon[1],
        .term = "dumb",
        .command = colon + 1,
    };
    while (argument < colon) {
        size_t length = strcspn(++argument, ",:");

        read_word(request, argument, length);
        argument += length;
    }
    return true;
}

/* ---- shells ---- */

static struct sh *open_shell(struct shell_server *server,
                             struct phone_shell_session *talk,
                             const struct shell_request *request)
{
    const struct sh_options options = {
        .files = server->files,
        .families = server->families,
        .family_count = server->family_count,
        .processes = server->processes,
        .clock = server->clock,
        .dialect = server->dialect,
        .terminal = request->pty,
        .command = request->command,
        .memory_account = &server->memory_account,
        .io = &talk->io,
    };
    struct sh *shell = sh_open(&options);

    sh_export(shell, "TERM", request->term);
    return shell;
}

static void print_prompt(struct sh *shell, struct phone_shell_session *talk,
                         bool more)
{
    char prompt[FILES_PATH_MAX + 16];

    if (!talk->pty)
        return;
    if (more)
        snprintf(prompt, sizeof(prompt), "> ");
    else
        snprintf(prompt, sizeof(prompt), "phone:%s $ ", sh_directory(shell));
    shell_session_print(talk, prompt);
}

/* Append a line to text, and run it once it is complete. */
static int run_line(struct sh *shell, struct buf *text, const struct buf *line,
                    bool *incomplete)
{
    int status;

    buf_append(text, buf_cstr(line), line->length);
    /* A text that does not fit is refused as a whole. */
    if (line->overflow || text->overflow)
        status = sh_run(shell, "", SIZE_MAX, incomplete);
    else
        status = sh_run(shell, buf_cstr(text), text->length, incomplete);
    if (!*incomplete)
        buf_clear(text);
    return status;
}

/* Run line by line, until the input ends or the shell exits. */
static int run_lines(struct sh *shell, struct phone_shell_session *talk)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    struct buf line = BUF_INIT(SH_TEXT_MAX);
    bool incomplete = false;
    bool ended = false;
    int status = 0;

    while (!ended && shell_session_resume(talk) && !sh_has_exited(shell)) {
        print_prompt(shell, talk, incomplete);
        switch (shell_session_line(talk, &line)) {
        case SHELL_SESSION_LINE:
            status = run_line(shell, &text, &line, &incomplete);
            break;
        case SHELL_SESSION_STOPPED:
            buf_clear(&text);
            incomplete = false;
            status = SH_STATUS_STOPPED;
            break;
        case SHELL_SESSION_END:
            ended = true;
            break;
        }
    }
    if (incomplete)
        status = sh_run(shell, text.data, text.length, NULL);
    buf_release(&text);
    buf_release(&line);
    return status;
}

static void run(struct shell_server *server, struct phone_shell_session *talk,
                const struct shell_request *request)
{
    struct sh *shell = open_shell(server, talk, request);
    const char *command = request->command;
    int status = *command ? sh_run(shell, command, strlen(command), NULL)
                          : run_lines(shell, talk);

    if (*command || sh_has_exited(shell))
        status = sh_finish(shell);
    sh_close(shell);
    shell_session_end(talk, status);
}

static void serve(struct shell_server *server,
                  const struct shell_request *request, struct stream *stream)
{
    struct phone_shell_session talk;

    shell_session_init(&talk, stream, request->v2, request->pty);
    if (atomic_fetch_add(&server->shells, 1) < SHELL_SERVER_SHELLS_MAX) {
        run(server, &talk, request);
    } else {
        shell_session_print(&talk, SH_NAME ": too many shells\n");
        shell_session_end(&talk, 1);
    }
    atomic_fetch_sub(&server->shells, 1);
    shell_session_release(&talk);
}

void shell_server_shell(void *context, const char *argument,
                        struct stream *stream, struct conn *conn)
{
    struct shell_request request;

    (void)conn;
    if (read_request(argument, &request))
        serve(context, &request, stream);
}

/* Before Android 7 everything ran in a terminal, without an exit status. */
void shell_server_shell_v1(void *context, const char *argument,
                           struct stream *stream, struct conn *conn)
{
    const struct shell_request request = {
        .pty = true, .term = "dumb", .command = argument};

    (void)conn;
    serve(context, &request, stream);
}

void shell_server_exec(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    const struct shell_request request = {.term = "dumb", .command = argument};

    (void)conn;
    serve(context, &request, stream);
}
