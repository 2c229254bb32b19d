#include "tools/live/live_tree.h"

#include <stdio.h>

#include "base/json_write.h"
#include "process_provider/describe/describe.h"
#include "process_provider/describe/tap_target.h"
#include "process_provider/text/masked_text.h"
#include "process_provider/tree/tree.h"
#include "runner/observe/selector_find.h"
#include "tasks/task/node_selector.h"

/* What the converter says of a tap at (x, y), without the screen's name. */
static void describe_at(const struct tree *tree, int x, int y,
                        struct description *description)
{
    const struct scene scene = {.tree = tree};

    describe_tap(&scene, x, y, description);
}

static void add_bounds(struct cJSON *object, const struct tree_rect *bounds)
{
    struct cJSON *array = json_add_array(object, "bounds");

    json_add_int(array, NULL, bounds->left);
    json_add_int(array, NULL, bounds->top);
    json_add_int(array, NULL, bounds->right);
    json_add_int(array, NULL, bounds->bottom);
}

static void add_node(const struct tree *tree, uint32_t index,
                     struct cJSON *array)
{
    const struct tree_node *node = &tree->nodes[index];
    struct cJSON *object = json_add_object(array, NULL);
    struct description description = {.text = ""};

    json_add_int(object, "index", index);
    json_add_int(object, "parent",
                 node->parent == TREE_NONE ? -1 : (int64_t)node->parent);
    add_bounds(object, &node->bounds);
    json_add_string(object, "class", node->class_name);
    json_add_string(object, "text", node->text);
    json_add_string(object, "desc", node->description);
    json_add_string(object, "id", node->id);
    json_add_bool(object, "clickable", node->flags & NODE_CLICKABLE);
    json_add_bool(object, "checked", node->flags & NODE_CHECKED);
    if (node->takes_taps || *node->text || *node->description)
        describe_at(
            tree,
            node->bounds.left + (node->bounds.right - node->bounds.left) / 2,
            node->bounds.top + (node->bounds.bottom - node->bounds.top) / 2,
            &description);
    json_add_string(object, "words", description.text);
}

static bool print(struct cJSON *value, struct buf *json, struct err *err)
{
    json_format(value, json);
    cJSON_Delete(value);
    return !json->overflow ||
           err_set(err, ERR_LIMIT, "the UI tree is too large");
}

bool live_tree_list(const struct buf *xml, struct buf *json, struct err *err)
{
    struct tree tree = TREE_INIT;
    struct cJSON *array;
    size_t count = 0;

    if (!tree_read(&tree, xml->data, xml->length, err))
        return false;
    array = json_new_array();
    for (uint32_t i = 0; i < tree.count && count < LIVE_TREE_NODES_MAX; i++) {
        if (rect_area(&tree.nodes[i].bounds) <= 0)
            continue;
        add_node(&tree, i, array);
        count++;
    }
    tree_release(&tree);
    return print(array, json, err);
}

static void add_selector(const struct tree *tree, uint32_t node, int x, int y,
                         struct cJSON *object)
{
    struct node_selector selector = {.nth = 0};

    if (node == TREE_NONE) {
        json_add_null(object, "selector");
        return;
    }
    selector_build(tree, node, (struct action_point){x, y}, &selector);
    cJSON_AddItemToObject(object, "selector", node_selector_to_json(&selector));
    node_selector_release(&selector);
}

bool live_tree_describe(const struct buf *xml, int x, int y, struct buf *json,
                        struct err *err)
{
    struct tree tree = TREE_INIT;
    struct description description = {.text = ""};
    struct cJSON *object;

    if (!tree_read(&tree, xml->data, xml->length, err))
        return false;
    describe_at(&tree, x, y, &description);
    object = json_new_object();
    json_add_string(object, "words", description.line);
    add_selector(&tree,
                 description.target.kind == TAP_TARGET_NOTHING
                     ? TREE_NONE
                     : description.target.node,
                 x, y, object);
    tree_release(&tree);
    return print(object, json, err);
}

bool live_tree_text(const struct tree *tree, int x, int y, const char **text,
                    struct err *err)
{
    uint32_t node = tap_target_shown(tree, x, y);
    const char *shown;

    if (node == TREE_NONE)
        return err_set(err, ERR_NOT_FOUND, "there is no text at (%d, %d)", x,
                       y);
    shown = *tree->nodes[node].text ? tree->nodes[node].text
                                    : tree->nodes[node].description;
    if (masked_text_is_one(shown))
        return err_set(err, ERR_INVALID,
                       "a password or a blurred text is not kept, and cannot "
                       "be the answer");
    *text = shown;
    return true;
}

bool live_tree_select(const struct tree *tree, int x, int y,
                      struct node_selector *selector, char *words, size_t size,
                      struct err *err)
{
    struct description description = {.text = ""};
    uint32_t node = tap_target_shown(tree, x, y);

    if (node != TREE_NONE) {
        const struct tree_node *seen = &tree->nodes[node];

        snprintf(words, size, "%s",
                 *seen->text ? seen->text : seen->description);
    } else {
        describe_at(tree, x, y, &description);
        if (description.target.kind == TAP_TARGET_NOTHING)
            return err_set(err, ERR_NOT_FOUND, "there is nothing at (%d, %d)",
                           x, y);
        node = description.target.node;
        snprintf(words, size, "%s", description.text);
    }
    selector_build(tree, node, (struct action_point){x, y}, selector);
    return true;
}
