#include "tools/phone/sh.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/sh_private.h"

/* Steps between two looks at whether to stop. */
#define LOOK_EVERY 16U

/* Threads that have done their work may take a while to be gone. */
#define CREW_MAX ((size_t)16 * SH_STAGES_MAX)

/* ---- the session's own ports ---- */

static void stop(struct sh_session *session)
{
    session->stopped = true;
    sh_turns_wake(&session->turns, NULL);
}

static bool io_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    struct sh_session *session = ((struct sh_io_in *)in)->session;
    struct sh_io *io = session->options.io;
    struct sh_turn *turn = sh_turns_leave(&session->turns);
    bool fine = io->ops->read(io, data, size, got);

    sh_turns_return(&session->turns, turn);
    if (!fine)
        stop(session);
    return fine && !session->stopped;
}

static bool io_write(struct sh_out *out, const void *data, size_t size)
{
    struct sh_io_out *port = (struct sh_io_out *)out;
    struct sh_io *io = port->session->options.io;

    if (port->session->stopped)
        return false;
    if (io->ops->write(io, port->side, data, size))
        return true;
    stop(port->session);
    return false;
}

/* They live as long as the session. */
static void io_close_in(struct sh_in *in)
{
    (void)in;
}

static bool io_close_out(struct sh_out *out, int *number)
{
    (void)out, (void)number;
    return true;
}

bool sh_wait(struct sh_session *session, struct deadline by)
{
    struct sh_io *io = session->options.io;
    struct sh_turn *turn = sh_turns_leave(&session->turns);
    bool fine = io->ops->wait(io, by);

    sh_turns_return(&session->turns, turn);
    if (!fine)
        stop(session);
    return !session->stopped;
}

bool sh_step(struct sh_session *session, uint64_t steps)
{
    struct sh_io *io = session->options.io;
    uint64_t before = session->steps_left;

    if (session->stopped)
        return false;
    if (before < steps) {
        session->killed = true;
        stop(session);
        return false;
    }
    session->steps_left -= steps;
    if (before / LOOK_EVERY != session->steps_left / LOOK_EVERY &&
        !io->ops->wait(io, deadline_in_ms(0)))
        stop(session);
    return !session->stopped;
}

void sh_complain(struct sh_out *errors, const char *who, const char *fmt, ...)
{
    char text[512];
    va_list args;
    size_t length;

    snprintf(text, sizeof(text), "%.100s: ", who);
    length = strlen(text);
    va_start(args, fmt);
    vsnprintf(text + length, sizeof(text) - length - 1, fmt, args);
    va_end(args);
    length = strlen(text);
    text[length] = '\n';
    if (!sh_out_write(errors, text, length + 1))
        return; /* whoever wanted it is gone, which is noticed elsewhere */
}

/* ---- files ---- */

char *sh_path(const struct sh *shell, const char *name)
{
    size_t length = strlen(name);
    char *path;

    if (*name == '/')
        return length < FILES_PATH_MAX ? mem_dup(name) : NULL;
    length += strlen(shell->directory) + 2;
    if (length > FILES_PATH_MAX)
        return NULL;
    path = mem_new(length, 1);
    snprintf(path, length, "%s/%s",
             strcmp(shell->directory, "/") ? shell->directory : "", name);
    return path;
}

/* Devices are known by their names. */
static bool is_terminal(const char *path)
{
    return !strcmp(path, "/dev/tty") || !strcmp(path, "/dev/stdout") ||
           !strcmp(path, "/dev/stdin");
}

bool sh_open_in(struct sh *shell, const char *path, struct sh_in **in,
                int *number)
{
    struct sh_session *session = shell->session;
    struct blob *blob;

    if (is_terminal(path)) {
        *in = &session->in.in;
        return true;
    }
    if (!strcmp(path, "/dev/zero")) {
        *in = sh_in_zeros();
        return true;
    }
    if (!files_open(session->options.files, path, &blob, number))
        return false;
    *in = sh_in_blob(blob);
    blob_drop(blob);
    return true;
}

/* A file is there, and empty, as soon as it is opened for writing. */
static bool begin_file(struct files *files, const char *path, bool append,
                       int *number)
{
    struct blob_writer writer = files_writer(files);
    struct blob *empty = blob_finish(&writer);
    bool done;

    if (append)
        done = files_append(files, path, NULL, 0, 0666, number);
    else
        done = files_install(files, path, empty, 0666, number);
    blob_drop(empty);
    return done;
}

