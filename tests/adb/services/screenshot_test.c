#include "adb/services/screenshot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)

/* Only the start and end of a PNG; the bytes are not changed. */
#define PNG_CUT "\x89PNG\r\n\x1a\n\r\n\0\x01"
#define PNG PNG_CUT "\0\0\0\0IEND\xae\x42\x60\x82"

/* One red pixel: width, height, format 1, colour space. */
#define RAW "\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\xff\0\0\xff"

#define FRAME                                                                  \
    "\x02\0\0\0\x20\0\0\0\0\0\0\0\x04\0\0\0\x01\0\0\0\x01\0\0\0"               \
    "\0\0\0\0\x08\0\0\0\x10\0\0\0\x08\0\0\0\x08\0\0\0\x08\0\0\0"               \
    "\x18\0\0\0\x08\0\0\0\0\xff\0\xff"

#define NOT_FOUND "sh: screencap: not found\n"

struct fixture {
    struct loopback_device *loop;
    struct device *device;
    struct screenshot shot;
};

static void connect_to(struct fixture *fixture,
                       const struct loopback_answer *answers, size_t count,
                       feature_set features)
{
    const struct loopback_device_options options = {
        .features = features, .answers = answers, .answer_count = count};

    fixture->device = loopback_device_phone(&options, &fixture->loop);
    fixture->shot = (struct screenshot)SCREENSHOT_INIT;
}

static void disconnect(struct fixture *fixture)
{
    screenshot_release(&fixture->shot);
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
}

static void take(struct fixture *fixture, enum screenshot_way way)
{
    struct err err = ERR_INIT;

    if (!screenshot_take(fixture->device, way, SOON, &fixture->shot, &err))
        fail_msg("%s", err.text);
}

static void assert_png(const struct fixture *fixture)
{
    assert_int_equal(fixture->shot.way, SCREENSHOT_PNG);
    assert_int_equal(fixture->shot.bytes.length, sizeof(PNG) - 1);
    assert_memory_equal(fixture->shot.bytes.data, PNG, sizeof(PNG) - 1);
}

static void assert_pixel(const struct fixture *fixture, const char *pixel)
{
    assert_int_equal(fixture->shot.picture.width, 1);
    assert_int_equal(fixture->shot.picture.height, 1);
    assert_memory_equal(fixture->shot.picture.pixels, pixel, 4);
}

static void each_method_is_used_on_request(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p", PNG),
        LOOPBACK_SAYS("exec:screencap", RAW),
        LOOPBACK_SAYS("framebuffer:", FRAME),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    take(&fixture, SCREENSHOT_RAW);
    assert_pixel(&fixture, "\xff\0\0\xff");
    take(&fixture, SCREENSHOT_FRAMEBUFFER);
    assert_pixel(&fixture, "\0\xff\0\xff");
    take(&fixture, SCREENSHOT_ANY);
    assert_png(&fixture);
    disconnect(&fixture);
}

static void any_tries_methods_until_one_works(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p", NOT_FOUND),
        LOOPBACK_SAYS("exec:screencap", NOT_FOUND),
        LOOPBACK_SAYS("framebuffer:", FRAME),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
    take(&fixture, SCREENSHOT_ANY);
    assert_int_equal(fixture.shot.way, SCREENSHOT_FRAMEBUFFER);
    disconnect(&fixture);
}

static void without_exec_the_shell_is_used(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("shell,v2,raw:screencap -p",
                      "\x01\x18\0\0\0" PNG "\x03\x01\0\0\0\0"),
    };
    struct fixture fixture;

    (void)state;
    assert_int_equal(sizeof(PNG) - 1, 0x18);
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    disconnect(&fixture);
}

static void warning_in_exec_output_selects_another_method(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p", "[Warning] Multiple displays\n" PNG),
        LOOPBACK_SAYS("shell,v2,raw:screencap -p",
                      "\x02\x04\0\0\0oops"
                      "\x01\x18\0\0\0" PNG "\x03\x01\0\0\0\0"),
    };
    struct fixture fixture;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
    take(&fixture, SCREENSHOT_PNG);
    assert_png(&fixture);
    disconnect(&fixture);
}

