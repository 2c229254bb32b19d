#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/phone/blob.h"

#define LIMIT 1000

static void a_blob_holds_what_was_appended(void **state)
{
    struct space *space = space_new(LIMIT);
    struct blob_writer writer = BLOB_WRITER_INIT(space);
    struct blob *blob;

    (void)state;
    assert_true(blob_append(&writer, "one ", 4));
    assert_true(blob_append(&writer, "", 0));
    memcpy(blob_reserve(&writer, 100), "two", 3);
    blob_commit(&writer, 3);
    blob = blob_finish(&writer);
    assert_int_equal(blob->size, 7);
    assert_memory_equal(blob->data, "one two", 7);
    assert_int_equal(space_used(space), 7);
    blob_drop(blob);
    assert_int_equal(space_used(space), 0);
    space_drop(space);
}

static void an_empty_blob_takes_no_room(void **state)
{
    struct space *space = space_new(0);
    struct blob *blob = blob_of(space, NULL, 0);

    (void)state;
    assert_non_null(blob);
    assert_int_equal(blob->size, 0);
    blob_drop(blob);
    space_drop(space);
}

static void all_the_room_can_be_used_and_no_more(void **state)
{
    struct space *space = space_new(LIMIT);
    struct blob_writer writer = BLOB_WRITER_INIT(space);

    (void)state;
    for (int i = 0; i < LIMIT; i++)
        assert_true(blob_append(&writer, "x", 1));
    assert_false(blob_append(&writer, "x", 1));
    assert_null(blob_reserve(&writer, SIZE_MAX));
    assert_int_equal(writer.size, LIMIT);
    assert_null(blob_of(space, "x", 1));
    blob_writer_release(&writer);
    assert_int_equal(space_used(space), 0);
    space_drop(space);
}

static void bytes_count_until_their_last_holder_is_gone(void **state)
{
    struct space *space = space_new(LIMIT);
    struct blob *blob = blob_of(space, "abc", 3);
    struct blob *held = blob_hold(blob);

    (void)state;
    blob_drop(blob);
    assert_int_equal(space_used(space), 3);
    space_drop(space);
    assert_memory_equal(held->data, "abc", 3);
    blob_drop(held);
    blob_drop(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blob_holds_what_was_appended),
        cmocka_unit_test(an_empty_blob_takes_no_room),
        cmocka_unit_test(all_the_room_can_be_used_and_no_more),
        cmocka_unit_test(bytes_count_until_their_last_holder_is_gone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
