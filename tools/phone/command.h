/*
 * The shell's commands: tables of names and functions.
 *
 * To add commands, write an array of struct command, and name its set as a
 * family where the shell is opened, with whatever its functions need to know.
 */
#ifndef PHONE_COMMAND_H
#define PHONE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/macros.h"
#include "tools/phone/files.h"
#include "tools/phone/sh_port.h"
#include "tools/phone/virtual_clock.h"

struct call;
struct sh;

/* Do it, and return the exit status. */
typedef int command_fn(struct call *call);

struct command {
    const char *name;
    command_fn *run;
    const char *usage; /* what may follow the name */
};

struct command_set {
    const struct command *commands;
    size_t count;
};

struct command_family {
    const struct command_set *set;
    void *context; /* for the functions; borrowed */
};

/* One command under way. */
struct call {
    const struct command *command;
    void *context; /* its family's */
    size_t argc;
    char **argv; /* argv[0] is the name; NULL follows the last */
    struct files *files;
    struct sh *shell;
    struct sh_ports ports;
    bool ended; /* nobody wants more: return soon */
};

/* ---- output ---- */

void call_write(struct call *call, const void *data, size_t size);
PRINTF_LIKE(2, 3) void call_print(struct call *call, const char *fmt, ...);

/* Bytes, and a newline. */
void call_write_line(struct call *call, const char *line, size_t length);

/* Errors as they are. */
PRINTF_LIKE(2, 3) void call_error(struct call *call, const char *fmt, ...);

/* One line of errors, with the command's name in front. Always 1. */
PRINTF_LIKE(2, 3) int call_fail(struct call *call, const char *fmt, ...);

/* The same for a path and an errno value. */
int call_fail_path(struct call *call, const char *path, int number);

/* A file to write. False, with a message, if it is not to be had. */
MUST_USE bool call_create(struct call *call, const char *name, bool append,
                          struct sh_out **out);

/* Make what was written the file's content. The same; NULL is fine. */
MUST_USE bool call_finish(struct call *call, struct sh_out *out);

/* ---- input ---- */

/* False when the command is to end; *got is 0 at the end of the input. */
MUST_USE bool call_read(struct call *call, struct sh_in *in, void *data,
                        size_t size, size_t *got);

/* A file to read, or "-" for the input. False, with a message, if not. */
MUST_USE bool call_open(struct call *call, const char *name, struct sh_in **in);

/* For what call_open gave. */
void call_close(struct call *call, struct sh_in *in);

/* Call use for each named input in turn; for none, the command's own. */
typedef void call_input_fn(struct call *call, const char *name,
                           struct sh_in *in, void *context);
int call_each_input(struct call *call, char **names, size_t count,
                    call_input_fn *use, void *context);

/* An input, line by line. Longer lines come in pieces. */
#define CALL_LINE_MAX ((size_t)256 * 1024)

struct call_lines {
    struct call *call;
    struct sh_in *in;
    struct buf data;
    size_t at; /* where the next line begins */
    bool done;
};

void call_lines_init(struct call_lines *lines, struct call *call,
                     struct sh_in *in);
void call_lines_release(struct call_lines *lines);

/* The next line without its newline, borrowed until the next call. */
MUST_USE bool call_lines_next(struct call_lines *lines, const char **line,
                              size_t *length);

/* ---- other commands ---- */

/*
 * Run the command of that name with the same ports and the words from skip
 * on, the first of which stands for its name.
 */
int call_run(struct call *call, const char *name, size_t skip);

/* ---- time ---- */

/* May it go on? Costs a step: for loops without input or output. */
MUST_USE bool call_step(struct call *call);

/* Wait in real time, for what never ends by itself. False: return now. */
MUST_USE bool call_wait(struct call *call, struct deadline by);

/* Let the phone's time pass: at once while it is virtual, or by waiting. */
void call_pass(struct call *call, struct virtual_clock *clock,
               int64_t nanoseconds);

/* ---- arguments ---- */

/* The path that name means where the shell is; NULL when too long. */
MUST_USE char *call_path(struct call *call, const char *name);

/*
 * A command's options, which may stand among its operands up to "--". known
 * lists the letters; one with ':' takes a value.
 */
struct call_options {
    bool given[128];
    const char *values[128];
    char **operands; /* owned */
    size_t count;
};

/*
 * False when the command is over: --help, or a message. *status is then its
 * exit status; otherwise it is 0.
 */
MUST_USE bool call_options(struct call *call, const char *known,
                           struct call_options *options, int *status);
void call_options_release(struct call_options *options);

/* A whole number from low to high. False, with a message, if it is not. */
MUST_USE bool call_number(struct call *call, const char *text, long long low,
                          long long high, long long *number);

#endif
