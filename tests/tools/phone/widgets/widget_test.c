#include "tools/phone/widgets/widget.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tools/phone/widgets/widget_kinds.h"

/* 300x600 pixels, two per dp. */
static struct widget *make_window(struct widget_tree *tree)
{
    static struct phone_theme theme;

    theme_init(&theme, THEME_HUE, false);
    widget_tree_init(tree, NULL, &theme, (struct widget_size){300, 600}, 320);
    return widget_window(tree, "a.b");
}

static struct widget *add(struct widget *parent, float width, float height)
{
    struct widget *widget = widget_new(parent, &kind_space);

    widget->layout.width = width;
    widget->layout.height = height;
    return widget;
}

static void assert_at(const struct widget *widget, int left, int top, int right,
                      int bottom)
{
    assert_int_equal(widget->bounds.left, left);
    assert_int_equal(widget->bounds.top, top);
    assert_int_equal(widget->bounds.right, right);
    assert_int_equal(widget->bounds.bottom, bottom);
}

static void a_column_places_children_below_each_other(void **state)
{
    struct widget_tree tree;
    struct widget *column = widget_new(make_window(&tree), &kind_column);
    struct widget *first = add(column, 10, 10);
    struct widget *second = add(column, WIDGET_FILL, 20);

    (void)state;
    column->layout.padding = (struct widget_edges){5, 6, 7, 8};
    column->layout.gap = 3;
    column->layout.width = WIDGET_FILL;
    widget_tree_arrange(&tree);
    assert_at(first, 10, 12, 30, 32);
    assert_at(second, 10, 38, 286, 78);
    assert_at(column, 0, 0, 300, 94);
    widget_tree_release(&tree);
}

static void weights_share_the_remaining_space(void **state)
{
    struct widget_tree tree;
    struct widget *row = widget_new(make_window(&tree), &kind_row);
    struct widget *fixed = add(row, 30, 10);
    struct widget *one = add(row, WIDGET_WRAP, 10);
    struct widget *two = add(row, WIDGET_WRAP, 10);

    (void)state;
    one->layout.weight = 1;
    two->layout.weight = 2;
    row->layout.width = WIDGET_FILL;
    widget_tree_arrange(&tree);
    assert_at(fixed, 0, 0, 60, 20);
    assert_at(one, 60, 0, 140, 20);
    assert_at(two, 140, 0, 300, 20);
    widget_tree_release(&tree);
}

static void alignment_places_children(void **state)
{
    static const struct {
        enum widget_align align;
        int first, last; /* left */
    } cases[] = {
        {WIDGET_START, 0, 20},
        {WIDGET_CENTER, 130, 150},
        {WIDGET_END, 260, 280},
        {WIDGET_SPREAD, 0, 280},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct widget_tree tree;
        struct widget *row = widget_new(make_window(&tree), &kind_row);
        struct widget *first = add(row, 10, 10);
        struct widget *last = add(row, 10, 5);

        row->layout.width = WIDGET_FILL;
        row->layout.across = cases[i].align;
        row->layout.down = WIDGET_CENTER;
        widget_tree_arrange(&tree);
        assert_at(first, cases[i].first, 0, cases[i].first + 20, 20);
        assert_at(last, cases[i].last, 5, cases[i].last + 20, 15);
        widget_tree_release(&tree);
    }
}

static void grid_rows_have_the_height_of_their_highest_child(void **state)
{
    struct widget_tree tree;
    struct widget *grid = widget_new(make_window(&tree), &kind_grid);
    struct widget *cells[5];

    (void)state;
    grid->layout.columns = 3;
    grid->layout.gap = 15;
    for (int i = 0; i < 5; i++)
        cells[i] = add(grid, WIDGET_WRAP, i == 1 ? 20 : 10);
    widget_tree_arrange(&tree);
    assert_at(cells[0], 0, 0, 80, 40);
    assert_at(cells[2], 220, 0, 300, 40);
    assert_at(cells[4], 110, 70, 190, 90);
    assert_at(grid, 0, 0, 300, 90);
    widget_tree_release(&tree);
}

static void too_much_content_does_not_grow_the_screen(void **state)
{
    struct widget_tree tree;
    struct widget *column = widget_new(make_window(&tree), &kind_column);
    struct widget *last;

    (void)state;
    for (int i = 0; i < 4; i++)
        last = add(column, 1000, 100);
    last->layout.padding = (struct widget_edges){90, 90, 90, 90};
    widget_tree_arrange(&tree);
    assert_int_equal(box_width(last->bounds), 300);
    assert_true(box_height(last->bounds) >= 0);
    widget_tree_release(&tree);
}

static void a_touch_finds_the_topmost(void **state)
{
    struct widget_tree tree;
    struct widget *window = make_window(&tree);
    struct widget *below = add(window, 100, 100);
    struct widget *above = add(window, 50, 50);

    (void)state;
    widget_set_action(below, 1, 0);
    widget_set_action(above, 2, 0);
    widget_tree_arrange(&tree);
    assert_ptr_equal(widget_tree_hit(&tree, 0, 0), above);
    assert_ptr_equal(widget_tree_hit(&tree, 99, 99), above);
    assert_ptr_equal(widget_tree_hit(&tree, 100, 99), below);
    assert_ptr_equal(widget_tree_hit(&tree, 199, 199), below);
    assert_null(widget_tree_hit(&tree, 200, 199));
    assert_null(widget_tree_hit(&tree, -1, 0));
    above->flags |= WIDGET_DISABLED;
    assert_null(widget_tree_hit(&tree, 0, 0));
    widget_tree_release(&tree);
}

static void dialog_blocks_touches_below(void **state)
{
    struct widget_tree tree;
    struct widget *below = add(make_window(&tree), 100, 100);
    struct widget *dialog = widget_window(&tree, "a.b");

    (void)state;
    widget_set_action(below, 1, 0);
    dialog->flags |= WIDGET_DIALOG;
    dialog->layout.width = 50;
    dialog->layout.height = 50;
    widget_tree_arrange(&tree);
    assert_at(dialog, 100, 250, 200, 350);
    assert_null(widget_tree_hit(&tree, 0, 0));
    widget_tree_release(&tree);
}

static void clipped_part_is_not_touched(void **state)
{
    struct widget_tree tree;
    struct widget *frame = widget_new(make_window(&tree), &kind_stack);
    struct widget *inside = add(frame, 100, 100);

    (void)state;
    widget_set_action(inside, 1, 0);
    frame->flags |= WIDGET_CLIPS;
    widget_tree_arrange(&tree);
    inside->bounds.bottom = 400; /* more than its frame shows */
    assert_non_null(widget_tree_hit(&tree, 10, 199));
    assert_null(widget_tree_hit(&tree, 10, 200));
    assert_int_equal(widget_visible(inside).bottom, 200);
    widget_tree_release(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_places_children_below_each_other),
        cmocka_unit_test(weights_share_the_remaining_space),
        cmocka_unit_test(alignment_places_children),
        cmocka_unit_test(grid_rows_have_the_height_of_their_highest_child),
        cmocka_unit_test(too_much_content_does_not_grow_the_screen),
        cmocka_unit_test(a_touch_finds_the_topmost),
        cmocka_unit_test(dialog_blocks_touches_below),
        cmocka_unit_test(clipped_part_is_not_touched),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
