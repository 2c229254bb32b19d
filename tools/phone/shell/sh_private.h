/* Declarations shared by the shell's files. */
#ifndef TOOLS_PHONE_SHELL_SH_PRIVATE_H
#define TOOLS_PHONE_SHELL_SH_PRIVATE_H

#include "base/err.h"
#include "base/shell/sh_parse.h"
#include "base/thread_group.h"
#include "tools/phone/shell/sh.h"
#include "tools/phone/shell/sh_port.h"
#include "tools/phone/shell/sh_turns.h"
#include "tools/phone/shell/sh_vars.h"

/* Limit of nested commands and shells. */
#define SH_RUN_DEPTH_MAX 96U

/* Bytes of work in memory that cost one step. */
#define SH_STEP_BYTES 1024U

#define SH_STAGES_MAX 32U /* threads of all pipelines of a session */
#define SH_FIELDS_MAX 32768U
#define SH_FIELD_BYTES_MAX ((size_t)1 << 20) /* of one command */
#define SH_CAPTURE_MAX ((size_t)1 << 20)     /* of one $(...) */

/* A port of the session. */
struct sh_io_in {
    struct sh_in in;
    struct sh_session *session;
};

struct sh_io_out {
    struct sh_out out;
    struct sh_session *session;
    enum sh_side side;
};

/* State that a shell shares with its subshells. */
struct sh_session {
    struct sh_options options;
    struct sh_turns turns;
    struct sh_turn turn; /* turn of the thread that runs the outermost shell */
    struct thread_group thread_group; /* turns of the pipelines' threads */
    size_t stages;
    uint64_t steps_left;
    bool stopped;  /* everything must end */
    bool killed;   /* because the step limit was reached */
    bool detached; /* the host has disconnected: no input, no output, no waiting
                    */
    uint64_t randoms; /* number of random inputs that were opened */
    struct sh_io_in in;
    struct sh_io_out out;
    struct sh_io_out errors;
};

/* How a command changed the flow of the commands around it. */
enum sh_flow {
    SH_FLOW_ON,
    SH_FLOW_BREAK,
    SH_FLOW_CONTINUE,
    SH_FLOW_RETURN, /* from a function or a script run by "." */
    SH_FLOW_ABORT,  /* end the current text after an error */
    SH_FLOW_EXIT,
};

/* The time limit of a command. */
struct sh_limit {
    int64_t until;      /* in the phone's time */
    struct deadline by; /* in real time, for commands that wait */
    bool passed;
    struct sh_limit *outer; /* the limit around this one; or NULL */
};

struct sh {
    struct sh_session *session; /* of the outermost shell */
    struct sh_vars vars;
    char *directory;   /* owned */
    const char *name;  /* $0 */
    char *const *args; /* $1 and so on; borrowed */
    size_t arg_count;
    int status;
    int captured; /* exit status of the last substitution */
    enum sh_flow flow;
    long flow_levels; /* loops that BREAK and CONTINUE still have to leave */
    unsigned loops;   /* nesting of loops */
    unsigned depth;   /* nesting of shells, lists and substitutions */
    bool background;

    unsigned pid;            /* $$ */
    unsigned background_pid; /* $!; 0: no background command yet */
    int background_status;   /* its exit status */
    int signal;              /* the signal that ends it; 0: none */

    bool errexit;    /* set -e */
    bool nounset;    /* set -u */
    bool xtrace;     /* set -x */
    unsigned tested; /* nesting of conditions, in which -e has no effect */

    struct sh_vars functions; /* functions: their bodies, as typed */
    struct sh_vars traps;     /* traps, by signal name */
    struct sh_frame
        *frame;       /* local variables of the current function; or NULL */
    unsigned scripts; /* nesting of scripts run by "." */
    struct sh_fields *own_args; /* owned: args, if set by "set" */
    struct sh_limit *limit;     /* the innermost time limit; or NULL */
};

/* ---- sh.c ---- */

/* The process id of a new shell that parent starts to run text. */
unsigned sh_new_pid(const struct sh_session *session, unsigned parent,
                    const char *text);

