#include "tools/selftest/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define OUTPUT_LIMIT (64 * KIB)
#define ECHO_PIECE (16 * KIB)

void check_say(struct selftest *test, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(test->words, sizeof(test->words), fmt, args);
    va_end(args);
}

double check_speed(size_t bytes, int64_t took_ns)
{
    double seconds = (double)(took_ns > 0 ? took_ns : 1) / 1e9;

    return (double)bytes / (double)MIB / seconds;
}

bool check_need(struct selftest *test, const char *program, struct err *err)
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
    there = strchr(buf_cstr(&result.out), '/');
    shell_result_release(&result);
    return there ||
           err_set(err, ERR_UNSUPPORTED, "there is no %s here", program);
}

bool check_run(struct selftest *test, const char *program,
               const char *arguments, struct shell_result *result,
               struct err *err)
{
    struct buf command = BUF_INIT(1024);
    bool done;

    if (!check_need(test, program, err))
        return false;
    buf_printf(&command, "%s %s", program, arguments);
    done = shell_run(test->device, buf_cstr(&command), OUTPUT_LIMIT, test->by,
                     result, err);
    buf_release(&command);
    return done;
}

bool check_fail_with_words(const struct shell_result *result,
                           const char *program, struct err *err)
{
    const struct buf *said =
        result->errors.length ? &result->errors : &result->out;
    const char *text = buf_cstr(said);
    char line[160];

    text += strspn(text, "\r\n");
    text_copy_clean(line, sizeof(line), text, strcspn(text, "\r\n"));
    return err_set(err, ERR_REMOTE, "%s: %s", program,
                   *line ? line : "it failed and did not say why");
}

bool check_run_well(struct selftest *test, const char *program,
                    const char *arguments, struct shell_result *result,
                    struct err *err)
{
    if (!check_run(test, program, arguments, result, err))
        return false;
    /* Old phones tell no status: -1. */
    if (result->status <= 0)
        return true;
    check_fail_with_words(result, program, err);
    shell_result_release(result);
    return false;
}

bool check_echo(struct stream *stream, const uint8_t *data, size_t size,
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
