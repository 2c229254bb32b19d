#include "adb/install/apk.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "tests/support/zip_maker.h"

static const char *const app[] = {"classes.dex", "AndroidManifest.xml", NULL};
static const char *const no_app[] = {"readme", "res/AndroidManifest.xml", NULL};

/* Check bytes as if they were a file. */
static bool check(const void *bytes, size_t length, struct err *err)
{
    char path[] = "/tmp/apk.XXXXXX";
    int fd = mkstemp(path);
    uint64_t size = 0;
    bool good;

    assert_true(fd >= 0);
    unlink(path);
    assert_int_equal(write(fd, bytes, length), length);
    good = apk_check(fd, &size, err);
    if (good)
        assert_int_equal(size, length);
    close(fd);
    return good;
}

static void assert_refused(const void *bytes, size_t length, const char *words)
{
    struct err err = ERR_INIT;

    assert_false(check(bytes, length, &err));
    assert_int_equal(err.code, ERR_INVALID);
    if (!strstr(err.text, words))
        fail_msg("no \"%s\" in \"%s\"", words, err.text);
}

static void an_archive_with_a_manifest_is_an_apk(void **state)
{
    struct buf zip = BUF_INIT(4096);
    struct err err = ERR_INIT;

    (void)state;
    zip_maker_write(&zip, app, "");
    assert_true(check(zip.data, zip.length, &err));
    buf_clear(&zip);
    zip_maker_write(&zip, app, "a comment behind it all");
    assert_true(check(zip.data, zip.length, &err));
    buf_release(&zip);
}

static void archive_without_a_manifest_is_no_apk(void **state)
{
    struct buf zip = BUF_INIT(4096);

    (void)state;
    zip_maker_write(&zip, no_app, "");
    assert_refused(zip.data, zip.length, "no AndroidManifest.xml");
    buf_release(&zip);
}

static void other_files_are_no_apk(void **state)
{
    (void)state;
    assert_refused("", 0, "not a ZIP");
    assert_refused("hello\n", 6, "not a ZIP");
    assert_refused("PK\x03\x04 and then nothing of the kind", 34, "not a ZIP");
}

static void truncated_archive_is_no_apk(void **state)
{
    struct buf zip = BUF_INIT(4096);

    (void)state;
    zip_maker_write(&zip, app, "");
    for (size_t length = 0; length < zip.length; length++)
        assert_refused(zip.data, length, "not a ZIP");
    buf_release(&zip);
}

static void central_directory_beyond_the_file_is_refused(void **state)
{
    struct buf zip = BUF_INIT(4096);
    uint8_t *end;

    (void)state;
    zip_maker_write(&zip, app, "");
    end = (uint8_t *)zip.data + zip.length - 22;
    put_u32le(end + 16, UINT32_MAX);
    assert_refused(zip.data, zip.length, "central directory");
    put_u32le(end + 16, 0);
    put_u32le(end + 12, UINT32_MAX);
    assert_refused(zip.data, zip.length, "central directory");
    buf_release(&zip);
}

static void lengths_beyond_the_central_directory_are_refused(void **state)
{
    uint8_t entry[46 + 19] = {0x50, 0x4b, 0x01, 0x02};

    (void)state;
    memcpy(entry + 46, "AndroidManifest.xml", 19);
    entry[28] = 19;
    assert_true(apk_has_manifest(entry, sizeof(entry)));
    assert_false(apk_has_manifest(entry, sizeof(entry) - 1));
    entry[30] = 1; /* one byte of extra field */
    assert_false(apk_has_manifest(entry, sizeof(entry)));
    entry[30] = 0;
    entry[29] = 0xff;
    assert_false(apk_has_manifest(entry, sizeof(entry)));
    entry[29] = 0;
    entry[0] = 0;
    assert_false(apk_has_manifest(entry, sizeof(entry)));
    assert_false(apk_has_manifest(entry, 0));
}

static void a_directory_is_no_apk(void **state)
{
    struct err err = ERR_INIT;
    uint64_t size;
    int fd = open("/tmp", O_RDONLY);

    (void)state;
    assert_true(fd >= 0);
    assert_false(apk_check(fd, &size, &err));
    assert_int_equal(err.code, ERR_INVALID);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_with_a_manifest_is_an_apk),
        cmocka_unit_test(archive_without_a_manifest_is_no_apk),
        cmocka_unit_test(other_files_are_no_apk),
        cmocka_unit_test(truncated_archive_is_no_apk),
        cmocka_unit_test(central_directory_beyond_the_file_is_refused),
        cmocka_unit_test(lengths_beyond_the_central_directory_are_refused),
        cmocka_unit_test(a_directory_is_no_apk),
    };

    return cmocka_run_group_tests_name("apk", tests, NULL, NULL);
}
