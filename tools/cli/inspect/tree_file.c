#include "tools/cli/inspect/tree_file.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Standard input to its end. */
static bool read_input(struct tree *tree, struct err *err)
{
    struct buf bytes = BUF_INIT(TREE_SIZE_MAX);
    bool done = file_load_descriptor(STDIN_FILENO, &bytes, err) &&
                tree_read(tree, buf_cstr(&bytes), bytes.length, err);

    buf_release(&bytes);
    return done || err_wrap(err, "standard input");
}

bool tree_file_load(const struct cli_context *cli, const char *path,
                    struct tree *tree, struct err *err)
{
    if (!strcmp(path, "-") ? !read_input(tree, err)
                           : !tree_load(tree, path, err))
        return false;
    for (size_t i = 0; i < TREE_REPAIRS; i++) {
        if (tree->repairs.count[i])
            cli_message(cli, "repaired: %s (%u)",
                        tree_repair_words((enum tree_repair)i),
                        tree->repairs.count[i]);
    }
    return true;
}
