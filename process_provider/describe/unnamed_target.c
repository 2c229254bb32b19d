#include "process_provider/describe/unnamed_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process_provider/describe/node_label.h"

#define NEAR_SHARE 0.1      /* of the screen's height: the limit for "near" */
#define KEYBOARD_SHARE 0.25 /* of the screen's height: keyboards take more */
/* The thickness of a bar of three buttons, by the screen's shorter side. */
#define BUTTONS_SHARE 0.08
#define BAR_SHARE 0.2

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
 * Dumps do not contain the keyboard. But content fills its window unless a
 * keyboard pushes it up.
 */
int unnamed_target_keyboard_top(const struct tree *tree)
{
    struct tree_rect screen = tree_screen(tree);
    int32_t height = screen.bottom - screen.top;
    int top = 0;

    for (uint32_t i = 0; i < tree->count; i++) {
        const struct tree_node *node = &tree->nodes[i];

        if (strcmp(node->id, "android:id/content") != 0)
            continue;
        if (node->bounds.bottom > 0 && (!top || node->bounds.bottom < top) &&
            screen.bottom - node->bounds.bottom > KEYBOARD_SHARE * height &&
            has_field(tree, i))
            top = node->bounds.bottom;
    }
    return top;
}

bool unnamed_target_is_keyboard(const struct tree *tree, int y)
{
    int top = unnamed_target_keyboard_top(tree);

    return top > 0 && y >= top;
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
            !rect_area(&node->bounds) || !node_label_own(node, &phrase))
            continue;
        *text = phrase;
        nearest = distance;
        found = true;
    }
    return found;
}

/* ---- the navigation bar ---- */

static int32_t smaller_side(const struct tree_rect *screen)
{
    return screen->right < screen->bottom ? screen->right : screen->bottom;
}

/* Three buttons need more room than the handle for gestures. */
static bool has_buttons(const struct tree *tree, int32_t thickness)
{
    struct tree_rect screen = tree_screen(tree);

    return thickness >= BUTTONS_SHARE * smaller_side(&screen) &&
           thickness <= BAR_SHARE * smaller_side(&screen);
}

/* The bar's background, as apps that draw behind it have it in their tree. */
static bool find_background(const struct tree *tree, int x, int y,
                            struct tree_rect *bar)
{
    uint32_t place = 0;
    uint32_t node;

    while ((node = tree_next_at(tree, x, y, &place)) != TREE_NONE) {
        if (strcmp(tree->nodes[node].id, "android:id/navigationBarBackground"))
            continue;
        *bar = tree->nodes[node].bounds;
        return true;
    }
    return false;
}

/* A window from the corner of the screen that ends before the screen does. */
static bool is_beyond(const struct tree *tree, int x, int y,
                      struct tree_rect *bar)
{
    struct tree_rect screen = tree_screen(tree);
    const struct tree_rect *window = &tree->nodes[0].bounds;
    int32_t reach = (int32_t)(BAR_SHARE * smaller_side(&screen));

    if (!tree->count || window->left || window->top || x < 0 || y < 0)
        return false;
    if (x < screen.right && y >= screen.bottom && y < screen.bottom + reach) {
        *bar = (struct tree_rect){0, screen.bottom, screen.right,
                                  screen.bottom + reach};
        return true;
    }
    *bar = (struct tree_rect){screen.right, 0, screen.right + reach,
                              screen.bottom};
    return y < screen.bottom && x >= screen.right && x < bar->right;
}

static bool find_navigation(const struct tree *tree, int x, int y,
                            struct tree_rect *bar)
{
    int32_t width;
    int32_t height;

    if (!find_background(tree, x, y, bar))
        return is_beyond(tree, x, y, bar);
    width = bar->right - bar->left;
    height = bar->bottom - bar->top;
    return has_buttons(tree, width < height ? width : height);
}

bool unnamed_target_is_navigation(const struct tree *tree, int x, int y)
{
    struct tree_rect bar;

    return find_navigation(tree, x, y, &bar);
}

/* From the left, or from the bottom where the bar is vertical. */
static const char *button_at(const struct tree_rect *bar, int x, int y)
{
    double width = bar->right - bar->left;
    double height = bar->bottom - bar->top;
    double along =
        width > height ? (x - bar->left) / width : (bar->bottom - y) / height;

    if (along > 0.4 && along < 0.6)
        return "Home";
    return along < 0.5 ? "Back" : "Recents";
}

/* ---- the whole ---- */

static void describe_canvas(const struct tree *tree, uint32_t canvas, int x,
                            int y, bool changed, char words[UNNAMED_TARGET_MAX])
{
    bool page = tree->nodes[canvas].role == ROLE_PAGE;
    struct phrase title = {.text = ""};
    struct phrase near = {.text = ""};
    bool named = node_label_own(&tree->nodes[canvas], &title);
    bool beside = find_near(tree, canvas, x, y, &near);

    snprintf(words, UNNAMED_TARGET_MAX,
             "%sa place without a name on %s%s%s%s%s%s%s",
             changed ? "" : "nothing: ",
             page ? (named ? "the web page" : "a web page")
                  : "what the app draws itself",
             named ? " '" : "", title.text, named ? "'" : "",
             beside ? ", near '" : "", near.text, beside ? "'" : "");
}

void unnamed_target_describe(const struct tree *tree, int x, int y,
                             bool changed, char words[UNNAMED_TARGET_MAX])
{
    uint32_t canvas = canvas_at(tree, x, y);
    struct tree_rect bar;

    if (find_navigation(tree, x, y, &bar))
        snprintf(words, UNNAMED_TARGET_MAX,
                 "the system navigation bar, where %s is on most phones,",
                 button_at(&bar, x, y));
    else if (canvas != TREE_NONE)
        describe_canvas(tree, canvas, x, y, changed, words);
    else if (unnamed_target_is_keyboard(tree, y))
        snprintf(words, UNNAMED_TARGET_MAX, "a key of the keyboard, it seems,");
    else
        snprintf(words, UNNAMED_TARGET_MAX,
                 changed ? "a place without a name"
                         : "nothing: an empty place");
}
