#include "tools/phone/widgets/widget_attribute.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/widgets/widget_kinds.h"

static struct phone_theme theme;
static struct widget_tree tree;
static struct widget *widget;

static int make_widget(void **state)
{
    (void)state;
    theme_init(&theme, THEME_HUE, false);
    widget_tree_init(&tree, NULL, &theme, (struct widget_size){100, 200}, 160);
    widget = widget_new(widget_window(&tree, "a.b"), widget_kinds_find("text"));
    return 0;
}

static int free_tree(void **state)
{
    (void)state;
    widget_tree_release(&tree);
    return 0;
}

static enum err_code set(const char *name, struct widget_attribute_value value)
{
    struct err err = ERR_INIT;

    return widget_attribute_set(widget, name, &value, &err) ? ERR_NONE
                                                            : err.code;
}

static enum err_code set_text(const char *name, const char *text)
{
    return set(name, (struct widget_attribute_value){
                         .type = WIDGET_ATTRIBUTE_TEXT, .text = text});
}

static enum err_code set_number(const char *name, double number)
{
    return set(name, (struct widget_attribute_value){
                         .type = WIDGET_ATTRIBUTE_NUMBER, .number = number});
}

static void every_type_of_value_is_set(void **state)
{
    (void)state;
    assert_int_equal(set_text("text", "Hello"), ERR_NONE);
    assert_string_equal(widget->text, "Hello");
    assert_int_equal(set_text("id", "title"), ERR_NONE);
    assert_string_equal(widget->id, "a.b:id/title");
    assert_int_equal(set_number("width", 12.5), ERR_NONE);
    assert_true(widget->layout.width == 12.5F);
    assert_int_equal(set_text("width", "fill"), ERR_NONE);
    assert_true(widget->layout.width == WIDGET_FILL);
    assert_int_equal(set_text("ink", "primary"), ERR_NONE);
    assert_int_equal(widget->look.ink, theme.primary.base);
    assert_int_equal(set_text("across", "end"), ERR_NONE);
    assert_int_equal(widget->layout.across, WIDGET_END);
    assert_int_equal(set_text("icon", "search"), ERR_NONE);
    assert_ptr_equal(widget->look.icon, icon_find("search"));
    assert_int_equal(set_text("style", "headline_small"), ERR_NONE);
    assert_true(widget->look.text_size == 24);
    assert_int_equal(
        set("checked", (struct widget_attribute_value){.yes = true}), ERR_NONE);
    assert_true(widget->flags & WIDGET_CHECKED);
    assert_int_equal(
        set("checked", (struct widget_attribute_value){.yes = false}),
        ERR_NONE);
    assert_false(widget->flags & WIDGET_CHECKED);
}

static void invalid_values_are_refused(void **state)
{
    (void)state;
    assert_int_equal(set_text("colour", "red"), ERR_NOT_FOUND);
    assert_int_equal(set_number("text", 1), ERR_INVALID);
    assert_int_equal(set_text("gap", "wide"), ERR_INVALID);
    assert_int_equal(set_text("width", "wide"), ERR_INVALID);
    assert_int_equal(set_number("width", -1), ERR_INVALID);
    assert_int_equal(set_number("gap", NAN), ERR_INVALID);
    assert_int_equal(set_number("gap", INFINITY), ERR_INVALID);
    assert_int_equal(set_number("lines", -2), ERR_INVALID);
    assert_int_equal(set_text("ink", "mauve"), ERR_INVALID);
    assert_int_equal(set_text("icon", "unicorn"), ERR_INVALID);
    assert_int_equal(set_text("style", "baroque"), ERR_INVALID);
    assert_int_equal(set_text("down", "up"), ERR_INVALID);
}

/* A named style would replace attributes that were set before. */
static void styles_are_set_first(void **state)
{
    size_t count = 0;

    (void)state;
    assert_string_equal(widget_attribute_name(0), "style");
    while (widget_attribute_name(count))
        count++;
    assert_true(count > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_type_of_value_is_set, make_widget,
                                        free_tree),
        cmocka_unit_test_setup_teardown(invalid_values_are_refused, make_widget,
                                        free_tree),
        cmocka_unit_test(styles_are_set_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
