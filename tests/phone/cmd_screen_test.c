/* The commands that look at the screen and use it, through the shell. */
#include "tools/phone/cmd_screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/png.h"
#include "base/screencap.h"
#include "tools/phone/apps.h"
#include "tools/phone/sh.h"

#define OUTPUT_MAX ((size_t)64 << 20)
#define FAMILIES (HANDSET_FAMILIES + 2)

/* A phone, and a shell on it. */
struct phone {
    struct sh_io io;
    struct handset handset;
    struct apps apps;
    struct fonts *fonts;
    struct screen_context context;
    struct command_family families[FAMILIES];
    struct sh *shell;
    struct buf sides[2];
};

static bool io_read(struct sh_io *io, void *data, size_t size, size_t *got)
{
    (void)io;
    (void)data;
    (void)size;
    *got = 0;
    return true;
}

static bool io_write(struct sh_io *io, enum sh_side side, const void *data,
                     size_t size)
{
    struct phone *phone = (struct phone *)io;

    buf_append(&phone->sides[side], data, size);
    return !phone->sides[side].overflow;
}

static bool io_wait(struct sh_io *io, struct deadline by)
{
    (void)io;
    (void)by;
    return true;
}

static void open_phone(struct phone *phone)
{
    static const struct sh_io_ops ops = {io_read, io_write, io_wait};
    const struct handset_options options = {.seed = 0};
    struct screen_options screen = {.seed = 0};
    struct err err = ERR_INIT;

    *phone = (struct phone){
        .io.ops = &ops,
        .sides = {BUF_INIT(OUTPUT_MAX), BUF_INIT(OUTPUT_MAX)},
    };
    assert_true(handset_init(&phone->handset, &options, &err));
    assert_true(fonts_open(&phone->fonts, &err));
    phone->apps = (struct apps){.handset = &phone->handset};
    screen.app = stage_app(apps_stage(&phone->apps));
    screen.fonts = phone->fonts;
    screen.clock = virtual_clock_view(&phone->handset.clock);
    phone->context.clock = &phone->handset.clock;
    phone->context.faults = &phone->handset.faults;
    assert_true(screen_open(&screen, &phone->context.screen, &err));
    handset_families(&phone->handset, phone->families);
    phone->families[HANDSET_FAMILIES] =
        (struct command_family){&screen_commands, &phone->context};
    phone->families[HANDSET_FAMILIES + 1] =
        (struct command_family){&input_commands, &phone->context};
    phone->shell = sh_open(&(struct sh_options){
        .files = phone->handset.files,
        .families = phone->families,
        .family_count = FAMILIES,
        .io = &phone->io,
    });
}

static int set_up(void **state)
{
    static struct phone phone;

    open_phone(&phone);
    *state = &phone;
    return 0;
}

static int tear_down(void **state)
{
    struct phone *phone = *state;

    sh_close(phone->shell);
    screen_close(phone->context.screen);
    fonts_close(phone->fonts);
    handset_release(&phone->handset);
    buf_release(&phone->sides[SH_OUT]);
    buf_release(&phone->sides[SH_ERRORS]);
    return 0;
}

/* Run text; what it prints is then in out. */
static const struct buf *run(struct phone *phone, const char *text, int status)
{
    bool incomplete;

    buf_clear(&phone->sides[SH_OUT]);
    buf_clear(&phone->sides[SH_ERRORS]);
    assert_int_equal(sh_run(phone->shell, text, strlen(text), &incomplete),
                     status);
    return &phone->sides[SH_OUT];
}

static void assert_prints(struct phone *phone, const char *text,
                          const char *out)
{
    assert_string_equal(buf_cstr(run(phone, text, 0)), out);
}

static bool shows(struct phone *phone, const char *what)
{
    return strstr(buf_cstr(run(phone, "uiautomator dump /dev/tty", 0)), what);
}

static void screencap_prints_png_and_raw_of_the_same(void **state)
{
    struct picture png = PICTURE_INIT;
    struct picture raw = PICTURE_INIT;
    struct err err = ERR_INIT;
    const struct buf *out = run(*state, "screencap -p", 0);

    assert_true(png_decode(out->data, out->length, &png, &err));
    out = run(*state, "screencap", 0);
    assert_int_equal(out->length, 16 + 1080 * 2400 * 4);
    assert_true(screencap_decode(out->data, out->length, &raw, &err));
    assert_int_equal(png.width, 1080);
    assert_int_equal(png.height, 2400);
    assert_memory_equal(png.pixels, raw.pixels, png.stride * png.height);
    picture_release(&png);
    picture_release(&raw);
}

static void screencap_writes_files(void **state)
{
    assert_prints(*state,
                  "cd /sdcard; screencap -p a; screencap b.png; screencap c; "
                  "[ \"$(md5sum <a)\" = \"$(md5sum <b.png)\" ] && stat -c %s c",
                  "10368016\n");
    run(*state, "screencap -p /system/no.png", 1);
    run(*state, "screencap -p /sdcard", 1);
}

