#include "tests/support/adb/adb_socket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/send_all.h"

int adb_socket_connect(uint16_t port)
{
    char endpoint[32];
    int fd;

    snprintf(endpoint, sizeof(endpoint), "tcp:%u", (unsigned)port);
    fd = echo_connect(endpoint);
    assert_true(fd >= 0);
    return fd;
}

void adb_socket_request(int fd, const char *request)
{
    struct buf framed = BUF_INIT(70000);

    buf_printf(&framed, "%04zx%s", strlen(request), request);
    assert_true(send_all(fd, framed.data, framed.length));
    buf_release(&framed);
}

void adb_socket_read_end(int fd, struct buf *all)
{
    char data[4096];
    ssize_t n;

    while ((n = recv(fd, data, sizeof(data), 0)) > 0)
        buf_append(all, data, (size_t)n);
    assert_int_equal(n, 0);
}

void adb_socket_expect(int fd, const char *expected)
{
    char data[1024];
    size_t length = strlen(expected);

    assert_true(length < sizeof(data));
    assert_int_equal(recv(fd, data, length, MSG_WAITALL), length);
    data[length] = '\0';
    assert_string_equal(data, expected);
}

static void format_answer(const char *form, struct buf *bytes)
{
    const char *open = strchr(form, '{');
    const char *shut = strrchr(form, '}');

    if (!open) {
        buf_text(bytes, form);
        return;
    }
    buf_append(bytes, form, (size_t)(open - form));
    buf_printf(bytes, "%04zx", (size_t)(shut - open - 1));
    buf_append(bytes, open + 1, (size_t)(shut - open - 1));
}

void adb_socket_answers(uint16_t port, const char *requests,
                        const char *expected)
{
    struct buf all = BUF_INIT(100000);
    struct buf bytes = BUF_INIT(100000);
    char *copy = mem_dup(requests);
    char *rest = copy;
    int fd = adb_socket_connect(port);

    for (char *one; (one = strsep(&rest, "|"));)
        adb_socket_request(fd, one);
    adb_socket_read_end(fd, &all);
    format_answer(expected, &bytes);
    assert_string_equal(buf_cstr(&all), buf_cstr(&bytes));
    close(fd);
    free(copy);
    buf_release(&bytes);
    buf_release(&all);
}
