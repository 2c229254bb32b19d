#include "tools/cli/device/secret_prompt.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "tools/cli/terminal/terminal_mode.h"

void secret_prompt_wipe(char *secret, size_t size)
{
    sodium_memzero(secret, size);
}

/* One byte of standard input; *end at its end. */
static bool read_byte(const struct cli_context *cli, char *byte, bool *end,
                      struct err *err)
{
    struct pollfd polls[] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = cancel_fd(cli->cancel), .events = POLLIN},
    };
    ssize_t got;
    int ready;

    do {
        ready = poll(polls, 2, deadline_left_ms(cli->by));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
        return err_set(err, ERR_TIMEOUT, "nothing was typed in time");
    if (polls[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    got = read(STDIN_FILENO, byte, 1);
    if (got < 0)
        return err_errno(err, errno, "reading standard input");
    *end = got == 0;
    return true;
}

/* Up to the end of the line, byte by byte: what follows is not ours. */
static bool read_line(const struct cli_context *cli, char *line, size_t size,
                      struct err *err)
{
    size_t length = 0;
    bool end = false;
    char byte = 0;

    while (length < size) {
        if (!read_byte(cli, &byte, &end, err))
            return false;
        if (end || byte == '\n') {
            line[length] = '\0';
            return true;
        }
        if (byte != '\r')
            line[length++] = byte;
    }
    return err_set(err, ERR_INVALID, "that is too long");
}

static bool ask(const struct cli_context *cli, const char *prompt, char *secret,
                size_t size, struct err *err)
{
    struct terminal_mode terminal = TERMINAL_MODE_INIT;
    bool done;

    if (!isatty(STDIN_FILENO))
        return read_line(cli, secret, size, err);
    if (!terminal_mode_hide_typing(&terminal, STDIN_FILENO, err))
        return false;
    fputs(prompt, stderr);
    done = read_line(cli, secret, size, err);
    terminal_mode_restore(&terminal);
    fputc('\n', stderr);
    return done;
}

bool secret_prompt_get(const struct cli_context *cli, const char *prompt,
                       const char *given, char *secret, size_t size,
                       struct err *err)
{
    if (given && strlen(given) >= size)
        return err_set(err, ERR_INVALID, "that is too long");
    if (given)
        memcpy(secret, given, strlen(given) + 1);
    else if (!ask(cli, prompt, secret, size, err))
        return false;
    return *secret || err_set(err, ERR_INVALID, "no code was given");
}
