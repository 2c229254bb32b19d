#include "runner/farm_phones/emulator_ports.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runner/device/phone_lock.h"

/* A port that was closed a moment ago can be used again by the emulator. */
static bool is_free(uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    bool done;

    if (fd < 0)
        return false;
    done = !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) &&
           !bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
           !listen(fd, 1);
    close(fd);
    return done;
}

bool emulator_ports_are_free(uint16_t console)
{
    return is_free(console) && is_free((uint16_t)(console + 1));
}

bool emulator_ports_take(struct file_lock *lock, uint16_t *console,
                         struct err *err)
{
    for (unsigned port = EMULATOR_PORTS_FIRST; port <= EMULATOR_PORTS_LAST;
         port += 2) {
        char name[32];

        snprintf(name, sizeof(name), "emulator ports %u", port);
        if (!phone_lock_take_name(lock, name, err)) {
            if (err->code != ERR_BUSY)
                return false;
            continue;
        }
        if (emulator_ports_are_free((uint16_t)port)) {
            *console = (uint16_t)port;
            return true;
        }
        file_lock_release(lock);
    }
    return err_set(err, ERR_BUSY,
                   "all %d pairs of ports for emulators are in use, from %d on",
                   EMULATOR_PORTS_COUNT, EMULATOR_PORTS_FIRST);
}
