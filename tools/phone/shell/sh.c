#include "tools/phone/shell/sh.h"
#include "tools/phone/files/glob.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_private.h"

/* Steps between two checks whether to stop. */
#define LOOK_EVERY 16U

/* Steps that a trap may take after the host has disconnected. */
#define TRAP_STEPS 10000U

/* Threads may need a moment to end after their work. */
#define THREADS_MAX ((size_t)16 * SH_STAGES_MAX)

/* ---- the session's ports ---- */

static void stop(struct sh_session *session)
{
    session->stopped = true;
    sh_turns_wake(&session->turns, NULL);
}

static bool io_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    struct sh_session *session = ((struct sh_io_in *)in)->session;
    struct sh_io *io = session->options.io;
    struct sh_turn *turn;
    bool fine;

    if (session->detached) {
        *got = 0;
        return !session->stopped;
    }
    turn = sh_turns_leave(&session->turns);
    fine = io->ops->read(io, data, size, got);
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
    if (port->session->detached)
        return true;
    if (io->ops->write(io, port->side, data, size))
        return true;
    stop(port->session);
    return false;
}

/* They exist as long as the session. */
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
    struct sh_turn *turn;
    bool fine;

    if (session->detached)
        return false;
    turn = sh_turns_leave(&session->turns);
    fine = io->ops->wait(io, by);
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
    if (!session->detached &&
        before / LOOK_EVERY != session->steps_left / LOOK_EVERY &&
        !io->ops->wait(io, deadline_in_ms(0)))
        stop(session);
    return !session->stopped;
}

