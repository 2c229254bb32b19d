#include "adb/install/install.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/install/apk.h"
#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/macros.h"
#include "base/mem.h"

#define PIECE_SIZE ((size_t)256 * 1024)
#define ANSWER_MAX ((size_t)64 * 1024)

/* The file, and the options. */
struct install {
    struct device *device;
    const char *path;
    const struct install_options *options;
    int fd;
    uint64_t size;
};

/* The line without leading and trailing blanks; *length is updated. */
static const char *trim(const char *text, size_t *length)
{
    while (*length && strchr(" \t\r", *text)) {
        text++;
        --*length;
    }
    while (*length && strchr(" \t\r", text[*length - 1]))
        --*length;
    return text;
}

static bool begins(const char *line, size_t length, const char *word)
{
    return length >= strlen(word) && !memcmp(line, word, strlen(word));
}

/* Report "Failure [REASON]" without the brackets, other lines unchanged. */
static bool fail_with_reason(const char *line, size_t length, struct err *err)
{
    const char *open = memchr(line, '[', length);
    char reason[200];

    if (begins(line, length, "Failure") && open) {
        length -= (size_t)(open + 1 - line);
        line = open + 1;
        if (length && line[length - 1] == ']')
            length--;
    }
    clean_text_copy(reason, sizeof(reason), line, length);
    return err_set(err, ERR_REMOTE, "%s", reason);
}

bool install_parse_answer(const char *text, size_t length, struct err *err)
{
    const char *end = text + length;
    const char *last = text;
    size_t last_length = 0;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t rest = (size_t)((newline ? newline : end) - text);
        const char *line = trim(text, &rest);

        if (begins(line, rest, "Success"))
            return true;
        if (begins(line, rest, "Failure"))
            return fail_with_reason(line, rest, err);
        if (rest) {
            last = line;
            last_length = rest;
        }
        text = newline ? newline + 1 : end;
    }
    if (!last_length)
        return err_set(err, ERR_REMOTE, "the package manager gave no answer");
    return fail_with_reason(last, last_length, err);
}

static void put_flags(struct buf *command,
                      const struct install_options *options)
{
    const struct {
        bool on;
        const char *flag;
    } flags[] = {
        {options->reinstall, " -r"},
        {options->test, " -t"},
        {options->downgrade, " -d"},
        {options->grant, " -g"},
    };

    for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
        if (flags[i].on)
            buf_text(command, flags[i].flag);
    }
}

/* A sync_progress_fn that reports the local path. */
static bool report(void *context, const char *path, uint64_t moved,
                   uint64_t total)
{
    const struct install *install = context;
    const struct install_options *options = install->options;

    (void)path;
    return !options->progress ||
           options->progress(options->context, install->path, moved, total);
}

static bool send_file(struct install *install, struct stream *stream,
                      struct deadline by, struct err *err)
{
    char *piece = mem_resize(NULL, PIECE_SIZE, 1);
    uint64_t moved = 0;
    bool fine = true;

    while (fine && moved < install->size) {
        uint64_t left = install->size - moved;
        ssize_t n = read(install->fd, piece,
                         left < PIECE_SIZE ? (size_t)left : PIECE_SIZE);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            fine = err_errno(err, errno, "reading it");
        else if (n == 0)
            fine = err_set(err, ERR_IO, "it became shorter while it was sent");
        else
            fine = stream_write(stream, piece, (size_t)n, by, err);
        moved += n > 0 ? (uint64_t)n : 0;
        if (fine && !report(install, install->path, moved, install->size))
            fine = err_set(err, ERR_CANCELLED, "stopped");
    }
    free(piece);
    return fine;
}

/*
 * Send the file and read the answer. A device that refuses may do so early and
 * stop reading: its reason is more useful than the write error.
 */
static bool stream_file(struct install *install, struct stream *stream,
                        struct deadline by, struct err *err)
{
    struct buf answer = BUF_INIT(ANSWER_MAX);
    struct err unsent = ERR_INIT;
    bool sent = send_file(install, stream, by, &unsent);
    bool done;

    if (!sent && unsent.code != ERR_CLOSED && unsent.code != ERR_LOST) {
        *err = unsent;
        return false;
    }
    done = stream_read_all(stream, by, &answer, err) &&
           install_parse_answer(buf_cstr(&answer), answer.length, err);
    if (!sent && (done || !answer.length)) {
        *err = unsent;
        done = false;
    }
    buf_release(&answer);
    return done;
}

static bool install_streamed(struct install *install, struct deadline by,
                             struct err *err)
{
    struct buf command = BUF_INIT(256);
    struct stream *stream = NULL;
    bool done;

    buf_text(&command, "cmd package 'install'");
    put_flags(&command, install->options);
    buf_printf(&command, " -S %" PRIu64, install->size);
    done = shell_exec_open(install->device, buf_cstr(&command), by, &stream,
                           err) &&
           stream_file(install, stream, by, err);
    stream_close(stream);
    buf_release(&command);
    return done;
}

static bool copy_there(struct install *install, const char *remote,
                       struct deadline by, struct err *err)
{
    const struct sync_options options = {.progress = report,
                                         .context = install};
    struct sync *sync;
    bool done;

    if (!sync_open(install->device, &options, by, &sync, err))
        return false;
    done = sync_send(sync, install->fd, remote, 0100644, 0, install->size, by,
                     err);
    sync_close(sync);
    return done;
}

static bool run_on_device(const struct install *install, const char *command,
                          struct deadline by, struct err *err)
{
    struct shell_result result;
    bool done;

    if (!shell_run(install->device, command, ANSWER_MAX, by, &result, err))
        return false;
    if (result.out.length)
        done = install_parse_answer(result.out.data, result.out.length, err);
    else
        done = install_parse_answer(buf_cstr(&result.errors),
                                    result.errors.length, err);
    shell_result_release(&result);
    return done;
}

/* Ignores failures: the file left on the device does no harm. */
static void remove_there(const struct install *install, const char *remote,
                         struct deadline by)
{
    struct shell_result result;
    char command[128];
    struct err ignored;

    snprintf(command, sizeof(command), "rm -f %s", remote);
    if (shell_run(install->device, command, ANSWER_MAX, by, &result, &ignored))
        shell_result_release(&result);
}

static bool install_copied(struct install *install, struct deadline by,
                           struct err *err)
{
    struct buf command = BUF_INIT(256);
    char remote[64];
    bool done;

    /* Not derived from path, so that no quoting is needed. */
    snprintf(remote, sizeof(remote), "/data/local/tmp/proctor-%ld.apk",
             (long)getpid());
    buf_text(&command, "pm install");
    put_flags(&command, install->options);
    buf_printf(&command, " %s", remote);
    done = copy_there(install, remote, by, err) &&
           run_on_device(install, buf_cstr(&command), by, err);
    remove_there(install, remote, by);
    buf_release(&command);
    return done;
}

bool install_apk(struct device *device, const char *path,
                 const struct install_options *options, struct deadline by,
                 struct err *err)
{
    struct install install = {
        .device = device,
        .path = path,
        .options = options,
        .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    bool done;

    if (install.fd < 0)
        return err_errno(err, errno, "opening %.150s", path);
    if (!apk_check(install.fd, &install.size, err)) {
        close(install.fd);
        return err_wrap(err, "%.100s is not an APK", path);
    }
    done = device_has(device, FEATURE_CMD) ? install_streamed(&install, by, err)
                                           : install_copied(&install, by, err);
    close(install.fd);
    return done || err_wrap(err, "installing %.100s", path);
}
