/*
 * Lines for the phone's shell: whatever is typed, it ends within its steps,
 * holds no more than its memory, and gives all of it back. What is typed in
 * a terminal goes through the terminal first.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/apps.h"
#include "tools/phone/cmd_screen.h"
#include "tools/phone/display_settings.h"
#include "tools/phone/sh.h"
#include "tools/phone/tty.h"

#define STEPS 200
#define MEMORY ((size_t)1 << 20)
#define FILE_BYTES ((uint64_t)256 << 10)
#define SIDE 200 /* pixels */
#define DENSITY 72
#define FAMILIES (HANDSET_FAMILIES + SCREEN_FAMILIES)

static bool give_nothing(struct sh_io *io, void *data, size_t size, size_t *got)
{
    (void)io, (void)data, (void)size;
    *got = 0;
    return true;
}

static bool forget(struct sh_io *io, enum sh_side side, const void *data,
                   size_t size)
{
    (void)io, (void)side, (void)data, (void)size;
    return true;
}

static bool go_on(struct sh_io *io, struct deadline by)
{
    (void)io;
    return deadline_passed(by); /* nobody follows a log here */
}

static const struct sh_io_ops io_ops = {give_nothing, forget, go_on};

/* A phone whose screen is small, so that a look at it is quick. */
struct phone {
    struct handset handset;
    struct apps apps;
    struct screen_context context;
    struct display_settings display;
    struct command_family families[FAMILIES];
};

/* Opened once: it is the same for every phone. */
static struct fonts *fonts;

static void open_phone(struct phone *phone)
{
    const struct handset_options options = {.files.bytes = FILE_BYTES};
    struct screen_options screen = {.size = {SIDE, SIDE}, .density = DENSITY};
    struct err err;

    fuzz_expect(fonts || fonts_open(&fonts, &err));
    fuzz_expect(handset_init(&phone->handset, &options, &err));
    phone->apps = (struct apps){.handset = &phone->handset};
    phone->context = (struct screen_context){
        .clock = &phone->handset.clock,
        .faults = &phone->handset.faults,
        .handset = &phone->handset,
        .stage = apps_stage(&phone->apps),
    };
    screen.fonts = fonts;
    screen.clock = virtual_clock_view(&phone->handset.clock);
    screen.app = stage_app(phone->context.stage);
    fuzz_expect(screen_open(&screen, &phone->context.screen, &err));
    phone->context.devices =
        input_devices_new(phone->context.screen, screen.clock);
    display_settings_follow(&phone->display, &phone->handset.settings,
                            phone->context.screen);
    handset_families(&phone->handset, phone->families);
    screen_families(&phone->context, phone->families + HANDSET_FAMILIES);
}

static void close_phone(struct phone *phone)
{
    input_devices_free(phone->context.devices);
    screen_close(phone->context.screen);
    handset_release(&phone->handset);
}

static void run(const char *text, size_t length)
{
    struct account account = ACCOUNT_INIT(MEMORY);
    struct sh_io io = {&io_ops};
    struct phone phone;
    struct sh *shell;
    bool incomplete;
    int status;

    open_phone(&phone);
    shell = sh_open(&(struct sh_options){
        .files = phone.handset.files,
        .families = phone.families,
        .family_count = FAMILIES,
        .io = &io,
        .account = &account,
        .steps = STEPS,
    });
    status = sh_run(shell, text, length, &incomplete);
    fuzz_expect(status >= 0 && status <= 255);
    fuzz_expect(sh_directory(shell)[0] == '/');
    sh_close(shell);
    fuzz_expect(account.used == 0);
    close_phone(&phone);
}

static void type(const uint8_t *data, size_t size)
{
    struct tty tty = TTY_INIT;
    struct buf ready = BUF_INIT(2 * size + TTY_LINE_MAX);
    struct buf echo = BUF_INIT(8 * size + 4 * TTY_LINE_MAX);

    for (size_t i = 0; i < size; i++)
        (void)tty_type(&tty, (char)data[i], &ready, &echo);
    fuzz_expect(!ready.overflow && !echo.overflow);
    run(buf_cstr(&ready), ready.length);
    buf_release(&ready);
    buf_release(&echo);
    tty_release(&tty);
}

/* The first byte says whether the rest is typed or sent. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    if (data[0] == 't')
        type(data + 1, size - 1);
    else
        run((const char *)data + 1, size - 1);
    return 0;
}
