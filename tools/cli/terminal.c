#include "tools/cli/terminal.h"

#include <errno.h>
#include <sys/ioctl.h>

bool terminal_make_raw(struct terminal *terminal, int fd, struct err *err)
{
    struct termios raw;

    if (tcgetattr(fd, &terminal->saved))
        return err_errno(err, errno, "asking the terminal for its settings");
    raw = terminal->saved;
    cfmakeraw(&raw);
    if (tcsetattr(fd, TCSADRAIN, &raw))
        return err_errno(err, errno, "making the terminal raw");
    terminal->fd = fd;
    return true;
}

void terminal_restore(struct terminal *terminal)
{
    if (terminal->fd >= 0)
        tcsetattr(terminal->fd, TCSADRAIN, &terminal->saved);
    terminal->fd = -1;
}

bool terminal_size(int fd, unsigned *rows, unsigned *columns)
{
    struct winsize size;

    if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
        return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}
