/*
 * The phone's own shell: a small interpreter over the phone's files, with
 * commands from tables. Nothing in it can reach the computer it runs on.
 *
 * It knows quotes, variables, $(...), $((...)), patterns, pipes, redirections,
 * here-documents, lists, if, while, until, for, case, functions, groups,
 * subshells and traps, but no jobs: a command with '&' runs to its end at
 * once, without input; one that would never end is ended.
 *
 * Everything is bounded: the text, its nesting, the variables, the fields of a
 * command, the threads of pipelines, and the steps of one sh_run. A shell is
 * used by one thread at a time; several shells may share files and tables.
 */
#ifndef TOOLS_PHONE_SHELL_SH_H
#define TOOLS_PHONE_SHELL_SH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deadline.h"
#include "base/memory_account.h"
#include "tools/phone/core/virtual_clock.h"
#include "tools/phone/files/files.h"
#include "tools/phone/shell/command.h"
#include "tools/phone/shell/sh_dialect.h"
#include "tools/phone/system/processes.h"

/* The prefix of its messages. */
#define SH_NAME "/system/bin/sh"

#define SH_STATUS_STOPPED 130 /* by ^C, or because the host disconnected */
#define SH_STATUS_KILLED 137

/* Limit of commands and blocks of bytes in one sh_run. */
#define SH_STEPS_DEFAULT 1000000U

enum sh_side {
    SH_OUT,
    SH_ERRORS,
};

struct sh_io;

struct sh_io_ops {
    /*
     * Read at least one byte; *got is 0 at the end of the input. False: stop.
     */
    bool (*read)(struct sh_io *io, void *data, size_t size, size_t *got);

    /* False: stop. */
    bool (*write)(struct sh_io *io, enum sh_side side, const void *data,
                  size_t size);

    /* Wait until by, which may be in the past. False, at once: stop. */
    bool (*wait)(struct sh_io *io, struct deadline by);

    /*
     * Continue after an interrupt (^C). False when the host has disconnected.
     */
    bool (*resume)(struct sh_io *io);
};

/* The session of a shell. Implementations embed this as their first member. */
struct sh_io {
    const struct sh_io_ops *ops;
};

/* Everything is borrowed until sh_close. */
struct sh_options {
    struct phone_files *files;
    const struct command_family *families;
    size_t family_count;
    struct sh_io *io;
    struct phone_processes *processes; /* where the shell is listed; or NULL */
    struct virtual_clock *clock;       /* for time limits; or NULL */
    bool terminal;       /* input and output are the same terminal */
    const char *command; /* the command line it will run; or NULL */
    struct memory_account *
        memory_account; /* pays for memory that several shells share; or NULL */
    uint64_t steps;     /* 0: the default */
    const struct sh_dialect *dialect; /* NULL: sh_dialect_r59 */
};

/* Commands of the shell itself that are files on phones. */
extern const char *const sh_files[];
extern const size_t sh_file_count;

struct sh;

struct sh *sh_open(const struct sh_options *options);
void sh_close(struct sh *shell); /* NULL is fine */

/*
 * Run text, and return the status of its last command. If the text is not
 * complete ("if true"), nothing is run and *incomplete is true; if incomplete
 * is NULL, that is a syntax error.
 */
int sh_run(struct sh *shell, const char *text, size_t length, bool *incomplete);

/*
 * End the shell: run its EXIT trap, and return its exit status. Nothing may be
 * run after this.
 */
int sh_finish(struct sh *shell);

/* Did it run exit? Then sh_run returned the status. */
bool sh_has_exited(const struct sh *shell);

/* Its current directory, an absolute path. */
const char *sh_directory(const struct sh *shell);

/* Set an exported variable. Ignored if it does not fit. */
void sh_export(struct sh *shell, const char *name, const char *value);

#endif
