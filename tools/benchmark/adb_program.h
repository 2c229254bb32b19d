/* Which adb is run: this computer's own, or the one of another Debian. */
#ifndef TOOLS_BENCHMARK_ADB_PROGRAM_H
#define TOOLS_BENCHMARK_ADB_PROGRAM_H

#include <limits.h>

/* Words of a whole command line, with the NULL behind the last one. */
#define ADB_PROGRAM_ARGV_MAX 16

struct adb_program {
    char loader[PATH_MAX + 64]; /* empty: the system does that */
    char libraries[2 * PATH_MAX + 64];
    char path[PATH_MAX + 64];
};

/* The adb that this computer finds. */
void adb_program_init_own(struct adb_program *program);

/*
 * The adb below root, with the libraries that it has there. It sees this
 * computer's files, so that what it copies goes where ours does.
 */
void adb_program_init_below(struct adb_program *program, const char *root);

/*
 * Let every adb that is started from now on be as fast as it can: with
 * delayed_ack, and without compressing what cannot be compressed.
 */
void adb_program_tune(void);

/* argv: how it is started with these arguments, of which a NULL is the end. */
void adb_program_argv(const struct adb_program *program,
                      const char *const *arguments,
                      const char *argv[ADB_PROGRAM_ARGV_MAX]);

#endif
