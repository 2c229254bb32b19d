#include "tools/cli/tree_file.h"

bool tree_file_load(const struct cli *cli, const char *path, struct tree *tree,
                    struct err *err)
{
    if (!tree_load(tree, path, err))
        return false;
    for (size_t i = 0; i < TREE_REPAIRS; i++) {
        if (tree->repairs.count[i])
            cli_say(cli, "repaired: %s (%u)",
                    tree_repair_words((enum tree_repair)i),
                    tree->repairs.count[i]);
    }
    return true;
}
