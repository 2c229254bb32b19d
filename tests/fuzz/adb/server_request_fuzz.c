/* A client of our adb server sends anything. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/server/adb_server.h"
#include "tests/fuzz/fuzz.h"

/* A phone that answers every service. */
static bool open_answer(void *context, const char *service, struct deadline by,
                        struct stream **stream, struct err *err)
{
    (void)context, (void)by;
    if (*service == 'x')
        return err_set(err, ERR_REFUSED, "refused");
    *stream = stream_over_bytes(service, strlen(service));
    return true;
}

static bool is_never_lost(void *context)
{
    (void)context;
    return false;
}

/* Forwards must not use the computer's ports. */
static bool listen_nowhere(void *context, struct local_endpoint *endpoint,
                           int *listener, struct err *err)
{
    (void)context, (void)endpoint, (void)listener;
    return err_set(err, ERR_IO, "listening: Permission denied");
}

static bool connect_nowhere(void *context,
                            const struct local_endpoint *endpoint,
                            struct deadline by, int *fd, struct err *err)
{
    (void)context, (void)endpoint, (void)by, (void)fd;
    return err_set(err, ERR_UNREACHABLE, "connecting: Connection refused");
}

static const struct adb_server_phone_ops ops = {.open = open_answer,
                                                .is_lost = is_never_lost};
static const struct adb_server_phone phones[] = {
    {.serial = "first", .devpath = "usb:1-1", .usb = true, .ops = &ops},
    {.serial = "127.0.0.1:5555",
     .banner = {.model = "A B", .features = ~(feature_set)0},
     .ops = &ops},
};
static const struct local_network nowhere = {.listen = listen_nowhere,
                                             .connect = connect_nowhere};

/*
 * Until the server disconnects, which it does because the client's input ends.
 */
static void read_answers(int fd)
{
    char data[4096];

    while (recv(fd, data, sizeof(data), 0) > 0)
        continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct adb_server_options options = {
        .phones = phones, .phone_count = 2, .network = &nowhere};
    struct adb_server *server = NULL;
    struct err err = ERR_INIT;
    int ends[2];

    if (size > 100000 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 0;
    if (!adb_server_start(&options, &server, &err))
        abort();
    (void)!send(ends[0], data, size, MSG_NOSIGNAL);
    (void)shutdown(ends[0], SHUT_WR);
    adb_server_adopt(server, ends[1]);
    read_answers(ends[0]);
    close(ends[0]);
    adb_server_stop(server);
    return 0;
}
