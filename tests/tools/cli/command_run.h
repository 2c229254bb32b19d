/* Runs a program from a test, and captures its output. */
#ifndef TESTS_TOOLS_CLI_COMMAND_RUN_H
#define TESTS_TOOLS_CLI_COMMAND_RUN_H

#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* The output of a program, and its status. */
struct command_run {
    struct buf out;
    struct buf errors;
    int status; /* exit code, or 128 + the signal that ended it */
};

void command_run_release(struct command_run *run);

/*
 * Run a script of /bin/sh, with "proctor" being the program under test. In it
 * "await COMMAND..." waits until that command succeeds, for at least a minute.
 * input (may be NULL) is its standard input. Fails the test if the program
 * takes longer than five minutes, or than ten with PROCTOR_FULL.
 */
void command_run(struct command_run *run, const char *input,
                 const char *script);

/* Run it and check its status; its output is in run. */
#define RUN(run_, status_, script_)                                            \
    do {                                                                       \
        command_run((run_), NULL, (script_));                                  \
        command_run_expect((run_), (status_), (script_), __FILE__, __LINE__);  \
    } while (0)

void command_run_expect(const struct command_run *run, int status,
                        const char *script, const char *file, int line);

/* Write a file that scripts use, and may run. */
void command_run_save(const char *name, const char *text);

/* Fail the test unless text contains part. */
#define SAYS(text_, part_)                                                     \
    command_run_says(buf_cstr(&(text_)), (part_), __FILE__, __LINE__)
void command_run_says(const char *text, const char *part, const char *file,
                      int line);

#endif
