/*
 * UI dumps: a parsed tree reads back the same after writing, and the
 * description of each tap is one line.
 */
#include "process_provider/tree/tree.h"

#include <string.h>

#include "process_provider/describe/describe.h"
#include "process_provider/diff/tree_diff.h"
#include "process_provider/tree/tree_write.h"
#include "tests/fuzz/fuzz.h"

static void check_line(const char *line)
{
    fuzz_expect(strlen(line) < DESCRIPTION_MAX);
    for (; *line; line++)
        fuzz_expect((unsigned char)*line >= 0x20 && *line != 0x7f);
}

static void check_taps(const struct tree *tree)
{
    struct description description;
    char plain[DESCRIPTION_MAX];

    for (uint32_t i = 0; i < tree->count && i < 64; i++) {
        const struct tree_rect *bounds = &tree->nodes[i].bounds;

        fuzz_expect(tree->nodes[i].end > i &&
                    tree->nodes[i].end <= tree->count);
        describe_tap(&(struct scene){.tree = tree}, bounds->left, bounds->top,
                     &description);
        describe_plain(tree, bounds->left, bounds->top, plain);
        check_line(description.line);
        check_line(plain);
    }
}

/* A screen equals itself, and all changes to none are reported. */
static void check_diff(const struct tree *tree)
{
    struct tree none = TREE_INIT;
    struct tree_diff diff;

    tree_diff(tree, tree, &diff);
    fuzz_expect(diff.count == 0);
    tree_diff_release(&diff);
    tree_diff(tree, &none, &diff);
    fuzz_expect(diff.count == diff.of_before);
    tree_diff_release(&diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tree tree = TREE_INIT;
    struct tree again = TREE_INIT;
    struct buf xml = BUF_INIT(8 * TREE_SIZE_MAX);
    struct err err;

    if (tree_read(&tree, (const char *)data, size, &err)) {
        check_taps(&tree);
        check_diff(&tree);
        tree_write_xml(&tree, &xml);
        fuzz_expect(tree_read(&again, xml.data, xml.length, &err));
        fuzz_expect(!tree_repaired(&again.repairs));
        fuzz_expect(tree.count == again.count);
    }
    buf_release(&xml);
    tree_release(&tree);
    tree_release(&again);
    return 0;
}