/*
 * A subshell: a copy that cannot change shell. False when memory is out, which
 * was reported.
 */
MUST_USE bool sh_init_sub(struct sh *sub, const struct sh *shell,
                          struct sh_out *errors);
void sh_release(struct sh *shell);

/* Spend steps, and check whether to stop. */
MUST_USE bool sh_step(struct sh_session *session, uint64_t steps);

/*
 * Does the pattern match the whole text? Costs steps for the product of both
 * lengths; false when none are left.
 */
bool sh_match(struct sh_session *session, const char *pattern,
              const char *text);

/* Wait in real time, while other threads of the session may run. */
MUST_USE bool sh_wait(struct sh_session *session, struct deadline by);

/* Print one line of errors of the shell itself. */
PRINTF_LIKE(3, 4)
void sh_complain(struct sh_out *errors, const char *who, const char *fmt, ...);

/* The absolute path of name; NULL if it is too long. */
MUST_USE char *sh_path(const struct sh *shell, const char *name);

/*
 * Open a file, or a device such as /dev/null. False with an errno value on
 * failure.
 */
MUST_USE bool sh_open_in(struct sh *shell, const char *path, struct sh_in **in,
                         int *number);
MUST_USE bool sh_open_out(struct sh *shell, const char *path, bool append,
                          struct sh_out **out, int *number);

/* ---- sh_run.c ---- */

/* Parse and run text in this shell; incomplete is as for sh_run. */
int sh_run_text(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, bool *incomplete);

/* Run text in a subshell and append its output. */
void sh_capture(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, struct buf *output);

/* Run a list of words as one command. */
int sh_run_words(struct sh *shell, char **words, size_t count,
                 const struct sh_ports *ports);

/* Report an error that ends the current text. */
void sh_abort(struct sh *shell, int status);

/* ---- sh_pipeline.c ---- */

/*
 * Run the commands of a pipeline at the same time, the last of them in this
 * shell.
 */
void sh_run_pipeline(struct sh *shell, const struct sh_node *pipeline,
                     const struct sh_ports *ports);
void sh_run_node(struct sh *shell, const struct sh_node *node,
                 const struct sh_ports *ports);

/* ---- sh_builtins.c ---- */

/* Commands that change the shell itself, or run other commands. */
extern const struct command_set sh_builtins;

/* ---- sh_function.c ---- */

/* Run a function with words as its name and arguments. */
int sh_function_call(struct sh *shell, const char *text, char **words,
                     size_t count, const struct sh_ports *ports);
int sh_local(struct command_call *call);
int sh_return(struct command_call *call);

/* ---- sh_set.c ---- */

int sh_set(struct command_call *call);

/* Copy words to $1 and the following. False when they do not fit. */
MUST_USE bool sh_set_arguments(struct sh *shell, char *const *words,
                               size_t count);

/* Free arguments that "set" has set. */
void sh_set_release(struct sh *shell);

/* ---- sh_trap.c ---- */

int sh_trap(struct command_call *call);
int sh_kill(struct command_call *call);

/* Run the trap of a signal, or of "EXIT". False if there is none. */
bool sh_trap_run(struct sh *shell, const char *name,
                 const struct sh_ports *ports);

/* End the shell: run the EXIT trap, and return the exit status. */
int sh_trap_exit(struct sh *shell, const struct sh_ports *ports);

/* Check for a signal that another shell has sent. */
void sh_trap_check(struct sh *shell, const struct sh_ports *ports);

/* ---- sh_limit.c ---- */

int sh_timeout(struct command_call *call);

/* Has a time limit around this shell passed? */
bool sh_limit_passed(const struct sh *shell);

/* Cut a wait of nanoseconds of the phone's time at the nearest limit. */
int64_t sh_limit_cut(struct sh *shell, int64_t nanoseconds);

/* by, or the time of the nearest limit. */
struct deadline sh_limit_deadline(const struct sh *shell, struct deadline by);

/* After a wait in real time: has a limit passed? */
void sh_limit_check(struct sh *shell);

/* ---- command.c ---- */

const struct phone_command *sh_find_command(const struct sh_session *session,
                                            const char *name, void **context);

#endif
