/*
 * Trees of 150,000 nodes, built to be as unfavourable as possible: describing
 * and judging take time that grows with the size of the tree, not with its
 * square (which would be hours here).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/buf.h"
#include "judge/evidence/screen_control.h"
#include "process_provider/summarize/summarize_offline.h"

#define NODES 150000U
#define SECONDS_MAX 40.0 /* CPU seconds of this process, with sanitizers */

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static void read_tree(struct buf *xml, struct tree *tree)
{
    struct err err = ERR_INIT;

    assert_false(xml->overflow);
    if (!tree_read(tree, buf_cstr(xml), xml->length, &err))
        fail_msg("%s", err.text);
    assert_true(tree->count >= NODES);
    buf_release(xml);
}

/* Everything that is done with one step, and with a control in both screens. */
static void use(const char *name, const struct tree *before,
                const struct tree *after, int x, int y)
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {x, y}};
    const struct summarize_view view = {
        .action = &action, .before = {.tree = before}, .after = after};
    double start = cpu_seconds();
    struct description description;
    struct screen_control control;

    summarize_offline(&view, &description);
    if (description.target.node != TREE_NONE &&
        screen_control_of(before, description.target.node, &control)) {
        (void)screen_control_find(after, &control);
        (void)screen_control_place(after, &control);
    }
    (void)screen_control_same_page(before, after);
    if (cpu_seconds() - start > SECONDS_MAX)
        fail_msg("%s: %.0f s", name, cpu_seconds() - start);
}

/* Overlapping roots: all of them are candidates for a tap. */
static void many_roots_take_linear_time(void **state)
{
    struct tree trees[2] = {TREE_INIT, TREE_INIT};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct buf xml = BUF_INIT(TREE_SIZE_MAX);

        buf_text(&xml, "<hierarchy>");
        for (unsigned k = 0; k < NODES; k++)
            buf_printf(&xml, "<node class=\"V%u\" bounds=\"[0,0][9,%u]\"/>", i,
                       900 + k % 7);
        buf_text(&xml, "</hierarchy>");
        read_tree(&xml, &trees[i]);
    }
    use("roots", &trees[0], &trees[1], 5, 5);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

/* Equal controls without a name, each with a meaningless id. */
static void many_unnamed_controls_take_linear_time(void **state)
{
    struct tree trees[2] = {TREE_INIT, TREE_INIT};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct buf xml = BUF_INIT(TREE_SIZE_MAX);

        buf_text(&xml, "<node class=\"R\" bounds=\"[0,0][1000,9000]\">");
        for (unsigned k = 0; k < NODES; k++)
            buf_printf(&xml,
                       "<node class=\"B\" resource-id=\"a%u\" "
                       "clickable=\"true\" bounds=\"[0,%u][9,%u]\"/>",
                       k % 3 ? 7 : i, k % 900 * 10, k % 900 * 10 + 9);
        buf_text(&xml, "</node>");
        read_tree(&xml, &trees[i]);
    }
    use("controls", &trees[0], &trees[1], 5, 5);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

/* Rows with equal names, in lists with different ones. */
static void many_rows_with_one_name_take_linear_time(void **state)
{
    struct tree trees[2] = {TREE_INIT, TREE_INIT};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct buf xml = BUF_INIT(TREE_SIZE_MAX);

        buf_text(&xml, "<node class=\"android.widget.ListView\" "
                       "bounds=\"[0,0][1000,9000]\">");
        for (unsigned k = 0; k < NODES; k++)
            buf_printf(&xml,
                       "<node class=\"B\" text=\"%s\" checkable=\"true\" "
                       "bounds=\"[0,%u][999,%u]\"/>",
                       k % 2 ? "Add"
                       : i   ? "on"
                             : "off",
                       k % 900 * 10, k % 900 * 10 + 9);
        buf_text(&xml, "</node>");
        read_tree(&xml, &trees[i]);
    }
    use("rows", &trees[0], &trees[1], 500, 15);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

/* Texts that are all different, and all changed afterwards. */
static void many_changed_texts_take_linear_time(void **state)
{
    struct tree trees[2] = {TREE_INIT, TREE_INIT};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct buf xml = BUF_INIT(TREE_SIZE_MAX);

        buf_text(&xml, "<node class=\"R\" bounds=\"[0,0][1000,9000]\">");
        for (unsigned k = 0; k < NODES; k++)
            buf_printf(&xml,
                       "<node class=\"T\" text=\"text %u of %u\" "
                       "bounds=\"[0,%u][999,%u]\"/>",
                       k, i, k % 900 * 10, k % 900 * 10 + 9);
        buf_text(&xml, "</node>");
        read_tree(&xml, &trees[i]);
    }
    use("texts", &trees[0], &trees[1], 500, 15);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

/* Subtrees of the maximum depth, repeated. */
static void many_deep_subtrees_take_linear_time(void **state)
{
    const unsigned depth = TREE_DEPTH_MAX - 2;
    struct tree trees[2] = {TREE_INIT, TREE_INIT};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct buf xml = BUF_INIT(TREE_SIZE_MAX);

        buf_text(&xml, "<node class=\"R\" bounds=\"[0,0][1000,9000]\">");
        for (unsigned k = 0; k <= NODES / depth; k++) {
            for (unsigned level = 0; level < depth; level++)
                buf_printf(&xml,
                           "<node class=\"D%u\" clickable=\"true\" "
                           "bounds=\"[0,0][99,99]\">",
                           i);
            for (unsigned level = 0; level < depth; level++)
                buf_text(&xml, "</node>");
        }
        buf_text(&xml, "</node>");
        read_tree(&xml, &trees[i]);
    }
    use("levels", &trees[0], &trees[1], 5, 5);
    tree_release(&trees[0]);
    tree_release(&trees[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_roots_take_linear_time),
        cmocka_unit_test(many_unnamed_controls_take_linear_time),
        cmocka_unit_test(many_rows_with_one_name_take_linear_time),
        cmocka_unit_test(many_changed_texts_take_linear_time),
        cmocka_unit_test(many_deep_subtrees_take_linear_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
