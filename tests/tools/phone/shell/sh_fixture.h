/* A shell in memory: separate files, input from a text, output to buffers. */
#ifndef TESTS_TOOLS_PHONE_SHELL_SH_FIXTURE_H
#define TESTS_TOOLS_PHONE_SHELL_SH_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/shell/sh.h"
#include "tools/phone/system/handset.h"

struct sh_fixture;

/* Properties of the shell; 0 is the default. */
struct sh_fixture_options {
    uint64_t steps;
    size_t memory;
    size_t file_bytes; /* limit of the phone's files */
    bool terminal;     /* it runs on a terminal */
    size_t stop_after; /* bytes of output after which the host disconnects */
};

struct sh_fixture *sh_fixture_new(const struct sh_fixture_options *options);
void sh_fixture_free(struct sh_fixture *fixture);

struct handset *sh_fixture_handset(struct sh_fixture *fixture);

/* The input of the next command. Borrowed. */
void sh_fixture_input(struct sh_fixture *fixture, const char *input);

/* The result of sh_fixture_run for an incomplete text. */
#define SH_FIXTURE_INCOMPLETE (-1)

/* Run text; *out and *errors, which may be NULL, are of this run alone. */
int sh_fixture_run(struct sh_fixture *fixture, const char *text,
                   const char **out, const char **errors);

/* Has the shell exited? */
bool sh_fixture_exited(const struct sh_fixture *fixture);

/* Run text in a new shell, and compare its output, or its status and errors. */
void assert_sh(const char *text, const char *out);
void assert_sh_fails(const char *text, int status, const char *errors);
void assert_sh_input(const char *text, const char *input, const char *out);

/* What a text prints, in a table of a test. */
struct sh_example {
    const char *text;
    const char *out;
};

void assert_sh_examples(const struct sh_example *examples, size_t count);

#define ASSERT_SH_EXAMPLES(examples)                                           \
    assert_sh_examples(examples, ARRAY_LEN(examples))

#endif
