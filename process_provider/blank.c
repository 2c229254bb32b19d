#include "process_provider/blank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process_provider/label.h"

#define NEAR_SHARE 0.1      /* of the screen's height: what is called near */
#define KEYBOARD_SHARE 0.25 /* of the screen's height: keyboards take more */

/* ---- the keyboard ---- */

static bool has_field(const struct tree *tree, uint32_t top)
{
    for (uint32_t i = top; i < tree->nodes[top].end; i++) {
        if (tree->nodes[i].role == ROLE_FIELD)
            return true;
    }
    return false;
}

/*
 * Dumps hold no keyboard. But what a window shows fills it, unless a keyboard
 * pushes it up.
 */
bool blank_is_keyboard(const struct tree *tree, int y)
{
    struct tree_rect screen = tree_screen(tree);
    int32_t height = screen.bottom - screen.top;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (strcmp(node->id, "android:id/content") != 0)
            continue;
        if (y >= node->bounds.bottom &&
            screen.bottom - node->bounds.bottom > KEYBOARD_SHARE * height &&
            has_field(tree, i))
            return true;
    }
    return false;
}

/* ---- web pages, and what is drawn ---- */

/* The topmost node at the point that is a page or a surface. */
static uint32_t canvas_at(const struct tree *tree, int x, int y)
{
    uint32_t place = 0;
    uint32_t node;

    while ((node = tree_next_at(tree, x, y, &place)) != TREE_NONE) {
        if (tree->nodes[node].role == ROLE_PAGE ||
            tree->nodes[node].role == ROLE_SURFACE)
            return node;
    }
    return TREE_NONE;
}

static int32_t away(int32_t at, int32_t from, int32_t to)
{
    return at < from ? from - at : at >= to ? at - to : 0;
}

/* The nearest text on a canvas. */
static bool find_near(const struct tree *tree, uint32_t canvas, int x, int y,
                      struct phrase *text)
{
    struct tree_rect screen = tree_screen(tree);
    int32_t nearest = (int32_t)(NEAR_SHARE * (screen.bottom - screen.top));
    bool found = false;

    for (uint32_t i = canvas + 1; i < tree->nodes[canvas].end; i++) {
        const struct tree_node *node = &tree->nodes[i];
        int32_t across = away(x, node->bounds.left, node->bounds.right);
        int32_t along = away(y, node->bounds.top, node->bounds.bottom);
        int32_t distance = across > along ? across : along;
        struct phrase phrase;

        if (node->role == ROLE_PAGE || distance >= nearest ||
            !rect_area(&node->bounds) || !label_own(node, &phrase))
            continue;
        *text = phrase;
        nearest = distance;
        found = true;
    }
    return found;
}

static void describe_canvas(const struct tree *tree, uint32_t canvas, int x,
                            int y, char words[BLANK_MAX])
{
    bool page = tree->nodes[canvas].role == ROLE_PAGE;
    struct phrase title = {.text = ""};
    struct phrase near = {.text = ""};
    bool named = label_own(&tree->nodes[canvas], &title);
    bool beside = find_near(tree, canvas, x, y, &near);

    snprintf(words, BLANK_MAX,
             "nothing: a place without a name on %s%s%s%s%s%s%s",
             page ? (named ? "the web page" : "a web page")
                  : "what the app draws itself",
             named ? " '" : "", title.text, named ? "'" : "",
             beside ? ", near '" : "", near.text, beside ? "'" : "");
}

void blank_describe(const struct tree *tree, int x, int y,
                    char words[BLANK_MAX])
{
    uint32_t canvas = canvas_at(tree, x, y);

    if (canvas != TREE_NONE)
        describe_canvas(tree, canvas, x, y, words);
    else if (blank_is_keyboard(tree, y))
        snprintf(words, BLANK_MAX, "a key of the keyboard, it seems,");
    else
        snprintf(words, BLANK_MAX, "nothing: an empty place");
}
