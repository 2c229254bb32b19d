#include "tools/phone/shell_server.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/phone/sh.h"
#include "tools/phone/sh_parse.h"
#include "tools/phone/shell_talk.h"

/* What the host asks for, taken from the service's name. */
struct request {
    bool v2;
    bool pty;
    char term[64];
    const char *command;
};

void shell_server_init(struct shell_server *server, struct files *files,
                       const struct command_family *families,
                       size_t family_count)
{
    *server = (struct shell_server){
        .files = files,
        .families = families,
        .family_count = family_count,
        .account = ACCOUNT_INIT(SHELL_SERVER_MEMORY),
    };
}

/* One of the words between "shell," and ":". */
static void read_word(struct request *request, const char *word, size_t length)
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
static bool read_request(const char *argument, struct request *request)
{
    const char *colon = strchr(argument, ':');

    if (!colon || (*argument != ':' && *argument != ','))
        return false;
    *request = (struct request){
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
                             struct shell_talk *talk,
                             const struct request *request)
{
    const struct sh_options options = {
        .files = server->files,
        .families = server->families,
        .family_count = server->family_count,
        .account = &server->account,
        .io = &talk->io,
    };
    struct sh *shell = sh_open(&options);

    sh_export(shell, "TERM", request->term);
    return shell;
}

static void print_prompt(struct sh *shell, struct shell_talk *talk, bool more)
{
    char prompt[FILES_PATH_MAX + 16];

    if (!talk->pty)
        return;
    if (more)
        snprintf(prompt, sizeof(prompt), "> ");
    else
        snprintf(prompt, sizeof(prompt), "phone:%s $ ", sh_directory(shell));
    shell_talk_print(talk, prompt);
}

/* Add a line to text and do what that says, once it is complete. */
static int run_line(struct sh *shell, struct buf *text, const struct buf *line,
                    bool *incomplete)
{
    int status;

    buf_append(text, buf_cstr(line), line->length);
    /* What does not fit is refused as a whole: it is never cut. */
    if (line->overflow || text->overflow)
        status = sh_run(shell, "", SIZE_MAX, incomplete);
    else
        status = sh_run(shell, buf_cstr(text), text->length, incomplete);
    if (!*incomplete)
        buf_clear(text);
    return status;
}

/* Line by line, until the input ends or the shell is told to exit. */
static int run_lines(struct sh *shell, struct shell_talk *talk)
{
    struct buf text = BUF_INIT(SH_TEXT_MAX);
    struct buf line = BUF_INIT(SH_TEXT_MAX);
    bool incomplete = false;
    bool ended = false;
    int status = 0;

    while (!ended && shell_talk_resume(talk) && !sh_has_exited(shell)) {
        print_prompt(shell, talk, incomplete);
        switch (shell_talk_line(talk, &line)) {
        case SHELL_TALK_LINE:
            status = run_line(shell, &text, &line, &incomplete);
            break;
        case SHELL_TALK_STOPPED:
            buf_clear(&text);
            incomplete = false;
            status = SH_STATUS_STOPPED;
            break;
        case SHELL_TALK_END:
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

static void run(struct shell_server *server, struct shell_talk *talk,
                const struct request *request)
{
    struct sh *shell = open_shell(server, talk, request);
    const char *command = request->command;
    int status = *command ? sh_run(shell, command, strlen(command), NULL)
                          : run_lines(shell, talk);

    sh_close(shell);
    shell_talk_end(talk, status);
}

static void serve(struct shell_server *server, const struct request *request,
                  struct stream *stream)
{
    struct shell_talk talk;

    shell_talk_init(&talk, stream, request->v2, request->pty);
    if (atomic_fetch_add(&server->shells, 1) < SHELL_SERVER_SHELLS_MAX) {
        run(server, &talk, request);
    } else {
        shell_talk_print(&talk, SH_NAME ": too many shells\n");
        shell_talk_end(&talk, 1);
    }
    atomic_fetch_sub(&server->shells, 1);
    shell_talk_release(&talk);
}

void shell_server_shell(void *context, const char *argument,
                        struct stream *stream, struct conn *conn)
{
    struct request request;

    (void)conn;
    if (read_request(argument, &request))
        serve(context, &request, stream);
}

void shell_server_exec(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    const struct request request = {.term = "dumb", .command = argument};

    (void)conn;
    serve(context, &request, stream);
}
