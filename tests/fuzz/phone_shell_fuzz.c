/*
 * Lines for the phone's shell: whatever is typed, it ends within its steps,
 * holds no more than its memory, and gives all of it back. What is typed in
 * a terminal goes through the terminal first.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/phone/handset.h"
#include "tools/phone/sh.h"
#include "tools/phone/tty.h"

#define STEPS 200
#define MEMORY ((size_t)1 << 20)
#define FILE_BYTES ((uint64_t)256 << 10)

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

static void run(const char *text, size_t length)
{
    const struct handset_options options = {.files.bytes = FILE_BYTES};
    struct command_family families[HANDSET_FAMILIES];
    struct account account = ACCOUNT_INIT(MEMORY);
    struct sh_io io = {&io_ops};
    struct handset handset;
    struct err err;
    struct sh *shell;
    bool incomplete;
    int status;

    fuzz_expect(handset_init(&handset, &options, &err));
    handset_families(&handset, families);
    shell = sh_open(&(struct sh_options){
        .files = handset.files,
        .families = families,
        .family_count = HANDSET_FAMILIES,
        .io = &io,
        .account = &account,
        .steps = STEPS,
    });
    status = sh_run(shell, text, length, &incomplete);
    fuzz_expect(status >= 0 && status <= 255);
    fuzz_expect(sh_directory(shell)[0] == '/');
    sh_close(shell);
    fuzz_expect(account.used == 0);
    handset_release(&handset);
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