bool sh_open_out(struct sh *shell, const char *path, bool append,
                 struct sh_out **out, int *number)
{
    struct sh_session *session = shell->session;

    if (is_terminal(path)) {
        *out = &session->out.out;
        return true;
    }
    if (!strcmp(path, "/dev/stderr")) {
        *out = &session->errors.out;
        return true;
    }
    if (!strcmp(path, "/dev/null") || !strcmp(path, "/dev/zero")) {
        *out = sh_out_nothing();
        return true;
    }
    if (!begin_file(session->options.files, path, append, number))
        return false;
    *out = sh_out_file(session->options.files, path, append);
    return true;
}

/* ---- shells ---- */

bool sh_init_sub(struct sh *sub, const struct sh *shell, struct sh_out *errors)
{
    struct sh_vars vars = SH_VARS_INIT(shell->vars.account);

    if (!sh_vars_copy(&vars, &shell->vars)) {
        sh_complain(errors, SH_NAME, "can't fork - try again");
        return false;
    }
    *sub = *shell;
    sub->vars = vars;
    sub->directory = mem_dup(shell->directory);
    sub->loops = 0;
    sub->depth++;
    return true;
}

void sh_release(struct sh *shell)
{
    sh_vars_release(&shell->vars);
    free(shell->directory);
}

static struct sh_session *session_new(const struct sh_options *options)
{
    struct sh_session *session = mem_new(1, sizeof(*session));

    session->options = *options;
    if (!session->options.steps)
        session->options.steps = SH_STEPS_DEFAULT;
    sh_turns_init(&session->turns, &session->turn);
    crew_init(&session->crew, CREW_MAX);
    session->in = (struct sh_io_in){{io_read, io_close_in}, session};
    session->out =
        (struct sh_io_out){{io_write, io_close_out}, session, SH_OUT};
    session->errors =
        (struct sh_io_out){{io_write, io_close_out}, session, SH_ERRORS};
    return session;
}

struct sh *sh_open(const struct sh_options *options)
{
    static const struct {
        const char *name;
        const char *value;
    } variables[] = {
        {"HOME", "/"},
        {"HOSTNAME", "phone"},
        {"LOGNAME", "shell"},
        {"PATH", "/product/bin:/apex/com.android.runtime/bin:/system/bin:"
                 "/odm/bin:/vendor/bin"},
        {"SHELL", "/bin/sh"},
        {"TMPDIR", "/data/local/tmp"},
        {"USER", "shell"},
    };
    struct sh *shell = mem_new(1, sizeof(*shell));

    shell->session = session_new(options);
    shell->vars.account = options->account;
    shell->directory = mem_dup("/");
    shell->name = SH_NAME;
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        sh_export(shell, variables[i].name, variables[i].value);
    return shell;
}

void sh_close(struct sh *shell)
{
    struct sh_session *session;

    if (!shell)
        return;
    session = shell->session;
    crew_wait(&session->crew);
    crew_release(&session->crew);
    sh_turns_release(&session->turns, &session->turn);
    free(session);
    sh_release(shell);
    free(shell);
}

int sh_run(struct sh *shell, const char *text, size_t length, bool *incomplete)
{
    struct sh_session *session = shell->session;
    struct sh_ports ports = {.in = &session->in.in,
                             .out = &session->out.out,
                             .errors = &session->errors.out};

    session->steps_left = session->options.steps;
    session->stopped = false;
    session->killed = false;
    shell->status = sh_run_text(shell, text, length, &ports, incomplete);
    if (session->killed) {
        session->stopped = false;
        sh_complain(ports.errors, SH_NAME, "killed: it never ends");
        shell->status = SH_STATUS_KILLED;
    } else if (session->stopped) {
        shell->status = SH_STATUS_STOPPED;
    }
    return shell->status;
}

bool sh_has_exited(const struct sh *shell)
{
    return shell->flow == SH_FLOW_EXIT;
}

const char *sh_directory(const struct sh *shell)
{
    return shell->directory;
}

void sh_export(struct sh *shell, const char *name, const char *value)
{
    if (sh_vars_set(&shell->vars, name, value))
        sh_vars_export(&shell->vars, name);
}
