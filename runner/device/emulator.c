#include "runner/device/emulator.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/discover/discover.h"
#include "adb/transport/tcp.h"
#include "base/clean_text.h"
#include "base/file.h"

#define ANSWER_MAX ((size_t)64 * 1024)
#define TOKEN_MAX ((size_t)256)
#define LINE_MAX_BYTES ((size_t)512)
#define NAME_MAX_BYTES 200
#define WORDS_MAX 120 /* of its answer, in messages */
#define PIECE 4096

bool emulator_console(const char *serial, uint16_t *port)
{
    struct discover_address address;

    if (!discover_parse_serial(serial, NULL, &address) || !address.console)
        return false;
    *port = address.console;
    return true;
}

void emulator_token_path(struct buf *path)
{
    const char *home = getenv("HOME");

    buf_printf(path, "%s/.emulator_console_auth_token", home ? home : ".");
}

/* ---- protocol ---- */

static bool await(const struct emulator *emulator, int fd, short events,
                  struct deadline by, struct err *err)
{
    struct pollfd polls[] = {
        {.fd = fd, .events = events},
        {.fd = cancel_fd(emulator->cancel), .events = POLLIN},
    };
    int ready;

    do {
        ready = poll(polls, 2, deadline_left_ms(by));
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return err_errno(err, errno, "waiting for the console");
    if (ready == 0)
        return err_set(err, ERR_TIMEOUT, "the console does not answer");
    return !polls[1].revents || err_set(err, ERR_CANCELLED, "interrupted");
}

static bool send_line(const struct emulator *emulator, int fd,
                      const struct buf *line, struct deadline by,
                      struct err *err)
{
    size_t said = 0;

