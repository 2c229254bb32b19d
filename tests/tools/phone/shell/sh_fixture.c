#include "tests/tools/phone/shell/sh_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"

#define OUTPUT_MAX ((size_t)64 << 20)

struct sh_fixture {
    struct sh_io io;
    struct memory_account memory_account;
    struct handset handset;
    struct command_family families[TOYBOX_FAMILIES];
    struct sh *shell;
    const char *input;
    struct buf sides[2];
    size_t stop_after;
};

static bool io_read(struct sh_io *io, void *data, size_t size, size_t *got)
{
    struct sh_fixture *fixture = (struct sh_fixture *)io;
    size_t left = strlen(fixture->input);

    *got = size < left ? size : left;
    memcpy(data, fixture->input, *got);
    fixture->input += *got;
    return true;
}

static bool is_gone(const struct sh_fixture *fixture)
{
    return fixture->stop_after &&
           fixture->sides[SH_OUT].length >= fixture->stop_after;
}

static bool io_write(struct sh_io *io, enum sh_side side, const void *data,
                     size_t size)
{
    struct sh_fixture *fixture = (struct sh_fixture *)io;

    buf_append(&fixture->sides[side], data, size);
    assert_false(fixture->sides[side].overflow);
    return !is_gone(fixture);
}

static bool io_wait(struct sh_io *io, struct deadline by)
{
    (void)by;
    return !is_gone((struct sh_fixture *)io);
}

static const struct sh_io_ops io_ops = {
    .read = io_read, .write = io_write, .wait = io_wait};

struct sh_fixture *sh_fixture_new(const struct sh_fixture_options *options)
{
    struct sh_fixture *fixture = mem_new(1, sizeof(*fixture));
    struct sh_options shell = {.io = &fixture->io, .steps = options->steps};
    const struct handset_options handset = {.files.bytes = options->file_bytes};
    struct err err = ERR_INIT;

    fixture->io.ops = &io_ops;
    fixture->memory_account.limit =
        options->memory ? options->memory : (size_t)64 << 20;
    fixture->stop_after = options->stop_after;
    fixture->input = "";
    fixture->sides[SH_OUT] = (struct buf)BUF_INIT(OUTPUT_MAX);
    fixture->sides[SH_ERRORS] = (struct buf)BUF_INIT(OUTPUT_MAX);
    if (!handset_init(&fixture->handset, &handset, &err))
        fail_msg("%s", err.text);
    toybox_families(&fixture->handset, fixture->families);
    shell.files = fixture->handset.files;
    shell.families = fixture->families;
    shell.family_count = TOYBOX_FAMILIES;
    shell.processes = &fixture->handset.processes;
    shell.clock = &fixture->handset.clock;
    shell.terminal = options->terminal;
    shell.memory_account = &fixture->memory_account;
    fixture->shell = sh_open(&shell);
    return fixture;
}

void sh_fixture_free(struct sh_fixture *fixture)
{
    sh_close(fixture->shell);
    assert_int_equal(fixture->memory_account.used, 0);
    handset_release(&fixture->handset);
    buf_release(&fixture->sides[SH_OUT]);
    buf_release(&fixture->sides[SH_ERRORS]);
    free(fixture);
}

struct handset *sh_fixture_handset(struct sh_fixture *fixture)
{
    return &fixture->handset;
}

void sh_fixture_input(struct sh_fixture *fixture, const char *input)
{
    fixture->input = input;
}

int sh_fixture_run(struct sh_fixture *fixture, const char *text,
                   const char **out, const char **errors)
{
    bool incomplete;
    int status;

    buf_clear(&fixture->sides[SH_OUT]);
    buf_clear(&fixture->sides[SH_ERRORS]);
    status = sh_run(fixture->shell, text, strlen(text), &incomplete);
    if (out)
        *out = buf_cstr(&fixture->sides[SH_OUT]);
    if (errors)
        *errors = buf_cstr(&fixture->sides[SH_ERRORS]);
    return incomplete ? SH_FIXTURE_INCOMPLETE : status;
}

bool sh_fixture_exited(const struct sh_fixture *fixture)
{
    return sh_has_exited(fixture->shell);
}

void assert_sh_input(const char *text, const char *input, const char *out)
{
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *printed;
    const char *errors;

    sh_fixture_input(fixture, input);
    (void)sh_fixture_run(fixture, text, &printed, &errors);
    if (strcmp(printed, out) != 0 || *errors)
        fail_msg("%s\nprints:   \"%s\"\nand not:  \"%s\"\nand says: \"%s\"",
                 text, printed, out, errors);
    sh_fixture_free(fixture);
}

void assert_sh(const char *text, const char *out)
{
    assert_sh_input(text, "", out);
}

void assert_sh_fails(const char *text, int status, const char *errors)
{
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *said;
    int got = sh_fixture_run(fixture, text, NULL, &said);

    if (got != status || strcmp(said, errors) != 0)
        fail_msg("%s\nends with %d and not with %d\nand says \"%s\"\nand not  "
                 "\"%s\"",
                 text, got, status, said, errors);
    sh_fixture_free(fixture);
}

void assert_sh_examples(const struct sh_example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_sh(examples[i].text, examples[i].out);
}
