/*
 * Lines for the phone's shell: it ends within its steps, stays within its
 * memory limit, and frees everything. Typed lines go through the terminal
 * first.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/apps/app_registry.h"
#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/shell/sh.h"
#include "tools/phone/shell/tty.h"
#include "tools/phone/system/display_settings.h"
#include "tools/phone/toybox/cmd.h"

#define STEPS 200
#define MEMORY ((size_t)1 << 20)
#define FILE_BYTES ((uint64_t)256 << 10)
#define SIDE 200 /* pixels */
#define DENSITY 72
#define FAMILIES (TOYBOX_FAMILIES + SCREEN_FAMILIES)

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
    return deadline_passed(by); /* logs are not followed here */
}

static const struct sh_io_ops io_ops = {
    .read = give_nothing, .write = forget, .wait = go_on};

/* A phone with a small screen, so that screenshots are fast. */
struct phone {
    struct handset handset;
    struct app_registry apps;
    struct screen_context context;
    struct display_settings display;
    struct command_family families[FAMILIES];
};

/* Opened once, and shared by all phones. */
static struct phone_fonts *fonts;

static void open_phone(struct phone *phone)
{
    const struct handset_options options = {.files.bytes = FILE_BYTES};
    struct screen_options screen = {.size = {SIDE, SIDE}, .density = DENSITY};
    struct err err;

    fuzz_expect(fonts || fonts_open(&fonts, &err));
    fuzz_expect(handset_init(&phone->handset, &options, &err));
    phone->apps = (struct app_registry){.handset = &phone->handset};
    phone->context = (struct screen_context){
        .clock = &phone->handset.clock,
        .faults = &phone->handset.faults,
        .handset = &phone->handset,
        .task_stack = app_registry_task_stack(&phone->apps),
    };
    screen.fonts = fonts;
    screen.clock = virtual_clock_view(&phone->handset.clock);
    screen.app = task_stack_app(phone->context.task_stack);
    fuzz_expect(screen_open(&screen, &phone->context.screen, &err));
    phone->context.devices =
        input_devices_new(phone->context.screen, screen.clock);
    display_settings_follow(&phone->display, &phone->handset.settings,
                            phone->context.screen);
    toybox_families(&phone->handset, phone->families);
    screen_families(&phone->context, phone->families + TOYBOX_FAMILIES);
}

static void close_phone(struct phone *phone)
{
    input_devices_free(phone->context.devices);
    screen_close(phone->context.screen);
    handset_release(&phone->handset);
}

static void run(const char *text, size_t length)
{
    struct memory_account memory_account = MEMORY_ACCOUNT_INIT(MEMORY);
    struct sh_io io = {&io_ops};
    struct phone phone;
    struct sh *shell;
    bool incomplete;
    int status;

    open_phone(&phone);
    shell = sh_open(&(struct sh_options){
        .files = phone.handset.files,
        .processes = &phone.handset.processes,
        .clock = &phone.handset.clock,
        .families = phone.families,
        .family_count = FAMILIES,
        .io = &io,
        .memory_account = &memory_account,
        .steps = STEPS,
    });
    status = sh_run(shell, text, length, &incomplete);
    fuzz_expect(status >= 0 && status <= 255);
    fuzz_expect(sh_directory(shell)[0] == '/');
    sh_close(shell);
    fuzz_expect(memory_account.used == 0);
    close_phone(&phone);
}

static void type(const uint8_t *data, size_t size)
{
    struct phone_tty tty = TTY_INIT;
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
