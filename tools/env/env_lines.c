#include "tools/env/env_lines.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"

#define READ_SIZE ((size_t)64 * 1024)
#define ANSWER_MAX ((size_t)256 << 20)

struct env_lines {
    struct env_sink sink;
    struct env_hub *hub; /* borrowed */
    int in, out;
    const struct cancel *cancel;
    struct buf line;   /* what was read and is not handled yet */
    bool skipping;     /* the rest of a line that is too long */
    struct buf answer; /* memory for one */
    atomic_bool lost;  /* out cannot be written any more */
};

/* ---- answers ---- */

/* {"id":…,…}: the id in front of what the answer has. */
static void format_answer(const char *id, const struct cJSON *answer,
                          struct buf *line)
{
    size_t at;

    buf_clear(line);
    if (id[0])
        buf_printf(line, "{\"id\":%s,", id);
    at = line->length;
    json_format(answer, line);
    if (at && !line->overflow) {
        memmove(line->data + at, line->data + at + 1, line->length - at - 1);
        buf_truncate(line, line->length - 1);
    }
    buf_byte(line, '\n');
}

static void write_answer(struct env_lines *lines, const char *id,
                         const struct cJSON *answer)
{
    struct err ignored;

    format_answer(id, answer, &lines->answer);
    if (lines->answer.overflow || !file_write(lines->out, lines->answer.data,
                                              lines->answer.length, &ignored))
        atomic_store(&lines->lost, true);
}

static void lines_answer(struct env_sink *sink,
                         const struct env_request *request,
                         struct cJSON *answer, const struct err *err)
{
    (void)err;
    write_answer((struct env_lines *)sink, request->id, answer);
}

/* ---- requests ---- */

/* A line that is no request: its answer goes the way of all answers. */
static void answer_invalid(struct env_lines *lines, const char *id,
                           const struct err *err)
{
    struct env_request nothing = {.method = ENV_METHODS};

    memcpy(nothing.id, id, sizeof(nothing.id));
    env_hub_refuse(lines->hub, &nothing, &lines->sink, err);
}

static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\r") >= length;
}

static void take_line(struct env_lines *lines, const char *line, size_t length)
{
    struct env_request request;
    struct err err = ERR_INIT;

    if (is_blank(line, length))
        return;
    if (env_request_parse(line, length, &request, &err))
        env_hub_submit(lines->hub, &request, &lines->sink);
    else
        answer_invalid(lines, request.id, &err);
}

static void refuse_long_line(struct env_lines *lines)
{
    const char none[sizeof(((struct env_request *)0)->id)] = "";
    struct err err = ERR_INIT;

    err_fill(&err, ERR_LIMIT, "a line of more than %zu bytes", ENV_REQUEST_MAX);
    answer_invalid(lines, none, &err);
    lines->skipping = true;
    buf_clear(&lines->line);
}

/* Handle all lines that are complete; the rest stays. */
static void take_lines(struct env_lines *lines)
{
    struct buf *line = &lines->line;
    size_t at = 0;
    char *end;

    while ((end = memchr(line->data + at, '\n', line->length - at))) {
        size_t length = (size_t)(end - line->data) - at;

        *end = '\0';
        if (!lines->skipping)
            take_line(lines, line->data + at, length);
        lines->skipping = false;
        at += length + 1;
    }
    buf_consume(line, at);
    if (lines->skipping)
        buf_clear(line);
    else if (line->length > ENV_REQUEST_MAX)
        refuse_long_line(lines);
}

/* Read once; *more is false at the end of the input. */
static bool read_some(struct env_lines *lines, bool *more, struct err *err)
{
    char data[READ_SIZE];
    struct pollfd waited[] = {
        {.fd = lines->in, .events = POLLIN},
        {.fd = cancel_fd(lines->cancel), .events = POLLIN},
    };
    ssize_t got;

    if (poll(waited, ARRAY_LEN(waited), -1) < 0 && errno != EINTR)
        return err_errno(err, errno, "waiting for requests");
    if (cancel_fired(lines->cancel))
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (atomic_load(&lines->lost))
        return err_set(err, ERR_IO, "cannot write answers");
    if (!waited[0].revents)
        return true;
    got = read(lines->in, data, sizeof(data));
    if (got < 0)
        return errno == EINTR || errno == EAGAIN ||
               err_errno(err, errno, "reading requests");
    *more = got > 0;
    buf_append(&lines->line, data, (size_t)got);
    return true;
}

static bool serve(struct env_lines *lines, struct err *err)
{
    bool more = true;

    while (more) {
        if (!read_some(lines, &more, err))
            return false;
        if (lines->line.length)
            take_lines(lines);
    }
    if (lines->line.length && !lines->skipping)
        take_line(lines, buf_cstr(&lines->line), lines->line.length);
    return true;
}

bool env_lines_serve(struct env_hub *hub, int in, int out,
                     const struct cancel *cancel, struct err *err)
{
    struct env_lines lines = {
        .sink = {lines_answer},
        .hub = hub,
        .in = in,
        .out = out,
        .cancel = cancel,
        .line = BUF_INIT(ENV_REQUEST_MAX + 2 * READ_SIZE),
        .answer = BUF_INIT(ANSWER_MAX),
    };
    bool done = serve(&lines, err);

    if (!done)
        env_hub_cancel(hub);
    env_hub_drain(hub);
    buf_release(&lines.line);
    buf_release(&lines.answer);
    return done && (!atomic_load(&lines.lost) ||
                    err_set(err, ERR_IO, "cannot write answers"));
}
