/*
 * The phone's own shell: a small interpreter over the phone's files, with
 * commands from tables. Nothing in it can reach the computer it runs on.
 *
 * It knows quotes, variables, $(...), $((...)), patterns, pipes, redirections,
 * lists, if, while, until, for, groups and subshells. What it does not know
 * (functions, jobs, here-documents) is a syntax error. A command with '&' runs
 * to its end at once, without input, and is not waited for by commands that
 * would go on for ever: those end.
 *
 * Everything is bounded: the text, its nesting, the variables, the fields of a
 * command, the stages at once, and the steps of one sh_run. A shell is used by
 * one thread at a time; several shells may share files and tables.
 */
#ifndef PHONE_SH_H
#define PHONE_SH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deadline.h"
#include "tools/phone/account.h"
#include "tools/phone/command.h"
#include "tools/phone/files.h"

/* How its messages begin. */
#define SH_NAME "/system/bin/sh"

#define SH_STATUS_STOPPED 130 /* as after ^C */
#define SH_STATUS_KILLED 137

/* Commands and blocks of bytes, in one sh_run. */
#define SH_STEPS_DEFAULT 1000000U

enum sh_side {
    SH_OUT,
    SH_ERRORS,
};

struct sh_io;

struct sh_io_ops {
    /* At least one byte of input; *got is 0 at its end. False: stop. */
    bool (*read)(struct sh_io *io, void *data, size_t size, size_t *got);

    /* False: stop. */
    bool (*write)(struct sh_io *io, enum sh_side side, const void *data,
                  size_t size);

    /* Wait until by, which may have passed. False, at once: stop. */
    bool (*wait)(struct sh_io *io, struct deadline by);
};

/* Who the shell works for. Implementations embed this as their first member. */
struct sh_io {
    const struct sh_io_ops *ops;
};

/* Everything is borrowed until sh_close. */
struct sh_options {
    struct files *files;
    const struct command_family *families;
    size_t family_count;
    struct sh_io *io;
    struct account *account; /* memory shared with other shells; or NULL */
    uint64_t steps;          /* 0: the default */
};

struct sh;

struct sh *sh_open(const struct sh_options *options);
void sh_close(struct sh *shell); /* NULL is fine */

/*
 * Do what text says, and return the status of its last command. When it is
 * not complete, as "if true" is not, nothing is done and *incomplete is true;
 * where incomplete is NULL, that is a mistake like any other.
 */
int sh_run(struct sh *shell, const char *text, size_t length, bool *incomplete);

/* Was it told to exit, with the status that sh_run returned? */
bool sh_has_exited(const struct sh *shell);

/* Where it is, from the root. */
const char *sh_directory(const struct sh *shell);

/* Set a variable that commands see. What does not fit is left out. */
void sh_export(struct sh *shell, const char *name, const char *value);

#endif
