#include "tools/device_checks/device_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clean_text.h"

#define OUTPUT_LIMIT (64 * KIB)
#define ECHO_PIECE (16 * KIB)

void device_check_say(struct device_check_context *test, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(test->detail, sizeof(test->detail), fmt, args);
    va_end(args);
}

double device_check_speed(size_t bytes, int64_t took_ns)
{
    double seconds = (double)(took_ns > 0 ? took_ns : 1) / 1e9;

    return (double)bytes / (double)MIB / seconds;
}

bool device_check_need(struct device_check_context *test, const char *program,
                       struct err *err)
{
    struct buf command = BUF_INIT(256);
    struct shell_result result;
    bool there = false;
    bool done;

    buf_printf(&command, "command -v %s", program);
    done = shell_run(test->device, buf_cstr(&command), OUTPUT_LIMIT, test->by,
                     &result, err);
    buf_release(&command);
    if (!done)
        return false;
    there = result.status == 0 && strchr(buf_cstr(&result.out), '/');
    shell_result_release(&result);
    return there ||
           err_set(err, ERR_UNSUPPORTED, "there is no %s here", program);
}

bool device_check_run(struct device_check_context *test, const char *program,
                      const char *arguments, struct shell_result *result,
                      struct err *err)
{
    struct buf command = BUF_INIT(1024);
    bool done;

    if (!device_check_need(test, program, err))
        return false;
    buf_printf(&command, "%s %s", program, arguments);
    done = shell_run(test->device, buf_cstr(&command), OUTPUT_LIMIT, test->by,
                     result, err);
    buf_release(&command);
    return done;
}

bool device_check_fail_with_words(const struct shell_result *result,
                                  const char *program, struct err *err)
{
    const struct buf *said =
        result->errors.length ? &result->errors : &result->out;
    const char *text = buf_cstr(said);
    char line[160];

    text += strspn(text, "\r\n");
    clean_text_copy(line, sizeof(line), text, strcspn(text, "\r\n"));
    return err_set(err, ERR_REMOTE, "%s: %s", program,
                   *line ? line : "it failed without a message");
}

bool device_check_run_well(struct device_check_context *test,
                           const char *program, const char *arguments,
                           struct shell_result *result, struct err *err)
{
    if (!device_check_run(test, program, arguments, result, err))
        return false;
    if (result->status == 0)
        return true;
    if (result->status < 0)
        err_fill(err, ERR_REMOTE, "%s: the phone reports no exit status",
                 program);
    else
        device_check_fail_with_words(result, program, err);
    shell_result_release(result);
    return false;
}

bool device_check_echo(struct stream *stream, const uint8_t *data, size_t size,
                       struct deadline by, struct err *err)
{
    uint8_t back[ECHO_PIECE];

    for (size_t at = 0; at < size; at += ECHO_PIECE) {
        size_t piece = size - at < ECHO_PIECE ? size - at : ECHO_PIECE;

        if (!stream_write(stream, data + at, piece, by, err) ||
            !stream_read_exact(stream, back, piece, by, err))
            return false;
        if (memcmp(data + at, back, piece) != 0)
            return err_set(err, ERR_REMOTE,
                           "bytes after the first %zu came back changed", at);
    }
    return true;
}
