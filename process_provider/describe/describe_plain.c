#include "process_provider/describe/describe.h"
#include "process_provider/text/line_builder.h"

static void add_plain(struct line_builder *line, const char *text)
{
    char clean[DESCRIPTION_MAX];

    if (phrase_copy(text, clean, sizeof(clean) - line->length - 1))
        line_builder_add(line, "%s%s", line->length ? " " : "", clean);
}

static void add_plain_node(struct line_builder *line,
                           const struct tree_node *node)
{
    add_plain(line, node->text);
    add_plain(line, node->description);
}

void describe_plain(const struct tree *tree, int x, int y,
                    char line[DESCRIPTION_MAX])
{
    struct line_builder out = {.text = line};
    uint32_t node = tap_target_smallest(tree, x, y);

    line[0] = '\0';
    if (node == TREE_NONE)
        return;
    add_plain_node(&out, &tree->nodes[node]);
    if (out.length)
        return;
    add_plain(&out, phrase_id_tail(tree->nodes[node].id));
    for (uint32_t i = node + 1; i < tree->nodes[node].end;
         i = tree->nodes[i].end)
        add_plain_node(&out, &tree->nodes[i]);
}
