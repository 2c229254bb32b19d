/* A selector on the first line, and the screen to search after it. */
#include "runner/observe/selector_find.h"

#include <assert.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static void look_for(const struct observation *seen,
                     const struct node_selector *selector)
{
    const struct selector_scope place = {.seen = seen};
    struct node_selector clues;
    struct selector_match found;
    struct err err = ERR_INIT;

    if (!selector_find(&place, selector, &found, &err)) {
        assert(err.code != ERR_NONE && *err.text);
        return;
    }
    if (found.node == TREE_NONE)
        return;
    assert(found.node < seen->tree.count && found.score > 0);
    selector_build(&seen->tree, found.node, found.at, &clues);
    assert(selector_screen_similarity(&seen->tree, &seen->tree) > 0.99);
    node_selector_release(&clues);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t line = end ? (size_t)(end - data) : size;
    struct node_selector selector = {.nth = 0};
    struct observation seen;
    struct cJSON *tree;
    struct json root;
    struct err err;

    if (!end || !json_parse((const char *)data, line, &tree, &err))
        return 0;
    root = (struct json)JSON_ROOT(tree);
    if (node_selector_from_json(&root, &selector, &err)) {
        observation_init(&seen);
        seen.screen = (struct extent){1080, 2400};
        seen.has_tree =
            tree_read(&seen.tree, (const char *)end + 1, size - line - 1, &err);
        look_for(&seen, &selector);
        node_selector_release(&selector);
        observation_release(&seen);
    }
    cJSON_Delete(tree);
    return 0;
}
