/* A UI tree from a file; what was repaired is reported to the user. */
#ifndef TOOLS_CLI_INSPECT_TREE_FILE_H
#define TOOLS_CLI_INSPECT_TREE_FILE_H

#include "process_provider/tree/tree.h"
#include "tools/cli/command_line/cli_context.h"

/*
 * "-" is standard input. Fails as tree_load does; the caller releases the tree
 * in any case.
 */
MUST_USE bool tree_file_load(const struct cli_context *cli, const char *path,
                             struct tree *tree, struct err *err);

#endif
