#include "tools/benchmark/peers/bare_tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/wire/packet.h"
#include "base/file.h"
#include "base/mem.h"

#define PIECE ((size_t)1024 * 1024)

/* A longer queue would leave the core's cache, and be slower. */
#define QUEUE (256 * 1024)

/* A request: its first bytes are the requested size. */
union bare_request {
    size_t wanted;
    char bytes[PACKET_HEADER_SIZE];
};

static bool send_bytes(int fd, const char *bytes, size_t size, size_t left,
                       struct err *err)
{
    size_t at = 0;

    while (left) {
        size_t part = size - at < PIECE ? size - at : PIECE;

        part = left < part ? left : part;
        if (!loopback_socket_write(fd, bytes + at, part, err))
            return false;
        left -= part;
        at = (at + part) % size;
    }
    return true;
}

/* Answer repeatedly from memory of that size. */
static void serve(int fd, size_t size)
{
    char *bytes = mem_new(size, 1);
    const int queue = QUEUE;
    union bare_request request;
    struct err err;

    memset(bytes, 'b', size); /* untouched memory would be a single page */
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &queue, sizeof(queue));
    while (loopback_socket_read(fd, &request, sizeof(request), &err) &&
           (request.wanted
                ? send_bytes(fd, bytes, size, request.wanted, &err)
                : loopback_socket_write(fd, &request, sizeof(request), &err)))
        ;
    free(bytes);
}

void bare_tcp_serve(int fd)
{
    serve(fd, PIECE);
}

void bare_tcp_serve_frames(int fd)
{
    serve(fd, BARE_TCP_FRAME_SIZE);
}

bool bare_tcp_ping(int fd, struct err *err)
{
    union bare_request request = {.wanted = 0};

    return loopback_socket_write(fd, &request, sizeof(request), err) &&
           loopback_socket_read(fd, &request, sizeof(request), err);
}

bool bare_tcp_fetch(int fd, char *data, size_t size, struct err *err)
{
    const union bare_request request = {.wanted = size};

    return loopback_socket_write(fd, &request, sizeof(request), err) &&
           loopback_socket_read(fd, data, size, err);
}

static bool fetch_into(int fd, size_t left, int file, struct err *err)
{
    char *piece = mem_new(PIECE, 1);
    bool fine = true;

    while (fine && left) {
        size_t got;

        fine = loopback_socket_read_some(fd, piece, left < PIECE ? left : PIECE,
                                         &got, err) &&
               (got || err_set(err, ERR_CLOSED, "the socket ended early")) &&
               file_write(file, piece, got, err);
        left -= fine ? got : 0;
    }
    free(piece);
    return fine;
}

bool bare_tcp_fetch_file(int fd, size_t size, const char *path, struct err *err)
{
    const union bare_request request = {.wanted = size};
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool fine;

    if (file < 0)
        return err_errno(err, errno, "writing %s", path);
    fine = loopback_socket_write(fd, &request, sizeof(request), err) &&
           fetch_into(fd, size, file, err);
    close(file);
    return fine;
}