    while (said < line->length) {
        ssize_t sent;

        if (!await(emulator, fd, POLLOUT, by, err))
            return false;
        sent = send(fd, line->data + said, line->length - said, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return err_errno(err, errno, "talking to the console");
        said += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* The last line, if it is whole; NULL: there is more to come. */
static const char *last_line(const struct buf *answer)
{
    const char *text = buf_cstr(answer);
    size_t end = answer->length;

    if (!end || text[end - 1] != '\n')
        return NULL;
    for (end--; end && text[end - 1] != '\n'; end--)
        continue;
    return text + end;
}

static bool is_yes(const char *line)
{
    return !strcmp(line, "OK\r\n") || !strcmp(line, "OK\n");
}

/* Turn a "KO" line into an error. */
static bool take_no(const char *line, struct err *err)
{
    char words[WORDS_MAX];

    line += strspn(line + 2, ": ") + 2;
    clean_text_copy(words, sizeof(words), line, strcspn(line, "\r\n"));
    return err_set(err, ERR_REMOTE, "the emulator says: %s", words);
}

/* Read up to "OK"; received is the whole output. */
static bool read_output(const struct emulator *emulator, int fd,
                        struct deadline by, struct buf *output, struct err *err)
{
    buf_clear(output);
    for (;;) {
        const char *line = last_line(output);
        char piece[PIECE];
        ssize_t got;

        if (line && is_yes(line))
            return true;
        if (line && !strncmp(line, "KO", 2))
            return take_no(line, err);
        if (!await(emulator, fd, POLLIN, by, err))
            return false;
        got = recv(fd, piece, sizeof(piece), 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return err_set(err, ERR_PROTOCOL,
                           "the console closed the connection");
        buf_append(output, piece, (size_t)got);
        if (output->overflow || memchr(piece, '\0', (size_t)got))
            return err_set(err, ERR_PROTOCOL,
                           "this is not an emulator's console");
    }
}

static bool run_command(const struct emulator *emulator, int fd,
                        const char *verb, const char *what, struct deadline by,
                        struct buf *output, struct err *err)
{
    struct buf line = BUF_INIT(LINE_MAX_BYTES);
    bool done;

    buf_printf(&line, "%s %s\r\n", verb, what);
    done = send_line(emulator, fd, &line, by, err) &&
           read_output(emulator, fd, by, output, err);
    if (line.data)
        explicit_bzero(line.data, line.length);
    buf_release(&line);
    return done;
}

/* ---- authentication ---- */

static bool authenticate(const struct emulator *emulator, int fd,
                         struct deadline by, struct buf *output,
                         struct err *err)
{
    struct buf token = BUF_INIT(TOKEN_MAX);
    bool done = file_load(emulator->token, &token, err);

    if (done) {
        buf_truncate(&token, strcspn(buf_cstr(&token), " \t\r\n"));
        done = run_command(emulator, fd, "auth", buf_cstr(&token), by, output,
                           err);
        explicit_bzero(token.data, token.length);
    }
    buf_release(&token);
    if (!done && err->code != ERR_CANCELLED && err->code != ERR_TIMEOUT)
        err->code = ERR_UNAUTHORIZED;
    return done;
}

static bool begin(const struct emulator *emulator, int fd, struct deadline by,
                  struct buf *output, struct err *err)
{
    return read_output(emulator, fd, by, output, err) &&
           (!strstr(buf_cstr(output), "Authentication required") ||
            authenticate(emulator, fd, by, output, err));
}

/* ---- snapshots ---- */

/* It must be one word of a command line. */
static bool check_name(const char *name, struct err *err)
{
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return err_set(err, ERR_INVALID,
                           "the name of a snapshot must not contain spaces");
    }
    return (*name && strlen(name) <= NAME_MAX_BYTES) ||
           err_set(err, ERR_INVALID, "this is not a valid name of a snapshot");
}

/* Run one command on a new connection; output is its whole answer. */
static bool call(const struct emulator *emulator, const char *verb,
                 const char *what, struct deadline by, struct buf *output,
                 struct err *err)
{
    bool done;
    int fd;

    if (!tcp_connect("127.0.0.1", emulator->console, emulator->cancel, by, &fd,
                     err))
        return false;
    done = begin(emulator, fd, by, output, err) &&
           run_command(emulator, fd, verb, what, by, output, err);
    close(fd);
    return done;
}

bool emulator_load_snapshot(const struct emulator *emulator, const char *name,
                            struct deadline by, struct err *err)
{
    struct buf output = BUF_INIT(ANSWER_MAX);
    bool done = check_name(name, err) &&
                call(emulator, "avd snapshot load", name, by, &output, err);

    buf_release(&output);
    return done || err_wrap(err, "snapshot %.80s", name);
}

/* "--        default_boot           1.0G 2026-01-02 03:04:05   00:01:02" */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);

    while (*list) {
        size_t line = strcspn(list, "\r\n");
        size_t first = strcspn(list, " \t\r\n");
        size_t at = first + strspn(list + first, " \t");
        size_t word = at < line ? strcspn(list + at, " \t\r\n") : 0;

        if (!strchr("-0123456789", list[0])) /* a heading */
            word = 0;
        if (word && word == length && !memcmp(list + at, name, length))
            return true;
        list += line + strspn(list + line, "\r\n");
    }
    return false;
}

bool emulator_has_snapshot(const struct emulator *emulator, const char *name,
                           struct deadline by, bool *has, struct err *err)
{
    struct buf output = BUF_INIT(ANSWER_MAX);
    bool done = call(emulator, "avd snapshot", "list", by, &output, err);

    if (done)
        *has = is_listed(buf_cstr(&output), name);
    buf_release(&output);
    return done || err_wrap(err, "list its snapshots");
}

/* It ends the connection in place of an answer. */
bool emulator_kill(const struct emulator *emulator, struct deadline by,
                   struct err *err)
{
    struct buf output = BUF_INIT(ANSWER_MAX);
    bool done = call(emulator, "kill", "", by, &output, err) ||
                err->code == ERR_PROTOCOL;

    buf_release(&output);
    return done;
}
