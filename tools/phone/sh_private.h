/* What the shell's own files know of each other. */
#ifndef PHONE_SH_PRIVATE_H
#define PHONE_SH_PRIVATE_H

#include "base/crew.h"
#include "base/err.h"
#include "tools/phone/sh.h"
#include "tools/phone/sh_parse.h"
#include "tools/phone/sh_port.h"
#include "tools/phone/sh_turns.h"
#include "tools/phone/sh_vars.h"

/* Commands and shells inside each other, at most. */
#define SH_RUN_DEPTH_MAX 96U

#define SH_STAGES_MAX 32U /* of all pipelines of a session, at once */
#define SH_FIELDS_MAX 32768U
#define SH_FIELD_BYTES_MAX ((size_t)1 << 20) /* of one command */
#define SH_CAPTURE_MAX ((size_t)1 << 20)     /* of one $(...) */

/* A port of the session's. */
struct sh_io_in {
    struct sh_in in;
    struct sh_session *session;
};

struct sh_io_out {
    struct sh_out out;
    struct sh_session *session;
    enum sh_side side;
};

/* What a shell and its subshells have in common. */
struct sh_session {
    struct sh_options options;
    struct sh_turns turns;
    struct sh_turn turn; /* of the thread that runs the outermost shell */
    struct crew crew;    /* the stages of pipelines */
    size_t stages;
    uint64_t steps_left;
    bool stopped; /* everything is to end */
    bool killed;  /* because it was too much */
    struct sh_io_in in;
    struct sh_io_out out;
    struct sh_io_out errors;
};

/* What a command has done to the loops around it. */
enum sh_flow {
    SH_FLOW_ON,
    SH_FLOW_BREAK,
    SH_FLOW_CONTINUE,
    SH_FLOW_EXIT,
};

struct sh {
    struct sh_session *session; /* the outermost shell's own */
    struct sh_vars vars;
    char *directory;   /* owned */
    const char *name;  /* $0 */
    char *const *args; /* $1 and so on; borrowed */
    size_t arg_count;
    int status;
    int captured; /* the status of the last substitution */
    enum sh_flow flow;
    long flow_levels; /* loops that BREAK and CONTINUE still end */
    unsigned loops;   /* we are inside of */
    unsigned depth;   /* of shells, lists and substitutions */
    bool background;
};

/* ---- sh.c ---- */

/* A subshell: a copy that cannot change shell. False: no memory, as told. */
MUST_USE bool sh_init_sub(struct sh *sub, const struct sh *shell,
                          struct sh_out *errors);
void sh_release(struct sh *shell);

/* Spend steps, and look whether to stop. */
MUST_USE bool sh_step(struct sh_session *session, uint64_t steps);

/* Wait in real time, while others of the session may run. */
MUST_USE bool sh_wait(struct sh_session *session, struct deadline by);

/* A line of errors from the shell itself. */
PRINTF_LIKE(3, 4)
void sh_complain(struct sh_out *errors, const char *who, const char *fmt, ...);

/* What name means from here; NULL when that is too long for a path. */
MUST_USE char *sh_path(const struct sh *shell, const char *name);

/* Open a file, or a device such as /dev/null. False with an errno value. */
MUST_USE bool sh_open_in(struct sh *shell, const char *path, struct sh_in **in,
                         int *number);
MUST_USE bool sh_open_out(struct sh *shell, const char *path, bool append,
                          struct sh_out **out, int *number);

/* ---- sh_run.c ---- */

/* Parse and run text in this very shell; incomplete is as for sh_run. */
int sh_run_text(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, bool *incomplete);

/* Run text in a subshell and append what it prints. */
void sh_capture(struct sh *shell, const char *text, size_t length,
                const struct sh_ports *ports, struct buf *output);

/* Run a list of words as one command. */
int sh_run_words(struct sh *shell, char **words, size_t count,
                 const struct sh_ports *ports);

/* ---- sh_pipeline.c ---- */

/* Run the stages at once, the last of them in this very shell. */
void sh_run_pipeline(struct sh *shell, const struct sh_node *pipeline,
                     const struct sh_ports *ports);
void sh_run_node(struct sh *shell, const struct sh_node *node,
                 const struct sh_ports *ports);

/* ---- sh_builtins.c ---- */

/* The commands that change the shell itself, or run others. */
extern const struct command_set sh_builtins;

/* ---- command.c ---- */

const struct command *sh_find_command(const struct sh_session *session,
                                      const char *name, void **context);

#endif
