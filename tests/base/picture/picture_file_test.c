#include "base/picture/picture_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/picture/jpeg.h"

static void fill(struct picture *picture)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, 8, 8, &err));
    memset(picture->pixels, 0xff, picture->stride * 8);
}

static void saved_picture_is_loaded(void **state)
{
    char path[] = "/tmp/proctor-image.XXXXXX";
    int fd = mkstemp(path);
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(fd >= 0);
    fill(&before);
    assert_true(picture_file_save(path, &before, &err));
    assert_true(picture_file_load(path, &after, &err));
    assert_memory_equal(before.pixels, after.pixels, before.stride * 8);
    close(fd);
    unlink(path);
    picture_release(&before);
    picture_release(&after);
}

static void jpeg_is_recognized_by_its_bytes(void **state)
{
    struct buf jpeg = BUF_INIT(1 << 20);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fill(&picture);
    assert_true(jpeg_encode(&picture, 90, &jpeg, &err));
    assert_true(picture_file_decode(jpeg.data, jpeg.length, &picture, &err));
    assert_int_equal(picture.width, 8);
    picture_release(&picture);
    buf_release(&jpeg);
}

static void other_file_types_are_refused(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(picture_file_decode("GIF89a", 6, &picture, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text, "neither PNG nor JPEG");
}

static void a_missing_file_is_named(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(picture_file_load("/nonexistent.png", &picture, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/nonexistent.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_picture_is_loaded),
        cmocka_unit_test(jpeg_is_recognized_by_its_bytes),
        cmocka_unit_test(other_file_types_are_refused),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
