/* Scrolls of the built-in phone are movements, other changes are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/png.h"
#include "process_provider/diff/screendiff.h"
#include "tests/runner/test_phone.h"

static struct test_phone phone;

static int start(void **state)
{
    (void)state;
    test_phone_start(&phone, &(struct phone_options){0});
    return 0;
}

static int stop(void **state)
{
    (void)state;
    test_phone_stop(&phone);
    return 0;
}

static void picture_of(struct picture *picture)
{
    struct err err = ERR_INIT;

    test_phone_see(&phone);
    if (!png_decode(phone.seen.png.data, phone.seen.png.length, picture, &err))
        fail_msg("%s", err.text);
}

/* What one step changed, from the screen before to that after it. */
static struct screendiff diff_of(void (*step)(const void *what),
                                 const void *what)
{
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct screendiff diff;

    picture_of(&before);
    step(what);
    picture_of(&after);
    screendiff_find(&diff, &before, &after, &(struct screendiff_options){0});
    picture_release(&before);
    picture_release(&after);
    return diff;
}

static void act(const void *action)
{
    test_phone_do(&phone, action);
}

static void tap(const void *what)
{
    test_phone_tap(&phone, what);
}

static void open_app(const void *app)
{
    test_phone_open(&phone, app);
}

/* ---- scrolls ---- */

/* The only node with this text; NULL: there is none, or more than one. */
static const struct tree_node *only_one(const struct tree *tree,
                                        const char *text)
{
    const struct tree_node *found = NULL;

    for (uint32_t i = 0; i < tree->count; i++) {
        if (strcmp(tree->nodes[i].text, text) != 0)
            continue;
        if (found)
            return NULL;
        found = &tree->nodes[i];
    }
    return found;
}

/* How far a node went down, if its text is once on both screens; 0: no. */
static int moved_node(const struct tree *before, const struct tree *after,
                      const struct tree_node *node)
{
    const struct tree_node *same;

    if (!*node->text || node != only_one(before, node->text))
        return 0;
    same = only_one(after, node->text);
    return same ? same->bounds.top - node->bounds.top : 0;
}

/* How far most of the texts went that moved; 0: none moved. */
static int moved_by_tree(const struct tree *before, const struct tree *after)
{
    int best = 0, most = 0;

    for (uint32_t i = 0; i < before->count; i++) {
        int dy = moved_node(before, after, &before->nodes[i]);
        int count = 0;

        for (uint32_t j = 0; dy && j < before->count; j++)
            count += moved_node(before, after, &before->nodes[j]) == dy;
        best = count > most ? dy : best;
        most = count > most ? count : most;
    }
    return best;
}

static void expect_scroll(const char *app, int milliseconds,
                          enum action_direction direction)
{
    const struct action scroll = {.kind = ACTION_SCROLL,
                                  .direction = direction,
                                  .milliseconds = milliseconds};
    struct tree before;
    struct screendiff diff;
    int expected;

    test_phone_see(&phone);
    before = phone.seen.tree;
    phone.seen.tree = (struct tree)TREE_INIT;
    diff = diff_of(act, &scroll);
    expected = moved_by_tree(&before, &phone.seen.tree);
    tree_release(&before);
    if (!diff.moved || diff.movement.dx || diff.movement.dy != expected)
        fail_msg("%s: moved %d by %d, %d and not 0, %d", app, diff.moved,
                 diff.movement.dx, diff.movement.dy, expected);
}

static void a_scrolled_list_has_moved_as_far_as_its_texts(void **state)
{
    static const char *const pages[][3] = {
        {"Shop"},
        {"Eats"},
        {"Shop", "Categories", "Kitchen"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        test_phone_open(&phone, pages[i][0]);
        for (size_t j = 1; j < 3 && pages[i][j]; j++) {
            test_phone_see(&phone);
            test_phone_tap(&phone, pages[i][j]);
        }
        expect_scroll(pages[i][0], 0, DIRECTION_DOWN);
        expect_scroll(pages[i][0], 0, DIRECTION_UP);
        expect_scroll(pages[i][0], 1500, DIRECTION_DOWN);
    }
}

/* ---- other changes ---- */

static void other_changes_are_no_movement(void **state)
{
    static const struct action home = {.kind = ACTION_HOME};
    static const struct action back = {.kind = ACTION_BACK};
    static char text[] = "tent";
    static const struct action type = {.kind = ACTION_TYPE, .text = text};
    static const struct {
        const char *name;
        void (*step)(const void *what);
        const void *what;
    } steps[] = {
        {"open Settings", open_app, "Settings"},
        {"open a page", tap, "Display"},
        {"go back", act, &back},
        {"go home", act, &home},
        {"open Clock", open_app, "Clock"},
        {"open a tab with another button", tap, "Stopwatch"},
        {"open another tab", tap, "Timer"},
        {"go back to the first tab", tap, "Alarm"},
        {"open Shop", open_app, "Shop"},
        {"open a tab whose search field is lower", tap, "Categories"},
        {"open a list", tap, "Kitchen"},
        {"filter the list", tap, "Free shipping"},
        {"open a search", tap, "Search products"},
        {"type a text", act, &type},
        {"open Calculator", open_app, "Calculator"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        struct screendiff diff = diff_of(steps[i].step, steps[i].what);

        if (diff.moved)
            fail_msg("%s: moved by %d, %d", steps[i].name, diff.movement.dx,
                     diff.movement.dy);
        if (!diff.pixels_changed)
            fail_msg("%s: nothing changed", steps[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_scrolled_list_has_moved_as_far_as_its_texts, start, stop),
        cmocka_unit_test_setup_teardown(other_changes_are_no_movement, start,
                                        stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
