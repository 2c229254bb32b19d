#include "tools/benchmark/peers/stock_server.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "tools/benchmark/harness/child_process.h"
#include "tools/benchmark/peers/loopback_socket.h"

#define START_MS 10000
#define RETRY_US 50000

/* A client that finds no server starts one: wait for ours. */
static bool wait_until_it_listens(uint16_t port, struct err *err)
{
    struct deadline by = deadline_in_ms(START_MS);
    int fd;

    while (!loopback_socket_connect(port, &fd, err)) {
        if (deadline_passed(by))
            return err_wrap(err, "waiting for an adb server");
        usleep(RETRY_US);
    }
    close(fd);
    return true;
}

static bool await_device(const struct stock_server *server, struct err *err)
{
    struct deadline by = deadline_in_ms(START_MS);

    while (!stock_server_command(server, "get-state", NULL, NULL, NULL, err)) {
        if (deadline_passed(by))
            return err_wrap(err, "waiting for %s", server->serial);
        usleep(RETRY_US);
    }
    return true;
}

void stock_server_init(struct stock_server *server,
                       const struct adb_program *program, uint16_t port,
                       const char *serial)
{
    *server = (struct stock_server){.program = program, .port = port};
    snprintf(server->port_text, sizeof(server->port_text), "%u", port);
    snprintf(server->serial, sizeof(server->serial), "%s", serial);
}

bool stock_server_start(struct stock_server *server, struct err *err)
{
    const char *const arguments[] = {"-P", server->port_text, "server",
                                     "nodaemon", NULL};
    const char *argv[ADB_PROGRAM_ARGV_MAX];

    adb_program_argv(server->program, arguments, argv);
    if (!child_process_start(argv, &server->pid, err) ||
        !wait_until_it_listens(server->port, err))
        return false;
    if (strchr(server->serial, ':') &&
        !stock_server_command(server, "connect", server->serial, NULL, NULL,
                              err))
        return false;
    return await_device(server, err);
}

void stock_server_stop(struct stock_server *server)
{
    child_process_stop(server->pid);
    server->pid = 0;
}

static bool request(int fd, const char *service, struct err *err)
{
    char message[128];
    char status[4];
    int length =
        snprintf(message, sizeof(message), "%04zx%s", strlen(service), service);

    if (!loopback_socket_write(fd, message, (size_t)length, err) ||
        !loopback_socket_read(fd, status, sizeof(status), err))
        return false;
    return !memcmp(status, "OKAY", sizeof(status)) ||
           err_set(err, ERR_REFUSED, "the adb server refused %s", service);
}

static bool read_to_end(int fd, char *data, size_t size, size_t *got,
                        struct err *err)
{
    size_t total = 0;
    size_t part;

    do {
        if (!loopback_socket_read_some(fd, data + total, size - total, &part,
                                       err))
            return false;
        total += part;
    } while (part);
    *got = total;
    return true;
}

bool stock_server_run(const struct stock_server *server, const char *service,
                      char *data, size_t size, size_t *got, struct err *err)
{
    char transport[64];
    bool done;
    int fd;

    snprintf(transport, sizeof(transport), "host:transport:%s", server->serial);
    if (!loopback_socket_connect(server->port, &fd, err))
        return false;
    done = request(fd, transport, err) && request(fd, service, err) &&
           read_to_end(fd, data, size, got, err);
    close(fd);
    return done;
}

bool stock_server_command(const struct stock_server *server, const char *verb,
                          const char *a, const char *b, size_t *printed,
                          struct err *err)
{
    const char *const arguments[] = {
        "-P", server->port_text, "-s", server->serial, verb, a, b, NULL};
    const char *argv[ADB_PROGRAM_ARGV_MAX];
    size_t ignored;

    adb_program_argv(server->program, arguments, argv);
    return child_process_run(argv, printed ? printed : &ignored, err) ||
           err_wrap(err, "adb %s", verb);
}

double stock_server_cpu_us(const struct stock_server *server)
{
    struct timespec used = {.tv_sec = 0};
    clockid_t clock;

    if (!clock_getcpuclockid(server->pid, &clock))
        clock_gettime(clock, &used);
    return (double)used.tv_sec * 1e6 + (double)used.tv_nsec / 1e3;
}
