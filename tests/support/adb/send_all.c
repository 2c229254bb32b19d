#include "tests/support/adb/send_all.h"

#include <sys/socket.h>
#include <sys/types.h>

bool send_all(int fd, const char *data, size_t size)
{
    while (size) {
        ssize_t n = send(fd, data, size, MSG_NOSIGNAL);

        if (n <= 0)
            return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}
