/* Commands on the phone: status, both outputs, input, and every byte. */
#include <string.h>

#include "base/macros.h"
#include "tools/selftest/check.h"

#define PIECE (16 * KIB)

static bool need_version_2(struct selftest *test, struct err *err)
{
    return device_has(test->device, FEATURE_SHELL_V2) ||
           err_set(err, ERR_UNSUPPORTED, "this phone has version 1 only");
}

static bool check_status(struct selftest *test, struct err *err)
{
    struct shell_result result;
    bool good;

    if (!need_version_2(test, err) ||
        !shell_run(test->device, "echo out; echo errors >&2; exit 7", KIB,
                   test->by, &result, err))
        return false;
    good = result.status == 7 && !strcmp(buf_cstr(&result.out), "out\n") &&
           !strcmp(buf_cstr(&result.errors), "errors\n");
    if (!good)
        err_fill(err, ERR_REMOTE,
                 "status %d instead of 7, %zu and %zu bytes instead of 4 and 7",
                 result.status, result.out.length, result.errors.length);
    else
        check_say(test, "status 7, and both outputs apart");
    shell_result_release(&result);
    return good;
}

/* Read what was written, which may come in several pieces. */
static bool read_back(struct shell *shell, const uint8_t *data, size_t size,
                      struct deadline by, struct err *err)
{
    struct shell_event event;
    size_t got = 0;

    while (got < size) {
        if (!shell_next(shell, by, &event, err))
            return false;
        if (event.kind != SHELL_OUT || event.length > size - got ||
            memcmp(event.data, data + got, event.length) != 0)
            return err_set(err, ERR_REMOTE, "bytes came back changed");
        got += event.length;
    }
    return true;
}

static bool end_session(struct shell *shell, struct deadline by,
                        struct err *err)
{
    struct shell_event event;

    if (!shell_end_input(shell, by, err) || !shell_next(shell, by, &event, err))
        return false;
    if (event.kind != SHELL_EXIT || event.status != 0)
        return err_set(err, ERR_REMOTE,
                       "the command did not end with its input");
    return true;
}

static bool check_input(struct selftest *test, struct err *err)
{
    const struct shell_options options = {.command = "cat"};
    struct shell *shell;
    bool done = true;

    if (!need_version_2(test, err) ||
        !shell_open(test->device, &options, test->by, &shell, err))
        return false;
    for (size_t at = 0; at < MIB && done; at += PIECE)
        done = shell_write(shell, test->data + at, PIECE, test->by, err) &&
               read_back(shell, test->data + at, PIECE, test->by, err);
    done = done && end_session(shell, test->by, err);
    shell_close(shell);
    if (done)
        check_say(test, "1 MiB and the end of input, unchanged");
    return done;
}

static bool check_exec(struct selftest *test, struct err *err)
{
    struct stream *stream;
    bool done;

    if (!shell_exec_open(test->device, "cat", test->by, &stream, err))
        return false;
    done = check_echo(stream, test->data, MIB, test->by, err);
    stream_close(stream);
    if (done)
        check_say(test, "1 MiB there and back, unchanged");
    return done;
}

/* What old phones have, and new ones have besides. */
static bool check_version_1(struct selftest *test, struct err *err)
{
    struct buf text = BUF_INIT(KIB);
    struct stream *stream;
    bool done;

    if (!device_open_service(test->device, "shell:echo proctor", test->by,
                             &stream, err))
        return false;
    done = stream_read_all(stream, test->by, &text, err);
    stream_close(stream);
    if (done && !strcmp(buf_cstr(&text), "proctor\n"))
        check_say(test, "works; line ends stay as they are");
    else if (done && !strcmp(buf_cstr(&text), "proctor\r\n"))
        check_say(test, "works; line ends become CR LF");
    else if (done)
        done = err_set(err, ERR_REMOTE, "echo gave back something else");
    buf_release(&text);
    return done;
}

static const struct check checks[] = {
    {"status and errors", check_status, false},
    {"input, binary", check_input, false},
    {"exec:, binary", check_exec, false},
    {"version 1", check_version_1, true},
};

const struct check_group shell_checks = {"Shell", checks, ARRAY_LEN(checks)};
