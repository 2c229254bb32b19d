#include "tools/benchmark/peers/doors_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "adb/server/adb_server.h"
#include "adb/server/server_phone.h"
#include "runner/doors/recorded_phone.h"
#include "tools/benchmark/harness/child_process.h"

#define CONNECT_MS 10000

/* ---- a recorder that allows everything, and keeps nothing ---- */

static bool null_recorder_act(struct door_recorder *recorder,
                              const struct action *action, bool continues,
                              char why[DOOR_RECORDER_WHY_MAX])
{
    (void)recorder, (void)action, (void)continues, (void)why;
    return true;
}

static struct touch_display null_recorder_display(
    struct door_recorder *recorder)
{
    (void)recorder;
    return (struct touch_display){.size = {1080, 2400}};
}

static void null_recorder_note_screen(struct door_recorder *recorder,
                                      enum door_format format, struct buf *data)
{
    (void)recorder, (void)format;
    buf_release(data);
}

static void null_recorder_note_tree(struct door_recorder *recorder,
                                    struct buf *xml)
{
    (void)recorder;
    buf_release(xml);
}

static const struct door_recorder_ops null_recorder_ops = {
    .act = null_recorder_act,
    .display = null_recorder_display,
    .note_screen = null_recorder_note_screen,
    .note_tree = null_recorder_note_tree,
};

/* ---- the server ---- */

/* In the child: serve until it is ended; returns only after a failure. */
static bool serve(uint16_t phone, int report, struct err *err)
{
    struct adb_server_phone shown;
    struct adb_server_options options = {.phones = &shown, .phone_count = 1};
    struct door_recorder recorder = {.ops = &null_recorder_ops};
    struct server_phone *opened;
    struct adb_server *server;
    struct device *device;
    uint16_t port;

    if (!device_open_tcp("127.0.0.1", phone, NULL, deadline_in_ms(CONNECT_MS),
                         &device, err) ||
        !server_phone_open(device, NULL, NULL, &opened, err))
        return false;
    shown = server_phone_show(opened);
    shown = recorded_phone_show(recorded_phone_open(&shown, &recorder));
    if (!adb_server_start(&options, &server, err) ||
        !adb_server_listen(server, "127.0.0.1", 0, &port, err))
        return false;
    if (write(report, &port, sizeof(port)) != sizeof(port))
        return err_errno(err, errno, "reporting the port");
    for (;;)
        pause();
}

bool doors_server_start(struct doors_server *server, uint16_t phone,
                        struct err *err)
{
    int ends[2];
    bool started;

    if (pipe2(ends, O_CLOEXEC))
        return err_errno(err, errno, "making a pipe");
    server->pid = fork();
    if (server->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)serve(phone, ends[1], err);
        fprintf(stderr, "bench: our adb server: %s\n", err->text);
        _exit(1);
    }
    close(ends[1]);
    started =
        server->pid > 0 && read(ends[0], &server->port, sizeof(server->port)) ==
                               sizeof(server->port);
    close(ends[0]);
    return started || err_set(err, ERR_IO, "our adb server does not start");
}

void doors_server_stop(struct doors_server *server)
{
    child_process_stop(server->pid);
    server->pid = 0;
}
