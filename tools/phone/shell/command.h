/*
 * The shell's commands: tables of names and functions. To add commands, write
 * an array of struct phone_command, and pass it as a family with the context of
 * its functions where the shell is opened. Of several commands with one name,
 * the first one is used.
 */
#ifndef TOOLS_PHONE_SHELL_COMMAND_H
#define TOOLS_PHONE_SHELL_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/macros.h"
#include "tools/phone/core/virtual_clock.h"
#include "tools/phone/files/files.h"
#include "tools/phone/shell/sh_port.h"

struct command_call;
struct sh;

/* Run the command, and return the exit status. */
typedef int command_fn(struct command_call *call);

struct phone_command {
    const char *name;
    command_fn *run;   /* NULL: there is no such command, whatever follows */
    const char *usage; /* its arguments, for the help */
};

struct command_set {
    const struct phone_command *commands;
    size_t count;
};

struct command_family {
    const struct command_set *set;
    void *context; /* context of the functions; borrowed */
};

/* A running command. */
struct command_call {
    const struct phone_command *command;
    void *context; /* the context of its family */
    size_t argc;
    char **argv; /* argv[0] is its name; NULL follows the last */
    struct phone_files *files;
    struct sh *shell;
    struct sh_ports ports;
    bool ended; /* the reader is gone: return soon */
};

/* ---- output ---- */

void call_write(struct command_call *call, const void *data, size_t size);
PRINTF_LIKE(2, 3)
void call_print(struct command_call *call, const char *fmt, ...);

/* Print bytes, and a newline. */
void call_write_line(struct command_call *call, const char *line,
                     size_t length);

/* Print to the error output, unchanged. */
PRINTF_LIKE(2, 3)
void call_error(struct command_call *call, const char *fmt, ...);

/* Print one line of errors, after the command's name. Always 1. */
PRINTF_LIKE(2, 3)
int call_fail(struct command_call *call, const char *fmt, ...);

/* Print that it has fewer than count operands. Always status. */
int call_needs(struct command_call *call, unsigned count, int status);

/* Like call_fail, for a path and an errno value. */
int call_fail_path(struct command_call *call, const char *path, int number);

/* Open a file for writing. False, with a message, on failure. */
MUST_USE bool call_create(struct command_call *call, const char *name,
                          bool append, struct sh_out **out);

/*
 * Store what was written as the file's content. False, with a message, on
 * failure; NULL is fine.
 */
MUST_USE bool call_finish(struct command_call *call, struct sh_out *out);

/* ---- input ---- */

/* Read some input; *got is 0 at its end. False: the command must end. */
MUST_USE bool call_read(struct command_call *call, struct sh_in *in, void *data,
                        size_t size, size_t *got);

/*
 * Open a file for reading; "-" is the input. False, with a message, on failure.
 */
MUST_USE bool call_open(struct command_call *call, const char *name,
                        struct sh_in **in);

/* Close a port from call_open. */
void call_close(struct command_call *call, struct sh_in *in);

/*
 * Call use for each named input in turn; without names, for the command's own.
 */
typedef void call_input_fn(struct command_call *call, const char *name,
                           struct sh_in *in, void *context);
int call_each_input(struct command_call *call, char **names, size_t count,
                    call_input_fn *use, void *context);

/* Reads an input line by line. Lines that are too long come in pieces. */
#define CALL_LINE_MAX ((size_t)256 * 1024)

struct command_lines {
    struct command_call *call;
    struct sh_in *in;
    struct buf data;
    size_t at; /* start of the next line */
    bool done;
};

void call_lines_init(struct command_lines *lines, struct command_call *call,
                     struct sh_in *in);
void call_lines_release(struct command_lines *lines);

/* The next line without its newline. Borrowed until the next call. */
MUST_USE bool call_lines_next(struct command_lines *lines, const char **line,
                              size_t *length);

/* ---- other commands ---- */

/* Run the command argv[skip] with the arguments after it, on the same ports. */
int call_run(struct command_call *call, const char *name, size_t skip);

/* The same with other arguments; NULL follows the last. */
int call_run_words(struct command_call *call, char **words, size_t count);

/*
 * Run the command of the same name in the families behind this one, which must
 * have it. Its messages are those of this command.
 */
int call_inherited(struct command_call *call);

/* Does a command of that name exist? */
bool call_knows(const struct command_call *call, const char *name);

/* Is its input the terminal? */
bool call_on_terminal(const struct command_call *call);

/* A shell variable; NULL if it is not set. */
const char *call_variable(const struct command_call *call, const char *name);

/*
 * The process id of the shell that runs it; the command's own is the next one.
 */
unsigned call_pid(const struct command_call *call);

/* ---- time ---- */

/* May it continue? Costs a step: for loops without input or output. */
MUST_USE bool call_step(struct command_call *call);

/* The same for work on that many bytes in memory. */
MUST_USE bool call_spend(struct command_call *call, size_t bytes);

/* The account that pays for memory which the command keeps; NULL: none. */
struct memory_account *call_memory(const struct command_call *call);

/* Wait in real time, for commands that never end. False: return now. */
MUST_USE bool call_wait(struct command_call *call, struct deadline by);

/* Let the phone's time pass: at once if it is virtual, otherwise by waiting. */
void call_pass(struct command_call *call, struct virtual_clock *clock,
               int64_t nanoseconds);

/* ---- arguments ---- */

/* The absolute path of name; NULL if it is too long. */
MUST_USE char *call_path(struct command_call *call, const char *name);

/*
 * A command's options, which may be mixed with its operands up to "--". known
 * lists the letters; a ':' marks one that takes a value.
 */
struct command_options {
    bool given[128];
    const char *values[128];
    char **operands; /* owned */
    size_t count;
};

/*
 * False when the command is done: it printed --help or a message. *status is
 * then its exit status, otherwise 0.
 */
MUST_USE bool call_options(struct command_call *call, const char *known,
                           struct command_options *options, int *status);
void call_options_release(struct command_options *options);

/* Parse an integer from low to high. False, with a message, on failure. */
MUST_USE bool call_number(struct command_call *call, const char *text,
                          long long low, long long high, long long *number);

#endif
