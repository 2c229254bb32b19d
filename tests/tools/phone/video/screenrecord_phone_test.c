/* The built-in phone's screenrecord, and our client of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/scrcpy/screenrecord_client.h"
#include "adb/services/shell.h"
#include "base/bytes.h"
#include "base/picture/png.h"
#include "tests/support/adb/shell_helper.h"
#include "tests/tools/phone/video/video_decoder.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define FILE_MAX ((size_t)64 << 20)

struct recorded_phone_test {
    struct phone *phone;
    struct device *device;
    struct screenrecord_client *client; /* NULL: none */
    struct video_decoder *decoder;
    struct picture seen; /* the last frame */
};

static int set_up(void **state)
{
    const struct phone_options options = {.seed = 7};
    struct recorded_phone_test *test = calloc(1, sizeof(*test));
    struct err err = ERR_INIT;

    assert_non_null(test);
    if (!phone_start(&options, &test->phone, &err))
        fail_msg("%s", err.text);
    test->device = shell_helper_connect(phone_port(test->phone));
    test->decoder = video_decoder_new();
    test->seen = (struct picture)PICTURE_INIT;
    *state = test;
    return 0;
}

static int tear_down(void **state)
{
    struct recorded_phone_test *test = *state;

    screenrecord_client_close(test->client);
    picture_release(&test->seen);
    video_decoder_free(test->decoder);
    device_close(test->device);
    phone_stop(test->phone);
    free(test);
    return 0;
}

/* Read and decode one packet. */
static enum video_packet_kind next(struct recorded_phone_test *test)
{
    struct video_packet packet;
    struct err err = ERR_INIT;

    if (!screenrecord_client_next(test->client, SOON, &packet, &err))
        fail_msg("%s", err.text);
    video_decoder_decode(test->decoder, &packet, &test->seen);
    return packet.kind;
}

static double compare(struct recorded_phone_test *test)
{
    struct buf png = BUF_INIT(FILE_MAX);
    struct picture screen = PICTURE_INIT;
    struct err err = ERR_INIT;
    double psnr;

    if (!phone_screenshot(test->phone, &png, &err) ||
        !png_decode(png.data, png.length, &screen, &err))
        fail_msg("%s", err.text);
    psnr = picture_psnr(&test->seen, &screen);
    picture_release(&screen);
    buf_release(&png);
    return psnr;
}

/* No frame follows the first one: it is complete after a silence. */
static void the_client_sees_the_screen_and_its_changes(void **state)
{
    const struct screenrecord_settings settings = {.bit_rate = 0};
    struct recorded_phone_test *test = *state;
    struct err err = ERR_INIT;

    if (!screenrecord_client_open(test->device, &settings, SOON, &test->client,
                                  &err))
        fail_msg("%s", err.text);
    assert_int_equal(next(test), VIDEO_CONFIG);
    assert_int_equal(next(test), VIDEO_KEY);
    assert_true(compare(test) >= 30);
    shell_helper_expect(test->device,
                        "am start -n com.android.settings/.Settings >/dev/null",
                        "");
    while (compare(test) < 30)
        assert_int_equal(next(test), VIDEO_DELTA);
}

static void read_file(struct device *device, const char *command,
                      struct buf *bytes)
{
    struct err err = ERR_INIT;

    if (!shell_exec(device, command, SOON, bytes, &err))
        fail_msg("%s", err.text);
}

/* The boxes of one level: their types, joined by blanks. */
static void list_boxes(const struct buf *file, char *types, size_t size)
{
    size_t at = 0, end = 0;

    *types = '\0';
    while (at + 8 <= file->length && end + 6 < size) {
        uint32_t length = get_u32be((const uint8_t *)file->data + at);

        assert_true(length >= 8 && length <= file->length - at);
        end += (size_t)snprintf(types + end, size - end, "%.4s ",
                                file->data + at + 4);
        at += length;
    }
    assert_int_equal(at, file->length);
}

/* Find a number in a box of any level. */
static uint32_t number_in(const struct buf *file, const char *type, size_t at)
{
    for (size_t i = 0; i + 4 + at + 4 <= file->length; i++) {
        if (!memcmp(file->data + i, type, 4))
            return get_u32be((const uint8_t *)file->data + i + at);
    }
    fail_msg("the file has no %s", type);
    return 0;
}

static void a_file_is_an_mp4_with_the_size_that_was_asked_for(void **state)
{
    struct recorded_phone_test *test = *state;
    struct buf file = BUF_INIT(FILE_MAX);
    char types[64];

    shell_helper_expect(test->device,
                        "screenrecord --size 540x1200 --bit-rate 4M "
                        "--time-limit 1 /sdcard/film.mp4; echo $?",
                        "0\n");
    read_file(test->device, "cat /sdcard/film.mp4", &file);
    list_boxes(&file, types, sizeof(types));
    assert_string_equal(types, "ftyp mdat moov ");
    assert_int_equal(number_in(&file, "tkhd", 80), 540U << 16);
    assert_int_equal(number_in(&file, "tkhd", 84), 1200U << 16);
    assert_true(number_in(&file, "stsz", 12) >= 1);
    assert_true(number_in(&file, "mvhd", 20) > 0);
    buf_release(&file);
}

static void wrong_arguments_are_named(void **state)
{
    struct recorded_phone_test *test = *state;

    shell_helper_expect(test->device, "screenrecord 2>&1; echo $?",
                        "Must specify output file (see --help).\n2\n");
    shell_helper_expect(test->device,
                        "screenrecord --size 10 /sdcard/a.mp4 2>&1; echo $?",
                        "Invalid size '10'\n2\n");
    shell_helper_expect(test->device,
                        "screenrecord --bit-rate=1 /sdcard/a.mp4 2>&1",
                        "Invalid bit rate '1'\n");
    shell_helper_expect(test->device,
                        "screenrecord --time-limit x /sdcard/a.mp4 2>&1",
                        "Invalid time limit 'x'\n");
    shell_helper_expect(
        test->device, "screenrecord - 2>&1",
        "ERROR: only the output format h264 can be written to -\n");
    shell_helper_expect(test->device,
                        "screenrecord --help 2>&1 | grep -c 'Set to 0'", "1\n");
}

#define ON_PHONE(test_)                                                        \
    cmocka_unit_test_setup_teardown(test_, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_PHONE(the_client_sees_the_screen_and_its_changes),
        ON_PHONE(a_file_is_an_mp4_with_the_size_that_was_asked_for),
        ON_PHONE(wrong_arguments_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
