#include "tests/process_provider/describe/expect_description.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "process_provider/describe/describe.h"

void expect_description_load(struct tree *tree, const char *xml)
{
    struct err err;

    if (!tree_read(tree, xml, strlen(xml), &err))
        fail_msg("%s", err.text);
}

void expect_description_of_tap(const char *xml, int x, int y,
                               const char *expected)
{
    struct tree tree = TREE_INIT;
    struct description description;

    expect_description_load(&tree, xml);
    describe_tap(&(struct scene){.tree = &tree}, x, y, &description);
    assert_string_equal(description.text, expected);
    assert_int_equal(strncmp(description.line, expected, strlen(expected)), 0);
    tree_release(&tree);
}

void expect_plain_description(const char *xml, int x, int y,
                              const char *expected)
{
    struct tree tree = TREE_INIT;
    char line[DESCRIPTION_MAX];

    expect_description_load(&tree, xml);
    describe_plain(&tree, x, y, line);
    assert_string_equal(line, expected);
    tree_release(&tree);
}

void expect_description_of_step(const char *xml, const struct action *action,
                                const char *expected)
{
    struct tree tree = TREE_INIT;
    struct description description;

    if (xml)
        expect_description_load(&tree, xml);
    describe_step(&(struct scene){.tree = xml ? &tree : NULL}, action,
                  &description);
    assert_string_equal(description.line, expected);
    tree_release(&tree);
}
