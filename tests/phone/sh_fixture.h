/* A shell in memory: files of its own, input from a text, output to buffers. */
#ifndef TESTS_PHONE_SH_FIXTURE_H
#define TESTS_PHONE_SH_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/handset.h"
#include "tools/phone/sh.h"

struct sh_fixture;

/* What the shell is like; zeros: as usual. */
struct sh_fixture_options {
    uint64_t steps;
    size_t memory;
    size_t file_bytes; /* what the phone's files may hold */
    size_t stop_after; /* the host hangs up after so many bytes of output */
};

struct sh_fixture *sh_fixture_new(const struct sh_fixture_options *options);
void sh_fixture_free(struct sh_fixture *fixture);

struct handset *sh_fixture_handset(struct sh_fixture *fixture);

/* What the next command finds in its input. Borrowed. */
void sh_fixture_input(struct sh_fixture *fixture, const char *input);

/* What sh_fixture_run gives for a text that could go on. */
#define SH_FIXTURE_INCOMPLETE (-1)

/* Run text; *out and *errors, which may be NULL, are of this run alone. */
int sh_fixture_run(struct sh_fixture *fixture, const char *text,
                   const char **out, const char **errors);

/* Has the shell exited? */
bool sh_fixture_exited(const struct sh_fixture *fixture);

/* Run text in a new shell, and fail the running test if it is not as told. */
void assert_sh(const char *text, const char *out);
void assert_sh_fails(const char *text, int status, const char *errors);
void assert_sh_input(const char *text, const char *input, const char *out);

#endif
