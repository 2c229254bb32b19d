/* Memory does not grow with the number of dumps that one tree reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "process_provider/describe/describe.h"
#include "process_provider/diff/tree_diff.h"
#include "tests/support/heap.h"

#define DUMPS 10000
#define WARM_UP 100

#define SOUND                                                                  \
    "<hierarchy rotation=\"0\"><node class=\"android.widget.Button\" "         \
    "text=\"Search\" clickable=\"true\" bounds=\"[0,0][99,99]\"><node "        \
    "class=\"android.widget.TextView\" text=\"A &amp; B\" "                    \
    "bounds=\"[0,0][50,50]\"/></node></hierarchy>"
#define BROKEN                                                                 \
    "UI hierchary dumped to: <hierarchy><node text=\"cut & broken\" "          \
    "bounds=\"[0,0][99,99]\"><node text=\"lost"

static const char *const dumps[] = {SOUND, BROKEN,
                                    "ERROR: could not get idle state."};

static void read_dumps(struct tree *tree, struct tree *other, int count)
{
    for (int i = 0; i < count; i++) {
        const char *dump = dumps[(size_t)i % ARRAY_LEN(dumps)];
        struct description description;
        struct tree_diff diff;
        struct err err;

        if (tree_read(tree, dump, strlen(dump), &err))
            describe_tap(&(struct scene){.tree = tree}, 20, 20, &description);
        tree_diff(other, tree, &diff);
        tree_diff_release(&diff);
    }
}

static void ten_thousand_dumps_take_no_more_memory_than_a_few(void **state)
{
    struct tree tree = TREE_INIT;
    struct tree other = TREE_INIT;
    struct err err;
    size_t before;

    (void)state;
    assert_true(tree_read(&other, dumps[0], strlen(dumps[0]), &err));
    read_dumps(&tree, &other, WARM_UP);
    before = heap_in_use();
    read_dumps(&tree, &other, DUMPS);
    assert_true(heap_in_use() <= before);
    tree_release(&tree);
    tree_release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_dumps_take_no_more_memory_than_a_few),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
