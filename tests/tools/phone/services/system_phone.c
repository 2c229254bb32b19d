#include "tests/tools/phone/services/system_phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define OUTPUT_MAX ((size_t)64 << 20)

static bool io_read(struct sh_io *io, void *data, size_t size, size_t *got)
{
    struct system_phone *phone = (struct system_phone *)io;

    *got = size < phone->input_left ? size : phone->input_left;
    if (*got)
        memcpy(data, phone->input, *got);
    phone->input += *got;
    phone->input_left -= *got;
    return true;
}

static bool io_write(struct sh_io *io, enum sh_side side, const void *data,
                     size_t size)
{
    struct system_phone *phone = (struct system_phone *)io;

    buf_append(&phone->sides[side], data, size);
    return !phone->sides[side].overflow;
}

static bool io_wait(struct sh_io *io, struct deadline by)
{
    struct system_phone *phone = (struct system_phone *)io;

    if (phone->waits && !deadline_passed(by))
        phone->waits(phone);
    return true;
}

static void switch_on(struct system_phone *phone)
{
    struct screen_options screen = {.seed = 0};
    struct err err = ERR_INIT;

    assert_true(
        handset_init(&phone->handset, &(struct handset_options){0}, &err));
    assert_true(fonts_open(&phone->fonts, &err));
    phone->context = (struct screen_context){
        .clock = &phone->handset.clock,
        .faults = &phone->handset.faults,
        .handset = &phone->handset,
    };
    phone->apps = (struct app_registry){.handset = &phone->handset};
    phone->context.task_stack = app_registry_task_stack(&phone->apps);
    phone->context.shade = notification_shade_open(phone->context.task_stack,
                                                   &phone->handset, NULL);
    screen.app = notification_shade_app(phone->context.shade);
    screen.fonts = phone->fonts;
    screen.clock = virtual_clock_view(&phone->handset.clock);
    assert_true(screen_open(&screen, &phone->context.screen, &err));
    phone->context.devices =
        input_devices_new(phone->context.screen, screen.clock);
    display_settings_follow(&phone->display, &phone->handset.settings,
                            phone->context.screen);
}

int system_phone_set_up(void **state)
{
    static const struct sh_io_ops ops = {
        .read = io_read, .write = io_write, .wait = io_wait};
    static struct system_phone made;
    struct system_phone *phone = &made;

    *phone = (struct system_phone){
        .io.ops = &ops,
        .sides = {BUF_INIT(OUTPUT_MAX), BUF_INIT(OUTPUT_MAX)},
    };
    switch_on(phone);
    toybox_families(&phone->handset, phone->families);
    screen_families(&phone->context, phone->families + TOYBOX_FAMILIES);
    phone->shell = sh_open(&(struct sh_options){
        .files = phone->handset.files,
        .processes = &phone->handset.processes,
        .clock = &phone->handset.clock,
        .families = phone->families,
        .family_count = SYSTEM_PHONE_FAMILIES,
        .io = &phone->io,
    });
    *state = phone;
    return 0;
}

int system_phone_tear_down(void **state)
{
    struct system_phone *phone = *state;

    sh_close(phone->shell);
    input_devices_free(phone->context.devices);
    screen_close(phone->context.screen);
    fonts_close(phone->fonts);
    handset_release(&phone->handset);
    buf_release(&phone->sides[SH_OUT]);
    buf_release(&phone->sides[SH_ERRORS]);
    return 0;
}

const struct buf *system_phone_run(struct system_phone *phone, const char *text,
                                   int status)
{
    bool incomplete;
    int got;

    buf_clear(&phone->sides[SH_OUT]);
    buf_clear(&phone->sides[SH_ERRORS]);
    got = sh_run(phone->shell, text, strlen(text), &incomplete);
    if (got != status)
        fail_msg("%s\nends with %d and not with %d\nand says \"%s\"", text, got,
                 status, buf_cstr(&phone->sides[SH_ERRORS]));
    return &phone->sides[SH_OUT];
}

void assert_phone_prints(struct system_phone *phone, const char *text,
                         const char *out)
{
    const char *printed = buf_cstr(system_phone_run(phone, text, 0));
    const char *errors = buf_cstr(&phone->sides[SH_ERRORS]);

    if (strcmp(printed, out) != 0 || *errors)
        fail_msg("%s\nprints:   \"%s\"\nand not:  \"%s\"\nand says: \"%s\"",
                 text, printed, out, errors);
}

void assert_phone_fails(struct system_phone *phone, const char *text,
                        int status, const char *errors)
{
    system_phone_run(phone, text, status);
    assert_string_equal(buf_cstr(&phone->sides[SH_ERRORS]), errors);
}

void assert_phone_says(struct system_phone *phone, const char *text,
                       const char *part)
{
    const char *printed = buf_cstr(system_phone_run(phone, text, 0));

    if (!strstr(printed, part))
        fail_msg("%s\nprints:\n%s\nwithout:\n%s", text, printed, part);
}

bool system_phone_shows(struct system_phone *phone, const char *what)
{
    const struct buf *out =
        system_phone_run(phone, "uiautomator dump /dev/tty", 0);

    return strstr(buf_cstr(out), what) != NULL;
}
