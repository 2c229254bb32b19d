#include "base/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/jpeg.h"

static void fill(struct picture *picture)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, 8, 8, &err));
    memset(picture->pixels, 0xff, picture->stride * 8);
}

static void what_is_saved_is_loaded(void **state)
{
    char path[] = "/tmp/proctor-image.XXXXXX";
    int fd = mkstemp(path);
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(fd >= 0);
    fill(&before);
    assert_true(image_save(path, &before, &err));
    assert_true(image_load(path, &after, &err));
    assert_memory_equal(before.pixels, after.pixels, before.stride * 8);
    close(fd);
    unlink(path);
    picture_release(&before);
    picture_release(&after);
}

static void a_jpeg_is_known_by_its_bytes(void **state)
{
    struct buf jpeg = BUF_INIT(1 << 20);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fill(&picture);
    assert_true(jpeg_encode(&picture, 90, &jpeg, &err));
    assert_true(image_decode(jpeg.data, jpeg.length, &picture, &err));
    assert_int_equal(picture.width, 8);
    picture_release(&picture);
    buf_release(&jpeg);
}

static void what_is_neither_is_refused(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(image_decode("GIF89a", 6, &picture, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_string_equal(err.text, "neither PNG nor JPEG");
}

static void a_missing_file_is_named(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(image_load("/nonexistent.png", &picture, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "/nonexistent.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_saved_is_loaded),
        cmocka_unit_test(a_jpeg_is_known_by_its_bytes),
        cmocka_unit_test(what_is_neither_is_refused),
        cmocka_unit_test(a_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