bool sh_match(struct sh_session *session, const char *pattern, const char *text)
{
    uint64_t work = strlen(text);

    if (glob_is_pattern(pattern))
        work *= strlen(pattern);
    return sh_step(session, work / SH_STEP_BYTES) && glob_match(pattern, text);
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
        return; /* a lost reader is noticed elsewhere */
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

/* Devices are recognized by their names. */
static bool is_terminal(const char *path)
{
    return !strcmp(path, "/dev/tty") || !strcmp(path, "/dev/stdout") ||
           !strcmp(path, "/dev/stdin");
}

bool sh_open_in(struct sh *shell, const char *path, struct sh_in **in,
                int *number)
{
    struct sh_session *session = shell->session;
    struct shared_bytes *shared_bytes;

    if (is_terminal(path)) {
        *in = &session->in.in;
        return true;
    }
    if (!strcmp(path, "/dev/zero")) {
        *in = sh_in_zeros();
        return true;
    }
    if (!strcmp(path, "/dev/urandom") || !strcmp(path, "/dev/random")) {
        *in = sh_in_random(shell->pid + (session->randoms++ << 32));
        return true;
    }
    if (!files_open(session->options.files, path, &shared_bytes, number))
        return false;
    *in = sh_in_blob(shared_bytes);
    shared_bytes_drop(shared_bytes);
    return true;
}

/* Opening a file for writing creates it empty at once. */
static bool begin_file(struct phone_files *files, const char *path, bool append,
                       int *number)
{
    struct shared_bytes_writer writer = files_writer(files);
    struct shared_bytes *empty = shared_bytes_finish(&writer);
    bool done;

    if (append)
        done = files_append(files, path, NULL, 0, 0666, number);
    else
        done = files_install(files, path, empty, 0666, number);
    shared_bytes_drop(empty);
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

unsigned sh_new_pid(const struct sh_session *session, unsigned parent,
                    const char *text)
{
    struct phone_processes *processes = session->options.processes;
    struct virtual_clock *clock = session->options.clock;
    uint64_t hash = UINT64_C(14695981039346656037) ^ parent;

    if (!processes)
        return PROCESS_SHELL_FIRST;
    if (clock)
        hash ^= (uint64_t)virtual_clock_now(clock);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return processes_begin_shell(processes, parent, hash ^ hash >> 32);
}

bool sh_init_sub(struct sh *sub, const struct sh *shell, struct sh_out *errors)
{
    struct sh_vars vars = SH_VARS_INIT(shell->vars.memory_account);
    struct sh_vars functions = SH_VARS_INIT(shell->vars.memory_account);

    if (!sh_vars_copy(&vars, &shell->vars) ||
        !sh_vars_copy(&functions, &shell->functions)) {
        sh_vars_release(&vars);
        sh_complain(errors, shell->name, "can't fork - try again");
        return false;
    }
    *sub = *shell;
    sub->vars = vars;
    sub->functions = functions;
    sub->traps = (struct sh_vars)SH_VARS_INIT(shell->vars.memory_account);
    sub->frame = NULL;
    sub->own_args = NULL;
    sub->directory = mem_dup(shell->directory);
    sub->loops = 0;
    sub->depth++;
    /* Copies everything that shell could change while both run. */
    if (!shell->own_args ||
        sh_set_arguments(sub, shell->args, shell->arg_count))
        return true;
    sh_release(sub);
    sh_complain(errors, shell->name, "can't fork - try again");
    return false;
}

void sh_release(struct sh *shell)
{
    sh_vars_release(&shell->vars);
    sh_vars_release(&shell->functions);
    sh_vars_release(&shell->traps);
    sh_set_release(shell);
    free(shell->directory);
}

static struct sh_session *session_new(const struct sh_options *options)
{
    struct sh_session *session = mem_new(1, sizeof(*session));

    session->options = *options;
    if (!session->options.steps)
        session->options.steps = SH_STEPS_DEFAULT;
    if (!session->options.dialect)
        session->options.dialect = &sh_dialect_r59;
    sh_turns_init(&session->turns, &session->turn);
    thread_group_init(&session->thread_group, THREADS_MAX);
    session->in = (struct sh_io_in){{io_read, io_close_in}, session};
    session->out =
        (struct sh_io_out){{io_write, io_close_out}, session, SH_OUT};
    session->errors =
        (struct sh_io_out){{io_write, io_close_out}, session, SH_ERRORS};
    return session;
}

struct sh *sh_open(const struct sh_options *options)
{
    struct sh *shell = mem_new(1, sizeof(*shell));
    const struct sh_dialect *dialect;

    shell->session = session_new(options);
    shell->vars.memory_account = options->memory_account;
    shell->functions.memory_account = options->memory_account;
    shell->traps.memory_account = options->memory_account;
    shell->pid = sh_new_pid(shell->session, PROCESS_ADBD,
                            options->command ? options->command : "");
    shell->directory = mem_dup("/");
    shell->name = SH_NAME;
    dialect = shell->session->options.dialect;
    for (const struct sh_dialect_variable *at = dialect->variables; at->name;
         at++)
        sh_export(shell, at->name, at->value);
    (void)!sh_vars_set(&shell->vars, "KSH_VERSION", dialect->version);
    return shell;
}

void sh_close(struct sh *shell)
{
    struct sh_session *session;

    if (!shell)
        return;
    session = shell->session;
    thread_group_wait(&session->thread_group);
    if (session->options.processes)
        processes_end_shell(session->options.processes, shell->pid);
    thread_group_release(&session->thread_group);
    sh_turns_release(&session->turns, &session->turn);
    free(session);
    sh_release(shell);
    free(shell);
}

static struct sh_ports own_ports(struct sh_session *session)
{
    return (struct sh_ports){.in = &session->in.in,
                             .out = &session->out.out,
                             .errors = &session->errors.out};
}

/* ^C, or the host disconnected: a trap of the shell may handle it. */
static int run_stopped(struct sh *shell, const struct sh_ports *ports)
{
    struct sh_session *session = shell->session;
    struct sh_io *io = session->options.io;
    bool here = io->ops->resume && io->ops->resume(io);
    const char *name = here ? "INT" : "HUP";

    if (!sh_vars_get(&shell->traps, name))
        return SH_STATUS_STOPPED;
    session->stopped = false;
    session->detached = !here;
    if (session->steps_left > TRAP_STEPS)
        session->steps_left = TRAP_STEPS;
    shell->flow = SH_FLOW_ON;
    (void)sh_trap_run(shell, name, ports);
    return shell->flow == SH_FLOW_EXIT ? shell->status : SH_STATUS_STOPPED;
}

int sh_run(struct sh *shell, const char *text, size_t length, bool *incomplete)
{
    struct sh_session *session = shell->session;
    struct sh_ports ports = own_ports(session);

    session->steps_left = session->options.steps;
    session->stopped = false;
    session->killed = false;
    shell->status = sh_run_text(shell, text, length, &ports, incomplete);
    if (session->killed) {
        session->stopped = false;
        sh_complain(ports.errors, SH_NAME, "killed: it never ends");
        shell->status = SH_STATUS_KILLED;
    } else if (session->stopped) {
        shell->status = run_stopped(shell, &ports);
    }
    if (shell->flow == SH_FLOW_ABORT)
        shell->flow = SH_FLOW_ON;
    return shell->status;
}

int sh_finish(struct sh *shell)
{
    struct sh_session *session = shell->session;
    struct sh_ports ports = own_ports(session);

    if (session->stopped || session->killed)
        return shell->status;
    return sh_trap_exit(shell, &ports);
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
