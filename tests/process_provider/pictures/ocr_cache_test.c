#include "process_provider/pictures/ocr_cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/support/scratch_folder.h"

#define ENTRIES 300 /* more than one folder of the cache keeps */
#define ENTRIES_MAX 256

static void key_of(const struct ocr_cache *cache, const char *layout,
                   const char *pixels, char key[SHA256_HEX_SIZE])
{
    struct buf picture = BUF_INIT(64);

    buf_text(&picture, pixels);
    ocr_cache_key(cache, layout, &picture, key);
    buf_release(&picture);
}

static void put(const struct ocr_cache *cache, const char *key,
                const char *text)
{
    struct buf table = BUF_INIT(64);

    buf_text(&table, text);
    ocr_cache_put(cache, key, &table);
    buf_release(&table);
}

static bool holds(const struct ocr_cache *cache, const char *key,
                  const char *text)
{
    struct buf table = BUF_INIT((size_t)1 << 20);
    bool found = ocr_cache_get(cache, key, &table);

    if (found)
        assert_string_equal(buf_cstr(&table), text);
    buf_release(&table);
    return found;
}

static void cached_text_is_found_by_the_next_process(void **state)
{
    struct ocr_cache *cache = ocr_cache_open("a/ocr", "1");
    char key[SHA256_HEX_SIZE];
    char empty[SHA256_HEX_SIZE];
    struct stat found;

    (void)state;
    assert_non_null(cache);
    key_of(cache, "8", "pixels", key);
    key_of(cache, "8", "blank", empty);
    assert_false(holds(cache, key, ""));
    put(cache, key, "words");
    put(cache, empty, "");
    ocr_cache_close(cache);
    cache = ocr_cache_open("a/ocr", "1");
    assert_true(holds(cache, key, "words"));
    assert_true(holds(cache, empty, ""));
    ocr_cache_close(cache);
    assert_int_equal(stat("a/ocr", &found), 0);
    assert_int_equal(found.st_mode & 077, 0);
}

static void key_covers_picture_layout_and_version(void **state)
{
    struct ocr_cache *cache = ocr_cache_open("b", "1");
    struct ocr_cache *later = ocr_cache_open("b", "2");
    char key[SHA256_HEX_SIZE];
    char other[SHA256_HEX_SIZE];

    (void)state;
    key_of(cache, "8", "pixels", key);
    key_of(cache, "11", "pixels", other);
    assert_string_not_equal(key, other);
    key_of(cache, "8", "pixel", other);
    assert_string_not_equal(key, other);
    key_of(later, "8", "pixels", other);
    assert_string_not_equal(key, other);
    ocr_cache_close(cache);
    ocr_cache_close(later);
}

static void oldest_entries_are_removed(void **state)
{
    struct ocr_cache *cache = ocr_cache_open("c", "1");
    size_t count = 0;
    char key[32];

    (void)state;
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(key, sizeof(key), "ab%06d", i);
        put(cache, key, "words");
    }
    for (int i = 0; i < ENTRIES; i++) {
        snprintf(key, sizeof(key), "ab%06d", i);
        count += holds(cache, key, "words");
    }
    assert_int_equal(count, ENTRIES_MAX);
    assert_true(holds(cache, key, "words"));
    ocr_cache_close(cache);
}

static void large_entries_make_room_or_are_not_kept(void **state)
{
    struct ocr_cache *cache = ocr_cache_open("large", "1");
    struct buf table = BUF_INIT((size_t)1 << 20);
    size_t kept = 0;
    char key[32];

    (void)state;
    while (table.length < 200000)
        buf_text(&table, "words and more words ");
    for (int i = 0; i < 10; i++) {
        snprintf(key, sizeof(key), "ab%06d", i);
        ocr_cache_put(cache, key, &table);
    }
    for (int i = 0; i < 10; i++) {
        snprintf(key, sizeof(key), "ab%06d", i);
        kept += holds(cache, key, buf_cstr(&table));
    }
    assert_int_equal(kept, 5); /* of 200 kB each in 1 MiB */
    assert_true(holds(cache, key, buf_cstr(&table)));
    while (table.length < 300000)
        buf_text(&table, "words and more words ");
    ocr_cache_put(cache, "ab-huge", &table);
    assert_false(holds(cache, "ab-huge", ""));
    buf_release(&table);
    ocr_cache_close(cache);
}

static void the_folder_of_others_is_not_used(void **state)
{
    (void)state;
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chmod("open", 0777), 0);
    assert_null(ocr_cache_open("open", "1"));
    assert_int_equal(mkdir("own", 0700), 0);
    assert_int_equal(symlink("own", "link"), 0);
    assert_null(ocr_cache_open("link", "1"));
    if (geteuid() == 0) {
        assert_int_equal(mkdir("other", 0700), 0);
        assert_int_equal(chown("other", 65534, 65534), 0);
        assert_null(ocr_cache_open("other", "1"));
    }
}

static void without_a_cache_nothing_is_stored(void **state)
{
    char key[SHA256_HEX_SIZE];
    struct err err;

    (void)state;
    assert_true(file_save("file", 0600, "x", 1, &err));
    assert_null(ocr_cache_open("file/ocr", "1"));
    key_of(NULL, "8", "pixels", key);
    put(NULL, key, "words");
    assert_false(holds(NULL, key, ""));
    ocr_cache_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cached_text_is_found_by_the_next_process),
        cmocka_unit_test(key_covers_picture_layout_and_version),
        cmocka_unit_test(oldest_entries_are_removed),
        cmocka_unit_test(without_a_cache_nothing_is_stored),
        cmocka_unit_test(large_entries_make_room_or_are_not_kept),
        cmocka_unit_test(the_folder_of_others_is_not_used),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
