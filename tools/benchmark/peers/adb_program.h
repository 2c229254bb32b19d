/* Which adb program is run: this computer's, or that of another Debian. */
#ifndef TOOLS_BENCHMARK_PEERS_ADB_PROGRAM_H
#define TOOLS_BENCHMARK_PEERS_ADB_PROGRAM_H

#include <limits.h>

/* The words of a command line, ended by NULL. */
#define ADB_PROGRAM_ARGV_MAX 16

struct adb_program {
    char loader[PATH_MAX + 64]; /* empty: the system's loader is used */
    char libraries[2 * PATH_MAX + 64];
    char path[PATH_MAX + 64];
};

/* The adb in PATH. */
void adb_program_init_own(struct adb_program *program);

/*
 * The adb below root, with its libraries. It sees this computer's files, so
 * that its copies go to the same places as ours.
 */
void adb_program_init_below(struct adb_program *program, const char *root);

/*
 * Make every adb started from now on as fast as possible: with delayed_ack, and
 * without compression of incompressible data.
 */
void adb_program_tune(void);

/* argv: the command line with these arguments, ended by NULL. */
void adb_program_argv(const struct adb_program *program,
                      const char *const *arguments,
                      const char *argv[ADB_PROGRAM_ARGV_MAX]);

#endif
