#include "tools/cli/terminal/terminal_mode.h"

#include <errno.h>
#include <sys/ioctl.h>

static bool remember(struct terminal_mode *terminal, int fd, struct err *err)
{
    return !tcgetattr(fd, &terminal->saved) ||
           err_errno(err, errno, "asking the terminal for its settings");
}

static bool change(struct terminal_mode *terminal, int fd,
                   const struct termios *settings, struct err *err)
{
    if (tcsetattr(fd, TCSADRAIN, settings))
        return err_errno(err, errno, "changing the terminal's settings");
    terminal->fd = fd;
    return true;
}

bool terminal_mode_make_raw(struct terminal_mode *terminal, int fd,
                            struct err *err)
{
    struct termios raw;

    if (!remember(terminal, fd, err))
        return false;
    raw = terminal->saved;
    cfmakeraw(&raw);
    return change(terminal, fd, &raw, err);
}

bool terminal_mode_hide_typing(struct terminal_mode *terminal, int fd,
                               struct err *err)
{
    struct termios hidden;

    if (!remember(terminal, fd, err))
        return false;
    hidden = terminal->saved;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    return change(terminal, fd, &hidden, err);
}

void terminal_mode_restore(struct terminal_mode *terminal)
{
    if (terminal->fd >= 0)
        tcsetattr(terminal->fd, TCSADRAIN, &terminal->saved);
    terminal->fd = -1;
}

bool terminal_mode_size(int fd, unsigned *rows, unsigned *columns)
{
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
        return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}
