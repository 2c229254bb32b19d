/*
 * Every real dump is parsed, or refused with the right reason; and so is every
 * prefix of it: some of them; with PROCTOR_FULL all prefixes of small dumps and
 * every 499th of large ones, about 250,000.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "process_provider/describe/describe.h"
#include "process_provider/diff/tree_diff.h"
#include "process_provider/tree/tree_write.h"

#define NO_FIXTURES 77
#define FOLDER TEST_FIXTURES "/dumps"
#define SAMPLES 4     /* prefixes of each dump */
#define FULL_STEP 499 /* bytes from one to the next, with PROCTOR_FULL */
#define SMALL ((size_t)8 * 1024) /* of these, each byte, with PROCTOR_FULL */

static bool is_dump(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (!strcmp(dot, ".xml") || !strcmp(dot, ".txt"));
}

static unsigned visit_dumps(void (*each)(const char *name,
                                         const struct buf *bytes))
{
    DIR *folder = opendir(FOLDER);
    struct buf bytes = BUF_INIT(TREE_SIZE_MAX);
    struct dirent *entry;
    unsigned count = 0;

    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char path[1024];
        struct err err;

        if (!is_dump(entry->d_name))
            continue;
        snprintf(path, sizeof(path), FOLDER "/%s", entry->d_name);
        buf_clear(&bytes);
        if (!file_load(path, &bytes, &err))
            fail_msg("%s", err.text);
        each(entry->d_name, &bytes);
        count++;
    }
    buf_release(&bytes);
    closedir(folder);
    return count;
}

static void expect_tree(const char *name, const struct buf *bytes)
{
    struct tree tree = TREE_INIT;
    struct tree again = TREE_INIT;
    struct buf xml = BUF_INIT(2 * TREE_SIZE_MAX);
    struct err err;

    if (!tree_read(&tree, bytes->data, bytes->length, &err))
        fail_msg("%s: %s", name, err.text);
    tree_write_xml(&tree, &xml);
    if (!tree_read(&again, xml.data, xml.length, &err))
        fail_msg("%s, written again: %s", name, err.text);
    assert_false(tree_repaired(&again.repairs));
    assert_int_equal(tree.count, again.count);
    buf_release(&xml);
    tree_release(&tree);
    tree_release(&again);
}

static void every_dump_is_read_and_written_again(void **state)
{
    (void)state;
    assert_true(visit_dumps(expect_tree) > 200);
}

/* One line, bounded, without control characters. */
static void assert_harmless(const char *line)
{
    assert_true(strlen(line) < DESCRIPTION_MAX);
    for (; *line; line++)
        assert_true((unsigned char)*line >= 0x20 && *line != 0x7f);
}

static void expect_lines(const char *name, const struct buf *bytes)
{
    struct tree tree = TREE_INIT;
    struct err err;

    (void)name;
    assert_true(tree_read(&tree, bytes->data, bytes->length, &err));
    for (uint32_t i = 0; i < tree.count; i += 7) {
        const struct tree_rect *bounds = &tree.nodes[i].bounds;
        struct description description;
        char plain[DESCRIPTION_MAX];
        int x = (bounds->left + bounds->right) / 2;
        int y = (bounds->top + bounds->bottom) / 2;

        describe_tap(&(struct scene){.tree = &tree}, x, y, &description);
        describe_plain(&tree, x, y, plain);
        assert_harmless(description.line);
        assert_harmless(plain);
        assert_int_equal(strncmp(description.line, "tapped ", 7), 0);
    }
    tree_release(&tree);
}

static void every_tap_is_one_line(void **state)
{
    (void)state;
    (void)visit_dumps(expect_lines);
}

static void expect_same(const char *name, const struct buf *bytes)
{
    struct tree tree = TREE_INIT;
    struct tree_diff diff;
    struct err err;

    assert_true(tree_read(&tree, bytes->data, bytes->length, &err));
    tree_diff(&tree, &tree, &diff);
    if (diff.count)
        fail_msg("%s differs from itself", name);
    tree_diff_release(&diff);
    tree_release(&tree);
}

static void no_dump_differs_from_itself(void **state)
{
    (void)state;
    (void)visit_dumps(expect_same);
}

/* A separate copy, so that a read beyond the end is detected. */
static void read_beginning(struct tree *tree, const struct buf *bytes,
                           size_t length)
{
    char *copy = malloc(length + !length);
    struct description description;
    struct err err = ERR_INIT;

    assert_non_null(copy);
    memcpy(copy, bytes->data, length);
    if (tree_read(tree, copy, length, &err))
        describe_tap(&(struct scene){.tree = tree}, 300, 900, &description);
    else
        assert_int_equal(err.code, ERR_INVALID);
    free(copy);
}

static void expect_beginnings(const char *name, const struct buf *bytes)
{
    size_t step = !getenv("PROCTOR_FULL")  ? bytes->length / SAMPLES + 1
                  : bytes->length <= SMALL ? 1
                                           : FULL_STEP;
    size_t start = strlen(name) * 31 % step;
    struct tree tree = TREE_INIT;

    for (size_t length = start; length < bytes->length; length += step)
        read_beginning(&tree, bytes, length);
    tree_release(&tree);
}

static void every_prefix_is_parsed_or_refused(void **state)
{
    (void)state;
    (void)visit_dumps(expect_beginnings);
}

static void expect_repair(const char *name, enum tree_repair repair)
{
    struct tree tree = TREE_INIT;
    char path[1024];
    struct err err;

    snprintf(path, sizeof(path), FOLDER "/%s", name);
    if (!tree_load(&tree, path, &err))
        fail_msg("%s", err.text);
    if (!tree.repairs.count[repair])
        fail_msg("%s: no %s", name, tree_repair_name(repair));
    tree_release(&tree);
}

static void repairs_are_reported(void **state)
{
    (void)state;
    expect_repair("Monkey-D-Luisi+convy__ui_dump.xml", REPAIR_UTF16);
    expect_repair("Monkey-D-Luisi+convy__mobile__uidump.xml",
                  REPAIR_ENCODING_MARK);
    expect_repair("MunkiJeon+IVI_OS_Auto_var00__ui_dump.xml", REPAIR_CP949);
    expect_repair("wilderblas+indriverpy__xmltemp.xml", REPAIR_ROOTS);
    expect_repair("cebe123+lumisky-v4__artifacts__device-smoke__catalog-ui-"
                  "for-pixel.xml",
                  REPAIR_TEXT_AROUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dump_is_read_and_written_again),
        cmocka_unit_test(every_tap_is_one_line),
        cmocka_unit_test(no_dump_differs_from_itself),
        cmocka_unit_test(every_prefix_is_parsed_or_refused),
        cmocka_unit_test(repairs_are_reported),
    };

    if (access(FOLDER, R_OK))
        return NO_FIXTURES;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
