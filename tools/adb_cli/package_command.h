/* The phone's package manager, and files of packages on command lines. */
#ifndef TOOLS_ADB_CLI_PACKAGE_COMMAND_H
#define TOOLS_ADB_CLI_PACKAGE_COMMAND_H

#include "tools/adb_cli/adb_cli.h"

#define PACKAGE_ANSWER_MAX ((size_t)64 * 1024)

/*
 * Run a command, give it a file (fd may be -1), and collect its output. Blocks
 * until it ends. Fails as adb_cli_service and stream_read_all.
 */
MUST_USE bool package_command_run(struct adb_cli *cli,
                                  const struct buf *command, int fd,
                                  struct buf *answer, struct err *err);

/* Does the answer begin with "Success"? */
bool package_command_succeeded(const struct buf *answer);

/* Upper or lower case. */
bool package_file_ends_with(const char *text, const char *end);

/* Is this word the name of an APK or what comes with one? */
bool package_file_is(const char *word);

/* Open it; what fails is printed. */
MUST_USE bool package_file_open(const char *path, int *fd,
                                unsigned long long *size);

bool package_options_have(int argc, char **argv, const char *word);

/* Append the words of a command except files and adb's own options. */
void package_options_put(struct buf *command, int argc, char **argv);

#endif
