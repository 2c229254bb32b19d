#include "tools/benchmark/loads/phone_farm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tools/phone/graphics/font.h"
#include "tools/phone/phone.h"

/* Tell the ports, and let the phones be used until the parent ends. */
static void serve(size_t count, int port_pipe)
{
    struct phone_options options = {.seed = 1, .realtime = true};
    struct err err;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!fonts_open(&options.fonts, &err))
        _exit(EXIT_FAILURE);
    for (size_t i = 0; i < count; i++) {
        struct phone *phone;
        uint16_t port;

        if (!phone_start(&options, &phone, &err))
            _exit(EXIT_FAILURE);
        port = phone_port(phone);
        if (write(port_pipe, &port, sizeof(port)) != sizeof(port))
            _exit(EXIT_FAILURE);
    }
    for (;;)
        pause();
}

static bool receive(int said, size_t count, uint16_t *ports, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (read(said, &ports[i], sizeof(ports[i])) != sizeof(ports[i]))
            return err_set(err, ERR_IO, "only %zu phones started", i);
    }
    return true;
}

bool phone_farm_start(size_t count, uint16_t *ports, struct err *err)
{
    int ends[2];
    bool done;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return err_errno(err, errno, "making a pipe");
    pid = fork();
    if (pid == 0)
        serve(count, ends[1]);
    close(ends[1]);
    done = pid > 0 ? receive(ends[0], count, ports, err)
                   : err_errno(err, errno, "starting a process");
    close(ends[0]);
    return done;
}
