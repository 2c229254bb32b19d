#include "tests/tools/cli/pty.h"

#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include <cmocka.h>

#include "base/deadline.h"

#define SEEN_LIMIT ((size_t)16 * 1024 * 1024)
#define PATIENCE_MS 60000

static void become_shell(int slave, const char *script)
{
    login_tty(slave);
    setenv("TERM", "xterm", 1);
    signal(SIGINT, SIG_DFL); /* ignored by default in background jobs */
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", script, (char *)NULL);
    _exit(127);
}

void pty_start(struct pty *pty, const char *script)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};

    *pty = (struct pty){.seen = BUF_INIT(SEEN_LIMIT)};
    assert_int_equal(openpty(&pty->master, &pty->slave, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(pty->slave, &pty->before), 0);
    pty->pid = fork();
    assert_true(pty->pid >= 0);
    if (!pty->pid) {
        close(pty->master);
        become_shell(pty->slave, script);
    }
}

void pty_type(struct pty *pty, const char *keys)
{
    assert_int_equal(write(pty->master, keys, strlen(keys)), strlen(keys));
}

/* Read what the screen shows; false if nothing came by then. */
static bool look(struct pty *pty, struct deadline by)
{
    struct pollfd pfd = {.fd = pty->master, .events = POLLIN};
    char data[4096];
    ssize_t got;

    if (poll(&pfd, 1, deadline_left_ms(by)) <= 0)
        return false;
    got = read(pty->master, data, sizeof(data));
    if (got > 0)
        buf_append(&pty->seen, data, (size_t)got);
    return got > 0;
}

void pty_expect(struct pty *pty, const char *text)
{
    struct deadline by = deadline_in_ms(PATIENCE_MS);
    const char *found;

    while (!(found = strstr(buf_cstr(&pty->seen) + pty->matched, text))) {
        if (!look(pty, by))
            fail_msg("\"%s\" does not show \"%s\"",
                     buf_cstr(&pty->seen) + pty->matched, text);
    }
    pty->matched = (size_t)(found - pty->seen.data) + strlen(text);
}

void pty_resize(struct pty *pty, unsigned short rows, unsigned short columns)
{
    struct winsize size = {.ws_row = rows, .ws_col = columns};

    assert_int_equal(ioctl(pty->master, TIOCSWINSZ, &size), 0);
}

bool pty_is_raw(const struct pty *pty)
{
    struct deadline by = deadline_in_ms(PATIENCE_MS);

    while (!deadline_passed(by)) {
        struct termios now;

        assert_int_equal(tcgetattr(pty->slave, &now), 0);
        if (!(now.c_lflag & (ICANON | ECHO | ISIG)))
            return true;
        usleep(10000);
    }
    return false;
}

int pty_wait(struct pty *pty)
{
    struct deadline by = deadline_in_ms(PATIENCE_MS);
    int status;
    pid_t ended;

    /*
     * The screen is still read, otherwise the program could not write its last
     * output.
     */
    while (!(ended = waitpid(pty->pid, &status, WNOHANG))) {
        if (deadline_passed(by)) {
            kill(pty->pid, SIGKILL);
            fail_msg("it does not end; the screen: %s", buf_cstr(&pty->seen));
        }
        look(pty, deadline_in_ms(20));
    }
    assert_int_equal(ended, pty->pid);
    while (look(pty, deadline_in_ms(20)))
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool pty_is_restored(const struct pty *pty)
{
    struct termios now;

    assert_int_equal(tcgetattr(pty->slave, &now), 0);
    return now.c_iflag == pty->before.c_iflag &&
           now.c_oflag == pty->before.c_oflag &&
           now.c_cflag == pty->before.c_cflag &&
           now.c_lflag == pty->before.c_lflag &&
           !memcmp(now.c_cc, pty->before.c_cc, sizeof(now.c_cc));
}

void pty_release(struct pty *pty)
{
    close(pty->master);
    close(pty->slave);
    buf_release(&pty->seen);
}