static void dumps_go_where_they_are_told(void **state)
{
    const struct buf *out;

    assert_prints(*state, "uiautomator dump",
                  "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    assert_prints(*state, "uiautomator dump /sdcard/a.xml",
                  "UI hierchary dumped to: /sdcard/a.xml\n");
    run(*state,
        "cd /sdcard; "
        "[ \"$(md5sum <a.xml)\" = \"$(md5sum <window_dump.xml)\" ]",
        0);
    out = run(*state, "uiautomator dump --compressed /dev/tty", 0);
    assert_non_null(strstr(out->data, "<?xml version='1.0'"));
    assert_non_null(
        strstr(out->data, "</hierarchy>UI hierchary dumped to: /dev/tty\n"));
    assert_null(strstr(out->data, "LinearLayout"));
    assert_true(shows(*state, "LinearLayout"));
}

static void taps_and_keys_reach_the_app(void **state)
{
    run(*state, "input tap 900 500.5", 0);
    assert_true(shows(*state, "text=\"org.proctor.shop\""));
    run(*state, "input keyevent KEYCODE_BACK", 0);
    assert_false(shows(*state, "org.proctor.shop"));
    run(*state, "input touchscreen -d 0 tap 900 500", 0);
    assert_true(shows(*state, "org.proctor.shop"));
    run(*state, "input keyevent 3", 0);
    assert_false(shows(*state, "org.proctor.shop"));
}

/* Long enough is told by the phone's time, which the swipe moves. */
static void a_swipe_in_place_is_a_long_press(void **state)
{
    struct phone *phone = *state;
    int64_t before = virtual_clock_now(&phone->handset.clock);

    run(phone, "input swipe 900 500 900 500 1000", 0);
    assert_true(virtual_clock_now(&phone->handset.clock) ==
                before + PHONE_SECOND);
    assert_true(shows(phone, "org.proctor.shop"));
    run(phone, "input swipe 540 2395 540 1200 200", 0);
    assert_false(shows(phone, "org.proctor.shop"));
}

static void a_finger_may_stay_down(void **state)
{
    run(*state, "input motionevent DOWN 900 500", 0);
    assert_false(shows(*state, "org.proctor.shop"));
    run(*state, "input motionevent MOVE 905 500; input motionevent UP 905 500",
        0);
    assert_true(shows(*state, "org.proctor.shop"));
}

static void text_has_blanks_as_percent_s(void **state)
{
    run(*state, "input tap 540 2220; input text 'a%sb%c\\d'", 0);
    assert_true(shows(*state, "text=\"a b%c\\d\""));
    run(*state, "input keyevent 67 DEL --longpress KEYCODE_DEL", 0);
    assert_true(shows(*state, "text=\"a b%\""));
    run(*state, "input text 中", 255);
    assert_true(shows(*state, "text=\"a b%\""));
}

static void what_makes_no_sense_is_refused(void **state)
{
    static const char *const texts[] = {
        "input",
        "input dance",
        "input tap",
        "input tap 1",
        "input tap a b",
        "input tap nan 1",
        "input swipe 1 2 3",
        "input swipe 1 2 3 4 soon",
        "input motionevent",
        "input motionevent SIDEWAYS 1 1",
        "input motionevent DOWN",
        "input keyevent",
        "input text",
        "wm",
        "wm dance",
        "wm size large",
        "wm size 10x10",
        "wm size 1080x",
        "wm size 99999x99999",
        "wm size 4294968376x2400",
        "wm density 1",
        "wm user-rotation lock 4",
    };

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        run(*state, texts[i], 255);
    run(*state, "input tap 1e300 -1e300", 0);
    run(*state, "input swipe 0 0 1e9 1e9 1e300", 0);
}

static void wm_tells_and_sets_the_display(void **state)
{
    assert_prints(*state, "wm size; wm density",
                  "Physical size: 1080x2400\nPhysical density: 440\n");
    assert_prints(*state,
                  "wm size 720x1280; wm density 320; wm size; "
                  "wm density",
                  "Physical size: 1080x2400\nOverride size: 720x1280\n"
                  "Physical density: 440\nOverride density: 320\n");
    assert_true(shows(*state, "bounds=\"[0,0][720,1280]\""));
    assert_prints(*state, "wm size reset; wm density reset; wm size",
                  "Physical size: 1080x2400\n");
    run(*state, "wm user-rotation lock 1", 0);
    assert_true(shows(*state, "<hierarchy rotation=\"1\">"));
    assert_true(shows(*state, "bounds=\"[0,0][2400,1080]\""));
    assert_prints(*state,
                  "wm user-rotation; wm user-rotation free; "
                  "wm user-rotation",
                  "lock\nfree\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(screencap_prints_png_and_raw_of_the_same),
        TEST(screencap_writes_files),
        TEST(dumps_go_where_they_are_told),
        TEST(taps_and_keys_reach_the_app),
        TEST(a_swipe_in_place_is_a_long_press),
        TEST(a_finger_may_stay_down),
        TEST(text_has_blanks_as_percent_s),
        TEST(what_makes_no_sense_is_refused),
        TEST(wm_tells_and_sets_the_display),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