static void assert_fails(const struct loopback_answer *answers, size_t count,
                         enum screenshot_way way, const char *const *words)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    connect_to(&fixture, answers, count, 0);
    assert_false(
        screenshot_take(fixture.device, way, SOON, &fixture.shot, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    for (; *words; words++) {
        if (!strstr(err.text, *words))
            fail_msg("no \"%s\" in \"%s\"", *words, err.text);
    }
    disconnect(&fixture);
}

static void error_lists_all_methods_tried(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p", NOT_FOUND),
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_ANY,
                 (const char *const[]){"screencap -p (sh: screencap: not found",
                                       "screencap (", "framebuffer: (",
                                       "does not offer", NULL});
}

static void truncated_png_is_refused(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p", PNG_CUT),
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_PNG,
                 (const char *const[]){"truncated", NULL});
}

static void truncated_raw_screen_is_refused(void **state)
{
    static const struct loopback_answer answers[] = {
        {.service = "exec:screencap", .bytes = RAW, .length = 18},
    };

    (void)state;
    assert_fails(answers, 1, SCREENSHOT_RAW,
                 (const char *const[]){"1x1 pixels", NULL});
}

static void lost_device_ends_the_attempts(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    connect_to(&fixture, NULL, 0, conn_host_features);
    loopback_device_vanish(fixture.loop);
    assert_false(screenshot_take(fixture.device, SCREENSHOT_ANY, SOON,
                                 &fixture.shot, &err));
    assert_int_equal(err.code, ERR_LOST);
    disconnect(&fixture);
}

/* Signature and first chunk of a PNG; each side is one byte. */
#define PNG_OF(width_, height_)                                                \
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0" width_ "\0\0\0" height_            \
    "\x08\x06\0\0\0\0\0\0\0"

static void a_png_without_pixels_is_refused(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p",
                      PNG_OF("\0", "\0") "\0\0\0\0IEND\xae\x42\x60\x82"),
    };
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
    assert_false(screenshot_take(fixture.device, SCREENSHOT_PNG, SOON,
                                 &fixture.shot, &err));
    disconnect(&fixture);
}

static void png_truncated_in_its_data_is_not_decoded(void **state)
{
    static const struct loopback_answer answers[] = {
        LOOPBACK_SAYS("exec:screencap -p",
                      PNG_OF("\1", "\1") "\0\0\0\0IEND\xae\x42\x60\x82"),
    };
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
    take(&fixture, SCREENSHOT_PNG);
    assert_false(screenshot_decode(&fixture.shot, &err));
    assert_int_equal(err.code, ERR_INVALID);
    disconnect(&fixture);
}

#define FLOOD ((size_t)32 << 20)

/* Whatever the first bytes are, many more follow. */
static void flood(void *context, struct stream *stream)
{
    char *data = mem_new(FLOOD, 1);
    struct err err;

    if (stream_write(stream, context, 64, SOON, &err))
        (void)!stream_write(stream, data, FLOOD, SOON, &err);
    free(data);
}

static void a_small_picture_takes_little_memory(void **state)
{
    static char heads[][64] = {
        PNG_OF("\x64", "\x64"),           /* 100 x 100 */
        "\x64\0\0\0\x64\0\0\0\x01\0\0\0", /* the same, raw */
        "\x64\0\0\0\x64\0\0\0\x16\0\0\0", /* an unknown format */
        "sh: screencap: not found\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        const struct loopback_answer answers[] = {
            {.service = "exec:screencap -p",
             .serve = flood,
             .context = heads[i]},
            {.service = "exec:screencap", .serve = flood, .context = heads[i]},
        };
        struct fixture fixture;
        struct err err = ERR_INIT;

        connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
        assert_false(screenshot_take(fixture.device, SCREENSHOT_PNG, SOON,
                                     &fixture.shot, &err));
        assert_false(screenshot_take(fixture.device, SCREENSHOT_RAW, SOON,
                                     &fixture.shot, &err));
        /* Four frames of 100 x 100 pixels. */
        assert_true(fixture.shot.bytes.capacity <= 4 * 100 * 100 * 4);
        disconnect(&fixture);
    }
}

/* The same in the standard output of a shell. */
static void flood_in_shell(void *context, struct stream *stream)
{
    uint8_t head[5] = {1};
    struct err err;

    put_u32le(head + 1, (uint32_t)(64 + FLOOD));
    if (stream_write(stream, head, sizeof(head), SOON, &err))
        flood(context, stream);
}

