#include "base/large_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void blocks_are_zeroed_and_writable_to_the_last_byte(void **state)
{
    static const size_t sizes[] = {1, 4096, 3000001};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char *pages = large_memory_new(sizes[i]);

        assert_non_null(pages);
        assert_int_equal(pages[0] | pages[sizes[i] - 1], 0);
        memset(pages, 'x', sizes[i]);
        large_memory_free(pages, sizes[i]);
    }
    large_memory_free(NULL, 1);
}

/* Is this address mapped? */
static int is_mapped(void *page)
{
    unsigned char resident;

    return !mincore(page, 1, &resident);
}

static void freed_blocks_are_unmapped_at_once(void **state)
{
    const size_t size = (size_t)5 << 20;
    char *pages = large_memory_new(size);
    char *last = pages + size - (size_t)sysconf(_SC_PAGESIZE);

    (void)state;
    assert_non_null(pages);
    assert_true(is_mapped(pages) && is_mapped(last));
    large_memory_free(pages, size);
    assert_false(is_mapped(pages) || is_mapped(last));
}

static void impossible_size_returns_null(void **state)
{
    (void)state;
    assert_null(large_memory_new(SIZE_MAX));
    assert_null(large_memory_new(SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_and_writable_to_the_last_byte),
        cmocka_unit_test(freed_blocks_are_unmapped_at_once),
        cmocka_unit_test(impossible_size_returns_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
