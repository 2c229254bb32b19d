#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/core/shared_bytes.h"

#define LIMIT 1000

static void blob_has_the_appended_bytes(void **state)
{
    struct space *space = space_new(LIMIT);
    struct shared_bytes_writer writer = SHARED_BYTES_WRITER_INIT(space);
    struct shared_bytes *shared_bytes;

    (void)state;
    assert_true(shared_bytes_append(&writer, "one ", 4));
    assert_true(shared_bytes_append(&writer, "", 0));
    memcpy(shared_bytes_reserve(&writer, 100), "two", 3);
    shared_bytes_commit(&writer, 3);
    shared_bytes = shared_bytes_finish(&writer);
    assert_int_equal(shared_bytes->size, 7);
    assert_memory_equal(shared_bytes->data, "one two", 7);
    assert_int_equal(space_used(space), 7);
    shared_bytes_drop(shared_bytes);
    assert_int_equal(space_used(space), 0);
    space_drop(space);
}

static void an_empty_blob_takes_no_room(void **state)
{
    struct space *space = space_new(0);
    struct shared_bytes *shared_bytes = shared_bytes_of(space, NULL, 0);

    (void)state;
    assert_non_null(shared_bytes);
    assert_int_equal(shared_bytes->size, 0);
    shared_bytes_drop(shared_bytes);
    space_drop(space);
}

static void space_can_be_filled_to_its_limit(void **state)
{
    struct space *space = space_new(LIMIT);
    struct shared_bytes_writer writer = SHARED_BYTES_WRITER_INIT(space);

    (void)state;
    for (int i = 0; i < LIMIT; i++)
        assert_true(shared_bytes_append(&writer, "x", 1));
    assert_false(shared_bytes_append(&writer, "x", 1));
    assert_null(shared_bytes_reserve(&writer, SIZE_MAX));
    assert_int_equal(writer.size, LIMIT);
    assert_null(shared_bytes_of(space, "x", 1));
    shared_bytes_writer_release(&writer);
    assert_int_equal(space_used(space), 0);
    space_drop(space);
}

static void bytes_count_until_the_last_reference_is_released(void **state)
{
    struct space *space = space_new(LIMIT);
    struct shared_bytes *shared_bytes = shared_bytes_of(space, "abc", 3);
    struct shared_bytes *held = shared_bytes_hold(shared_bytes);

    (void)state;
    shared_bytes_drop(shared_bytes);
    assert_int_equal(space_used(space), 3);
    space_drop(space);
    assert_memory_equal(held->data, "abc", 3);
    shared_bytes_drop(held);
    shared_bytes_drop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blob_has_the_appended_bytes),
        cmocka_unit_test(an_empty_blob_takes_no_room),
        cmocka_unit_test(space_can_be_filled_to_its_limit),
        cmocka_unit_test(bytes_count_until_the_last_reference_is_released),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
