#include "adb/scrcpy/scrcpy_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* Split at blanks and parse. */
static bool parse(const char *text, struct scrcpy_options *options,
                  struct err *err)
{
    const char *words[32];
    char copy[512];
    char *rest = copy, *word;
    size_t count = 0;

    assert_true(strlen(text) < sizeof(copy));
    memcpy(copy, text, strlen(text) + 1);
    while (count < ARRAY_LEN(words) && (word = strsep(&rest, " "))) {
        if (*word)
            words[count++] = word;
    }
    return scrcpy_options_parse(words, count, options, err);
}

static void what_is_written_is_read_the_same(void **state)
{
    static const char *const lines[] = {
        "3.3.4",
        "2.1 scid=0000002a audio=false tunnel_forward=true "
        "clipboard_autosync=false max_size=1024 max_fps=30 "
        "video_bit_rate=4000000",
        "4.1 scid=7fffffff video=false send_stream_meta=false",
        "3.0 send_codec_meta=false send_device_meta=false",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct scrcpy_options options;
        struct buf out = BUF_INIT(512);
        struct err err = ERR_INIT;

        if (!parse(lines[i], &options, &err))
            fail_msg("%s: %s", lines[i], err.text);
        scrcpy_options_write(&options, &out);
        if (strlen(lines[i]) != out.length)
            fail_msg("%s became %s", lines[i], buf_cstr(&out));
        buf_release(&out);
    }
}

static void defaults_are_those_of_scrcpy(void **state)
{
    struct scrcpy_options options;
    char name[SCRCPY_SOCKET_MAX];
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse("3.3.4 log_level=info stay_awake=true", &options, &err));
    assert_true(options.video && options.audio && options.control);
    assert_false(options.tunnel_forward);
    assert_int_equal(options.bit_rate, 8000000);
    scrcpy_options_socket(&options, name);
    assert_string_equal(name, "scrcpy");
    assert_true(parse("3.3.4 scid=2a raw_stream=true", &options, &err));
    scrcpy_options_socket(&options, name);
    assert_string_equal(name, "scrcpy_0000002a");
    assert_false(options.send_frame_meta || options.send_codec_meta ||
                 options.send_device_meta || options.send_dummy_byte);
}

static void wrong_options_are_named(void **state)
{
    static const struct {
        const char *line;
        const char *says;
    } bad[] = {
        {"", "Missing client version"},
        {"bogus", "bogus"},
        {"3.3.4 video", "\"video\""},
        {"3.3.4 scid=-2", "scid"},
        {"3.3.4 scid=zz", "scid"},
        {"3.3.4 scid=ffffffffffff", "scid"},
        {"3.3.4 max_size=-1", "max_size"},
        {"3.3.4 max_size=10x", "max_size"},
        {"3.3.4 max_fps=nan", "max_fps"},
        {"3.3.4 max_fps=-1", "max_fps"},
        {"3.3.4 max_fps=1e-12", "max_fps"},
        {"3.3.4 max_fps=1001", "max_fps"},
        {"3.3.4 video_bit_rate=0", "video_bit_rate"},
        {"3.3.4 video_codec=av1", "av1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct scrcpy_options options;
        struct err err = ERR_INIT;

        assert_false(parse(bad[i].line, &options, &err));
        if (!strstr(err.text, bad[i].says))
            fail_msg("%s: %s", bad[i].line, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_the_same),
        cmocka_unit_test(defaults_are_those_of_scrcpy),
        cmocka_unit_test(wrong_options_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
