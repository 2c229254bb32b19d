#include "tests/support/web_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

#define SMALL_BUFFER 16384
#define FRAME_HEADER_MAX 14

static int connect_with(uint16_t port, int receive_buffer)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    const struct timeval timeout = {.tv_sec = WEB_CLIENT_WAIT_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    assert_int_equal(
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)), 0);
    if (receive_buffer)
        assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer,
                                    sizeof(receive_buffer)),
                         0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)),
                     0);
    return fd;
}

int web_client_connect(uint16_t port)
{
    return connect_with(port, 0);
}

int web_client_connect_small(uint16_t port)
{
    return connect_with(port, SMALL_BUFFER);
}

void web_client_put_bytes(int fd, const void *data, size_t length)
{
    const char *at = data;

    while (length) {
        ssize_t put = send(fd, at, length, MSG_NOSIGNAL);

        assert_true(put > 0);
        at += put;
        length -= (size_t)put;
    }
}

void web_client_put(int fd, const char *text)
{
    web_client_put_bytes(fd, text, strlen(text));
}

/* ---- HTTP ---- */

/* The length of the answer with its body; 0: its headers are not complete. */
static size_t whole_length(const struct buf *answer)
{
    const char *end = strstr(buf_cstr(answer), "\r\n\r\n");
    const char *length = strstr(buf_cstr(answer), "content-length: ");
    size_t headers = end ? (size_t)(end + 4 - answer->data) : 0;

    if (!end || strstr(buf_cstr(answer), "HTTP/1.1 101"))
        return headers;
    assert_non_null(length);
    return headers + strtoul(length + strlen("content-length: "), NULL, 10);
}

void web_client_get(int fd, struct buf *answer)
{
    size_t whole = 0;

    while (!whole || answer->length < whole) {
        char piece[8192];
        size_t room = whole ? whole - answer->length : 1;
        ssize_t got =
            recv(fd, piece, room < sizeof(piece) ? room : sizeof(piece), 0);

        if (got <= 0)
            fail_msg("no answer but %.200s", buf_cstr(answer));
        buf_append(answer, piece, (size_t)got);
        if (!whole)
            whole = whole_length(answer);
    }
}

void web_client_ask(int fd, const char *request, struct buf *answer)
{
    buf_clear(answer);
    web_client_put(fd, request);
    web_client_get(fd, answer);
}

void web_client_read_to_end(int fd, struct buf *read)
{
    char piece[8192];
    ssize_t got;

    while ((got = recv(fd, piece, sizeof(piece), 0)) > 0)
        buf_append(read, piece, (size_t)got);
    /* The server may close before it has read all. */
    assert_true(got == 0 || errno == ECONNRESET);
}

void web_client_expect(const struct buf *answer, const char *part)
{
    if (!strstr(buf_cstr(answer), part))
        fail_msg("%.500s\nlacks %s", buf_cstr(answer), part);
}

/* ---- WebSocket ---- */

void web_client_upgrade(int fd, const char *headers, struct buf *answer)
{
    struct buf request = BUF_INIT(65536);

    buf_printf(&request,
               "GET /socket HTTP/1.1\r\nConnection: Upgrade\r\n"
               "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
               headers);
    web_client_ask(fd, buf_cstr(&request), answer);
    buf_release(&request);
}

int web_client_open_socket(uint16_t port, const char *headers)
{
    struct buf answer = BUF_INIT(65536);
    int fd = web_client_connect(port);

    web_client_upgrade(fd, headers, &answer);
    web_client_expect(&answer, "HTTP/1.1 101");
    buf_release(&answer);
    return fd;
}

static size_t frame_header(int first, size_t length,
                           unsigned char header[FRAME_HEADER_MAX])
{
    size_t at = 2;
    size_t digits = length < 126 ? 0 : length < 65536 ? 2 : 8;

    header[0] = (unsigned char)first;
    header[1] = (unsigned char)(0x80 | (length < 126  ? length
                                        : digits == 2 ? 126
                                                      : 127));
    while (digits)
        header[at++] = (unsigned char)((uint64_t)length >> (8 * --digits));
    memcpy(header + at, "mask", 4);
    return at + 4;
}

void web_client_send(int fd, int first, const void *data, size_t length)
{
    unsigned char header[FRAME_HEADER_MAX];
    size_t size = frame_header(first, length, header);
    char *masked = mem_new(1, size + length);

    memcpy(masked, header, size);
    for (size_t i = 0; i < length; i++)
        masked[size + i] = (char)(((const char *)data)[i] ^ "mask"[i % 4]);
    web_client_put_bytes(fd, masked, size + length);
    free(masked);
}

static void read_bytes(int fd, void *data, size_t length)
{
    assert_int_equal(recv(fd, data, length, MSG_WAITALL), (ssize_t)length);
}

enum web_opcode web_client_receive(int fd, struct buf *payload)
{
    unsigned char header[2];
    unsigned char digits[8];
    uint64_t length;
    size_t count;

    read_bytes(fd, header, sizeof(header));
    length = header[1];
    if (length >= 126) {
        count = length == 126 ? 2 : 8;
        read_bytes(fd, digits, count);
        length = 0;
        for (size_t i = 0; i < count; i++)
            length = length << 8 | digits[i];
    }
    buf_clear(payload);
    if (length) {
        char *room = buf_reserve(payload, length);

        assert_non_null(room);
        read_bytes(fd, room, length);
        buf_commit(payload, length);
    }
    return (enum web_opcode)(header[0] & 0x0f);
}

void web_client_expect_hang_up(int fd)
{
    unsigned char first;
    ssize_t got = recv(fd, &first, 1, 0);

    assert_true(got >= 0 || errno == ECONNRESET);
    if (got == 1)
        assert_int_equal(first, WEB_CLOSE | WEB_FINAL);
    close(fd);
}
