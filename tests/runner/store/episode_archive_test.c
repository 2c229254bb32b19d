#include "runner/store/episode_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "runner/store/store_client.h"
#include "tests/support/scratch_folder.h"

static struct err err = ERR_INIT;

static void write_file(const char *path, const char *text)
{
    assert_true(file_save(path, 0666, text, strlen(text), &err));
}

static void assert_file(const char *path, const char *text)
{
    struct buf content = BUF_INIT(1000);

    if (!file_load(path, &content, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&content), text);
    buf_release(&content);
}

static void an_episode_is_the_same_after_packing(void **state)
{
    (void)state;
    assert_true(file_make_folder("one/screens", 0777, &err));
    write_file("one/events.jsonl", "{}\n");
    write_file("one/screens/0000.png", "not really a picture");
    write_file("one/.hidden.part", "half");
    assert_true(episode_archive_pack("one", "one.zip", &err));
    if (!episode_archive_unpack("one.zip", "two", &err))
        fail_msg("%s", err.text);
    assert_file("two/events.jsonl", "{}\n");
    assert_file("two/screens/0000.png", "not really a picture");
    assert_int_not_equal(access("two/.hidden.part", F_OK), 0);
}

/* An archive with one file of that name. */
static void make_archive(const char *path, const char *name)
{
    zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    zip_source_t *source = zip_source_buffer(archive, "x", 1, 0);

    assert_true(zip_file_add(archive, name, source, 0) >= 0);
    assert_int_equal(zip_close(archive), 0);
}

static void names_that_no_episode_has_are_refused(void **state)
{
    static const char *const names[] = {
        "../outside", "/tmp/outside", "a/../../outside",
        "a//b",       ".hidden",      "a/b/c/d/too-deep",
        "with space", "folder/",      "a\\b",
        "\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        make_archive("hostile.zip", names[i]);
        assert_false(episode_archive_unpack("hostile.zip", "hostile", &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_not_equal(access("outside", F_OK), 0);
        file_remove_tree("hostile");
    }
}

static void a_damaged_archive_is_refused(void **state)
{
    struct buf content = BUF_INIT(100000);

    (void)state;
    assert_true(file_make_folder("whole", 0777, &err));
    write_file("whole/events.jsonl", "some events, some events, some events\n");
    assert_true(episode_archive_pack("whole", "whole.zip", &err));
    assert_true(file_load("whole.zip", &content, &err));
    for (size_t length = 0; length < content.length; length++) {
        assert_true(file_save("cut.zip", 0666, content.data, length, &err));
        assert_false(episode_archive_unpack("cut.zip", "cut", &err));
        assert_int_equal(err.code, ERR_INVALID);
        file_remove_tree("cut");
    }
    content.data[45] ^= 1; /* a byte of the compressed content */
    assert_true(
        file_save("changed.zip", 0666, content.data, content.length, &err));
    assert_false(episode_archive_unpack("changed.zip", "changed", &err));
    assert_int_equal(err.code, ERR_INVALID);
    buf_release(&content);
}

static void addresses_of_a_store_are_checked(void **state)
{
    static const char *const good[] = {"s3://farm", "s3://farm/runs",
                                       "s3://my-bucket.1/a/b_c/d.zip"};
    static const char *const bad[] = {
        "s3://",       "s3:///a",      "s3://farm/",    "s3://farm//a",
        "s3://a/../b", "s3://a/./b",   "s3://farm/a b", "s3://farm/a?b",
        "s3://u@h/a",  "s3://farm/a%", "http://farm/a", "/farm",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        assert_true(store_url_check(good[i], &err));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (store_url_check(bad[i], &err))
            fail_msg("%s is taken", bad[i]);
        assert_int_equal(err.code, ERR_INVALID);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_episode_is_the_same_after_packing),
        cmocka_unit_test(names_that_no_episode_has_are_refused),
        cmocka_unit_test(a_damaged_archive_is_refused),
        cmocka_unit_test(addresses_of_a_store_are_checked),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
