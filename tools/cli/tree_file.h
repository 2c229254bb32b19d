/* A UI tree from a file, with what was repaired told to the user. */
#ifndef TOOLS_CLI_TREE_FILE_H
#define TOOLS_CLI_TREE_FILE_H

#include "process_provider/tree.h"
#include "tools/cli/cli.h"

/* Fails as tree_load does; the caller releases the tree in any case. */
MUST_USE bool tree_file_load(const struct cli *cli, const char *path,
                             struct tree *tree, struct err *err);

#endif