static void a_small_picture_takes_little_memory_in_a_shell(void **state)
{
    static char heads[][64] = {
        PNG_OF("\x64", "\x64"),
        "\x64\0\0\0\x64\0\0\0\x01\0\0\0",
        "\x64\0\0\0\x64\0\0\0\x16\0\0\0",
        "sh: screencap: not found\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        const struct loopback_answer answers[] = {
            {.service = "shell,v2,raw:screencap -p",
             .serve = flood_in_shell,
             .context = heads[i]},
        };
        struct fixture fixture;
        struct err err = ERR_INIT;

        connect_to(&fixture, answers, ARRAY_LEN(answers), conn_host_features);
        assert_false(screenshot_take(fixture.device, SCREENSHOT_PNG, SOON,
                                     &fixture.shot, &err));
        assert_int_equal(err.code, ERR_UNSUPPORTED);
        assert_true(fixture.shot.bytes.capacity <= 4 * 100 * 100 * 4);
        disconnect(&fixture);
    }
}

/* The compressed frame of 100 x 100 pixels, and so many bytes too much. */
static void put_packed(size_t more, struct buf *packed)
{
    static const char head[] = "\x64\0\0\0\x64\0\0\0\x01\0\0\0\0\0\0";
    size_t size = sizeof(head) + (size_t)100 * 100 * 4 + more;
    struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(1);
    char *plain = mem_new(size, 1);
    char *to;

    memcpy(plain, head, sizeof(head));
    to = buf_reserve(packed, libdeflate_gzip_compress_bound(deflater, size));
    assert_non_null(to);
    buf_commit(packed, libdeflate_gzip_compress(
                           deflater, plain, size, to,
                           libdeflate_gzip_compress_bound(deflater, size)));
    libdeflate_free_compressor(deflater);
    free(plain);
}

static void send_all(void *context, struct stream *stream)
{
    const struct buf *bytes = context;
    struct err err;

    (void)!stream_write(stream, bytes->data, bytes->length, SOON, &err);
}

static void send_and_flood(void *context, struct stream *stream)
{
    static char zeros[64];

    send_all(context, stream);
    flood(zeros, stream);
}

static void a_small_compressed_picture_takes_little_memory(void **state)
{
    static const struct {
        size_t more;
        void (*serve)(void *context, struct stream *stream);
        bool good;
    } cases[] = {{0, send_all, true},
                 {0, send_and_flood, false},
                 {FLOOD, send_all, false}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf packed = BUF_INIT(2 * FLOOD);
        const struct loopback_answer answers[] = {
            {.service = "exec:screencap | gzip -1",
             .serve = cases[i].serve,
             .context = &packed},
        };
        struct fixture fixture;
        struct err err = ERR_INIT;

        put_packed(cases[i].more, &packed);
        connect_to(&fixture, answers, ARRAY_LEN(answers), 0);
        assert_int_equal(screenshot_take(fixture.device, SCREENSHOT_GZIP, SOON,
                                         &fixture.shot, &err),
                         cases[i].good);
        assert_true(fixture.shot.bytes.capacity <= 4 * 100 * 100 * 4);
        assert_true(fixture.shot.packed.capacity <= 4 * 100 * 100 * 4);
        disconnect(&fixture);
        buf_release(&packed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_method_is_used_on_request),
        cmocka_unit_test(any_tries_methods_until_one_works),
        cmocka_unit_test(without_exec_the_shell_is_used),
        cmocka_unit_test(warning_in_exec_output_selects_another_method),
        cmocka_unit_test(error_lists_all_methods_tried),
        cmocka_unit_test(truncated_png_is_refused),
        cmocka_unit_test(truncated_raw_screen_is_refused),
        cmocka_unit_test(a_png_without_pixels_is_refused),
        cmocka_unit_test(png_truncated_in_its_data_is_not_decoded),
        cmocka_unit_test(a_small_picture_takes_little_memory),
        cmocka_unit_test(a_small_picture_takes_little_memory_in_a_shell),
        cmocka_unit_test(a_small_compressed_picture_takes_little_memory),
        cmocka_unit_test(lost_device_ends_the_attempts),
    };

    return cmocka_run_group_tests_name("screenshot", tests, NULL, NULL);
}
