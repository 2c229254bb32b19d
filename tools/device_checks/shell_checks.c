/* Commands on the phone: status, both outputs, input, and every byte. */
#include <string.h>

#include "base/macros.h"
#include "tools/device_checks/device_check.h"

#define PIECE (16 * KIB)

static bool need_version_2(struct device_check_context *test, struct err *err)
{
    return device_has(test->device, FEATURE_SHELL_V2) ||
           err_set(err, ERR_UNSUPPORTED, "this phone has version 1 only");
}

/* Version 1 mixes both outputs, and prints the status as it was asked to. */
static bool check_status(struct device_check_context *test, struct err *err)
{
    bool v2 = device_has(test->device, FEATURE_SHELL_V2);
    const char *out = v2 ? "out\n" : "out\nerrors\n";
    const char *errors = v2 ? "errors\n" : "";
    struct shell_result result;
    bool good;

    if (!shell_run(test->device, "echo out; echo errors >&2; exit 7", KIB,
                   test->by, &result, err))
        return false;
    good = result.status == 7 && !strcmp(buf_cstr(&result.out), out) &&
           !strcmp(buf_cstr(&result.errors), errors);
    if (!good)
        err_fill(err, ERR_REMOTE,
                 "status %d instead of 7, %zu and %zu bytes instead of %zu and "
                 "%zu",
                 result.status, result.out.length, result.errors.length,
                 strlen(out), strlen(errors));
    else
        device_check_say(test, "status 7, both outputs %s",
                         v2 ? "apart" : "in one (version 1)");
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

static bool check_input(struct device_check_context *test, struct err *err)
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
        device_check_say(test, "1 MiB and the end of input, unchanged");
    return done;
}

static bool check_exec(struct device_check_context *test, struct err *err)
{
    struct stream *stream;
    bool done;

    if (!shell_exec_open(test->device, "cat", test->by, &stream, err))
        return false;
    done = device_check_echo(stream, test->data, MIB, test->by, err);
    stream_close(stream);
    if (done)
        device_check_say(test, "1 MiB there and back, unchanged");
    return done;
}

/* What old phones have, and new ones have besides. */
static bool check_version_1(struct device_check_context *test, struct err *err)
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
        device_check_say(test, "works; line ends stay as they are");
    else if (done && !strcmp(buf_cstr(&text), "proctor\r\n"))
        device_check_say(test, "works; line ends become CR LF");
    else if (done)
        done = err_set(err, ERR_REMOTE, "echo gave back something else");
    buf_release(&text);
    return done;
}

static const struct device_check checks[] = {
    {"status and errors", check_status, false},
    {"input, binary", check_input, false},
    {"exec:, binary", check_exec, false},
    {"version 1", check_version_1, true},
};

const struct device_check_group shell_checks = {"Shell", checks,
                                                ARRAY_LEN(checks)};
