#include "base/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void they_are_empty_and_can_be_written_to_the_last_byte(void **state)
{
    static const size_t sizes[] = {1, 4096, 3000001};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char *pages = pages_new(sizes[i]);

        assert_non_null(pages);
        assert_int_equal(pages[0] | pages[sizes[i] - 1], 0);
        memset(pages, 'x', sizes[i]);
        pages_free(pages, sizes[i]);
    }
    pages_free(NULL, 1);
}

/* Is there memory at this place? */
static int is_mapped(void *page)
{
    unsigned char resident;

    return !mincore(page, 1, &resident);
}

static void freed_they_are_gone_at_once(void **state)
{
    const size_t size = (size_t)5 << 20;
    char *pages = pages_new(size);
    char *last = pages + size - (size_t)sysconf(_SC_PAGESIZE);

    (void)state;
    assert_non_null(pages);
    assert_true(is_mapped(pages) && is_mapped(last));
    pages_free(pages, size);
    assert_false(is_mapped(pages) || is_mapped(last));
}

static void more_than_there_is_gives_none(void **state)
{
    (void)state;
    assert_null(pages_new(SIZE_MAX));
    assert_null(pages_new(SIZE_MAX / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_empty_and_can_be_written_to_the_last_byte),
        cmocka_unit_test(freed_they_are_gone_at_once),
        cmocka_unit_test(more_than_there_is_gives_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
